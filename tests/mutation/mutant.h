#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests/mutation/mutate writes in the place of an operator: the same operator, or another in the one mutant that KV_MUTANT names. All
// mutants so stand in one build, which is compiled once. Included ahead of every file of that build and of no other.

#include <cstdlib>
#include <type_traits>

namespace kvmutant {

inline bool is(int id) {
    static const int active = std::getenv("KV_MUTANT") ? std::atoi(std::getenv("KV_MUTANT")) : 0;
    return active == id;
}

template <typename A, typename B> auto plus(int id, const A &a, const B &b) { return is(id) ? a - b : a + b; }
template <typename A, typename B> auto minus(int id, const A &a, const B &b) { return is(id) ? a + b : a - b; }
template <typename A, typename B> auto times(int id, const A &a, const B &b) -> decltype(a * b) {
    if (!is(id))
        return a * b;
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
        return a + b;
    else if constexpr (std::is_arithmetic_v<A>)
        return b;
    else
        return a;
}
template <typename A, typename B> auto over(int id, const A &a, const B &b) { return is(id) ? a * b : a / b; }
template <typename A, typename B> auto rest(int id, const A &a, const B &b) { return is(id) ? a / b : a % b; }
template <typename A, typename B> bool less(int id, const A &a, const B &b) { return is(id) ? a <= b : a < b; }
template <typename A, typename B> bool lessOrEqual(int id, const A &a, const B &b) { return is(id) ? a < b : a <= b; }
template <typename A, typename B> bool greater(int id, const A &a, const B &b) { return is(id) ? a >= b : a > b; }
template <typename A, typename B> bool greaterOrEqual(int id, const A &a, const B &b) { return is(id) ? a > b : a >= b; }
template <typename A, typename B> bool equal(int id, const A &a, const B &b) { return is(id) ? a != b : a == b; }
template <typename A, typename B> bool unequal(int id, const A &a, const B &b) { return is(id) ? a == b : a != b; }
template <typename A, typename B> A &addTo(int id, A &a, const B &b) { return is(id) ? a -= b : a += b; }
template <typename A, typename B> A &takeFrom(int id, A &a, const B &b) { return is(id) ? a += b : a -= b; }
template <typename A, typename B> bool both(int id, const A &a, const B &b) { return is(id) ? a() || b() : a() && b(); }
template <typename A, typename B> bool either(int id, const A &a, const B &b) { return is(id) ? a() && b() : a() || b(); }

} // namespace kvmutant
