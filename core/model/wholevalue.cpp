// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/wholevalue.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kv {

Reading readWhole(const Json &value, std::int64_t &result) {
    constexpr double exact = 9007199254740992.0; // 2^53: beyond it a float is no count
    switch (value.kind()) {
    case Json::Kind::Integer:
        result = value.integer();
        return Reading::Fine;
    case Json::Kind::Real:
        if (!std::isfinite(value.real()) || std::abs(value.real()) >= exact)
            return Reading::TooLarge;
        if (value.real() != std::floor(value.real()))
            return Reading::NoWhole;
        result = static_cast<std::int64_t>(value.real());
        return Reading::Fine;
    case Json::Kind::String: {
        const std::string &digits = value.text();
        const std::size_t sign = digits.starts_with('-') ? 1 : 0;
        if (digits.size() == sign || !std::all_of(digits.begin() + static_cast<std::ptrdiff_t>(sign), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return Reading::NoWhole;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
        return error == std::errc() ? Reading::FromText : Reading::TooLarge;
    }
    default:
        return Reading::NoWhole;
    }
}

std::optional<std::int64_t> wholeValue(const Json &value) {
    std::int64_t result = 0;
    const Reading reading = readWhole(value, result);
    return reading == Reading::Fine || reading == Reading::FromText ? std::optional(result) : std::nullopt;
}

} // namespace kv
