// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A whole number times a factor that a file gives as a decimal (expand, ffn_dim_multiplier), towards zero. What is no number or leaves
// 64 bits is out of range like every other result that does (units.h): to convert it would be undefined.

#include "core/base/units.h"

namespace kv::checked {

inline std::int64_t scaled(std::int64_t value, double factor) {
    constexpr double limit = 9223372036854774784.0; // the largest double below 2^63
    const double product = static_cast<double>(value) * factor;
    if (value == outOfRangeValue || !(product >= -limit && product <= limit))
        return outOfRangeValue;
    return static_cast<std::int64_t>(product);
}

} // namespace kv::checked
