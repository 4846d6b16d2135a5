// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Counts and sizes as types: Bytes, Tokens and Count wrap a std::int64_t and do not mix by accident.
//
// Arithmetic is checked in this one place and never wraps: a result outside ±(2^63 − 1) becomes `outOfRange`, which then
// stays so through every further operation, like a NaN. Whoever shows or stores a result asks `inRange()` first; evaluate()
// refuses a scenario whose figures left the range ("range"). Signed on purpose: "short by 3 GB" is a negative free size.
// Rounding is written into each name: floorDiv, ceilDiv, roundUp, roundDown.

#include <cstdint>
#include <limits>

#include <compare> // never the first: moc of Qt 6.4 stumbles over it in the library of g++ 12

namespace kv {

inline constexpr std::int64_t kibibyte = 1024, mebibyte = 1024 * kibibyte, gibibyte = 1024 * mebibyte, gigabyte = 1'000'000'000;

inline constexpr std::int64_t outOfRangeValue = std::numeric_limits<std::int64_t>::min();

namespace checked {

constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (a == outOfRangeValue || b == outOfRangeValue || __builtin_add_overflow(a, b, &r))
        return outOfRangeValue;
    return r;
}

constexpr std::int64_t sub(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (a == outOfRangeValue || b == outOfRangeValue || __builtin_sub_overflow(a, b, &r))
        return outOfRangeValue;
    return r;
}

constexpr std::int64_t mul(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (a == outOfRangeValue || b == outOfRangeValue || __builtin_mul_overflow(a, b, &r))
        return outOfRangeValue;
    return r;
}

/// Towards minus infinity. A divisor of zero or less has no answer here: out of range.
constexpr std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    if (a == outOfRangeValue || b == outOfRangeValue || b <= 0)
        return outOfRangeValue;
    return a / b - (a % b < 0 ? 1 : 0);
}

/// Towards plus infinity.
constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    if (a == outOfRangeValue || b == outOfRangeValue || b <= 0)
        return outOfRangeValue;
    return a / b + (a % b > 0 ? 1 : 0);
}

constexpr std::int64_t roundUp(std::int64_t a, std::int64_t step) { return mul(ceilDiv(a, step), step); }
constexpr std::int64_t roundDown(std::int64_t a, std::int64_t step) { return mul(floorDiv(a, step), step); }

/// a × b ÷ c, rounded down, exact even where a × b leaves 64 bits.
constexpr std::int64_t mulDiv(std::int64_t a, std::int64_t b, std::int64_t c) {
    if (a == outOfRangeValue || b == outOfRangeValue || c == outOfRangeValue || c <= 0)
        return outOfRangeValue;
    __extension__ using Wide = __int128;
    const Wide product = static_cast<Wide>(a) * b;
    Wide quotient = product / c;
    if (product % c < 0)
        --quotient;
    if (quotient > std::numeric_limits<std::int64_t>::max() || quotient <= outOfRangeValue)
        return outOfRangeValue;
    return static_cast<std::int64_t>(quotient);
}

} // namespace checked

/// A checked whole number of one kind; Tag keeps Bytes, Tokens and Count apart.
template <typename Tag>
struct Quantity {
    std::int64_t value = 0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(std::int64_t v) : value(v) {}
    static constexpr Quantity outOfRange() { return Quantity(outOfRangeValue); }

    constexpr bool inRange() const { return value != outOfRangeValue; }
    constexpr auto operator<=>(const Quantity &) const = default; // NOLINT(modernize-use-nullptr): the 0 that the compiler compares with

    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(checked::add(a.value, b.value)); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(checked::sub(a.value, b.value)); }
    friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return Quantity(checked::mul(a.value, n)); }
    friend constexpr Quantity operator*(std::int64_t n, Quantity a) { return a * n; }
    constexpr Quantity operator-() const { return Quantity(checked::sub(0, value)); }
    constexpr Quantity &operator+=(Quantity b) { return *this = *this + b; }
    constexpr Quantity &operator-=(Quantity b) { return *this = *this - b; }
};

using Bytes = Quantity<struct BytesTag>;   ///< a size in memory
using Tokens = Quantity<struct TokensTag>; ///< a length in tokens
using Count = Quantity<struct CountTag>;   ///< sequences, GPUs, layers

/// How many whole b fit into a.
template <typename Tag>
constexpr std::int64_t floorDiv(Quantity<Tag> a, Quantity<Tag> b) {
    return checked::floorDiv(a.value, b.value);
}
template <typename Tag>
constexpr std::int64_t ceilDiv(Quantity<Tag> a, Quantity<Tag> b) {
    return checked::ceilDiv(a.value, b.value);
}

} // namespace kv
