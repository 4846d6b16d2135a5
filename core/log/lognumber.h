// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers as logs print them, read so that nothing is guessed: "136,080", "15.2683 GiB", "-23.55 GiB", "0.8999999761581421".
//
// A number is digits with an optional sign, optional separators of thousands (each group of exactly three digits) and an optional
// fraction. "nan", "1,1,1", "1e400" and what leaves 64 bits are no numbers. Sizes are rounded half up to the byte.

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace kv {

/// digits ÷ 10^decimals; at most 18 digits, further decimals are cut.
struct Decimal {
    std::int64_t digits = 0;
    int decimals = 0;

    std::optional<std::int64_t> whole() const; ///< absent when it has a fraction
    double real() const;
    /// × unit, rounded half away from zero; absent out of range.
    std::optional<std::int64_t> times(std::int64_t unit) const;
};

/// A number at the start of a text, after blanks and an opening "=", ":", "(" or quote.
struct FoundNumber {
    std::string_view written;     ///< as it stands there, or the word found in its place
    std::optional<Decimal> value; ///< absent: no number
    std::string_view after;       ///< the text behind it
};
FoundNumber numberAt(std::string_view text);

/// Bytes of the unit at the start of a text ("GiB", "GB" and "G" are all 2^30; "B", "bytes"), after blanks; absent: no unit.
std::optional<std::int64_t> unitAt(std::string_view text);

} // namespace kv
