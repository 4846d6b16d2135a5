// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Little's law: sequences in flight = requests a second × seconds a request, for any arrivals and any lengths, in the long run
// (J. D. C. Little, Operations Research 9(3), 1961).

#include <cmath>
#include <cstdint>
#include <optional>

namespace kv {

/// Rounded up to whole sequences; nothing where the product is no number to plan with.
inline std::optional<std::int64_t> sequencesInFlight(double requestsPerSecond, double secondsPerRequest) {
    const double sequences = std::ceil(requestsPerSecond * secondsPerRequest - 1e-9);
    if (!(requestsPerSecond >= 0 && secondsPerRequest >= 0 && sequences < 9e15))
        return std::nullopt;
    return static_cast<std::int64_t>(sequences);
}

/// The load that so many sequences carry; nothing without a time.
inline std::optional<double> requestsPerSecond(std::int64_t sequences, double secondsPerRequest) {
    return secondsPerRequest > 0 ? std::optional(static_cast<double>(sequences) / secondsPerRequest) : std::nullopt;
}

} // namespace kv
