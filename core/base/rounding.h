// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From a figure with decimals to a whole one, as checked as the sums of units.h: what is beyond 64 bits, and what is no number, comes out as
// outOfRangeValue. A bare conversion of such a double is undefined.

#include "core/base/units.h"

#include <cmath>
#include <cstdint>

namespace kv::checked {

/// Decimals cut off.
inline std::int64_t truncated(double value) {
    constexpr double beyond = 9.2e18; // 2^63 is the first that does not fit
    return value > -beyond && value < beyond ? static_cast<std::int64_t>(value) : outOfRangeValue;
}
/// To the nearest, halves away from zero.
inline std::int64_t nearest(double value) { return truncated(std::round(value)); }

} // namespace kv::checked
