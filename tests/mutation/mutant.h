#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests/mutation/mutate writes in the place of an operator: the same operator, or another in the one mutant that KV_MUTANT names. All
// mutants so stand in one build, which is compiled once. Included ahead of every file of that build and of no other.

// With KV_MUTANT_SEEN nothing is changed: that file gets the numbers of the mutants that would have changed a value in this run, so that each
// mutant need only be held against the tests that can notice it.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace kvmutant {

inline constexpr int most = 1 << 14;
inline std::atomic<bool> seen[most];

inline const char *const seenFile = [] {
    const char *file = std::getenv("KV_MUTANT_SEEN");
    if (file)
        std::atexit([] {
            if (std::FILE *out = std::fopen(std::getenv("KV_MUTANT_SEEN"), "w")) {
                for (int id = 0; id < most; ++id)
                    if (seen[id])
                        std::fprintf(out, "%d\n", id);
                std::fclose(out);
            }
        });
    return file;
}();

inline bool chosen(int id) {
    static const int active = std::getenv("KV_MUTANT") ? std::atoi(std::getenv("KV_MUTANT")) : 0;
    return active == id;
}

/// Of a call, whose other result is not looked at: that it was made is enough.
inline bool is(int id) {
    if (seenFile)
        seen[id] = true;
    return chosen(id);
}

/// `other` is only called in the mutant, or to see whether it differs.
template <typename Value, typename Other> Value pick(int id, Value value, Other other) {
    if (seenFile && !seen[id] && !(value == other()))
        seen[id] = true;
    return chosen(id) ? static_cast<Value>(other()) : value;
}

template <typename A, typename B> auto plus(int id, const A &a, const B &b) { return pick(id, a + b, [&] { return a - b; }); }
template <typename A, typename B> auto minus(int id, const A &a, const B &b) { return pick(id, a - b, [&] { return a + b; }); }
template <typename A, typename B> auto times(int id, const A &a, const B &b) -> decltype(a * b) {
    return pick(id, a * b, [&] {
        if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
            return a + b;
        else if constexpr (std::is_arithmetic_v<A>)
            return b;
        else
            return a;
    });
}
template <typename A, typename B> auto over(int id, const A &a, const B &b) { return pick(id, a / b, [&] { return a * b; }); }
template <typename A, typename B> auto rest(int id, const A &a, const B &b) { return pick(id, a % b, [&] { return a / b; }); }
template <typename A, typename B> bool less(int id, const A &a, const B &b) { return pick(id, a < b, [&] { return a <= b; }); }
template <typename A, typename B> bool lessOrEqual(int id, const A &a, const B &b) { return pick(id, a <= b, [&] { return a < b; }); }
template <typename A, typename B> bool greater(int id, const A &a, const B &b) { return pick(id, a > b, [&] { return a >= b; }); }
template <typename A, typename B> bool greaterOrEqual(int id, const A &a, const B &b) { return pick(id, a >= b, [&] { return a > b; }); }
template <typename A, typename B> bool equal(int id, const A &a, const B &b) { return is(id) ? a != b : a == b; }
template <typename A, typename B> bool unequal(int id, const A &a, const B &b) { return is(id) ? a == b : a != b; }
template <typename A, typename B> A &addTo(int id, A &a, const B &b) { return is(id) ? a -= b : a += b; }
template <typename A, typename B> A &takeFrom(int id, A &a, const B &b) { return is(id) ? a += b : a -= b; }
/// The right side is not called where it would not be: it may hold only when the left one does.
template <typename A, typename B> bool both(int id, const A &a, const B &b) { return is(id) ? a() || b() : a() && b(); }
template <typename A, typename B> bool either(int id, const A &a, const B &b) { return is(id) ? a() && b() : a() || b(); }

} // namespace kvmutant
