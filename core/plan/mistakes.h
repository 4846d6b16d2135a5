// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What each common mistake would answer in the place of the right figure: the model's cache is counted once more with the mistake made,
// by the same sums over its layers. A mistake that makes no difference for a model is left out.
//
// All figures are payloads of one copy, without an engine's rounding: bytes of a token while inside every window, of a sequence at the
// scenario's context, and of all sequences without a shared prefix.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct CacheCount {
    Bytes perToken, perSequence, total;

    bool operator==(const CacheCount &) const = default;
};

struct Mistake {
    std::string_view id;   ///< "query-heads"
    std::string name;      ///< "64 query heads in the place of 8 KV heads"
    std::string_view why;  ///< why it is wrong, a sentence
    CacheCount count;
};

struct MistakeSheet {
    CacheCount right;
    std::vector<Mistake> mistakes; ///< in a fixed order

    const Mistake *find(std::string_view id) const;
};

/// Of a plan that was made (Plan::ok).
MistakeSheet mistakesOf(const Scenario &scenario, const Plan &plan);

/// All the ids there are, for whoever checks a name.
std::span<const std::string_view> mistakeIds();

} // namespace kv
