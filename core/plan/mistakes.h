// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What each common mistake would answer in the place of the right figure: the model's cache is counted once more with the mistake made,
// by the same sums over its layers. A mistake that makes no difference for a model is left out.
//
// All figures are payloads of one copy, without an engine's rounding: bytes of a token while inside every window, of a sequence at the
// scenario's context, and of all sequences without a shared prefix.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
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
    std::vector<LayerShape> shapes; ///< the model's layers with the mistake made; empty where it is not about them
};

struct MistakeSheet {
    CacheCount right;
    std::vector<Mistake> mistakes; ///< in a fixed order

    const Mistake *find(std::string_view id) const;
};

/// Of a plan that was made (Plan::ok).
MistakeSheet mistakesOf(const Scenario &scenario, const Plan &plan);

/// The scenario as it looks to somebody who makes the mistake, to be planned beside the right one; nothing where no layer is mistaken.
std::optional<Scenario> asMistaken(const Scenario &scenario, const Plan &plan, const Mistake &mistake);

/// All the ids there are, for whoever checks a name.
std::span<const std::string_view> mistakeIds();

} // namespace kv
