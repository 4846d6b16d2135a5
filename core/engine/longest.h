// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The longest context for which a judgement holds, by bisection: from max(1, prefix) to the model's own limit. 0: not even the shortest;
// nullopt: no limit (nothing grows, and the model names none). Without a limit of the model's own no context beyond 2^40 tokens is looked
// for: no memory of today holds one.

#include "core/engine/engine.h"
#include "core/model/contextlimit.h"

#include <algorithm>

namespace kv {

template <typename Holds>
std::optional<std::int64_t> longestContext(const Deployment &d, Holds &&holds) {
    constexpr std::int64_t beyondAll = std::int64_t{1} << 40;
    std::int64_t low = std::max<std::int64_t>(1, d.prefix.value);
    const std::optional<Tokens> limit = contextLimit(d.scenario->engine.id, *d.model);
    std::int64_t high = limit ? limit->value : beyondAll;
    if (high < low || !holds(Tokens(low)))
        return 0;
    if (holds(Tokens(high))) // a cache that does not grow has no limit but the model's
        return limit ? std::optional(high) : std::nullopt;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(Tokens(middle)) ? low : high) = middle;
    }
    return low;
}

/// The same where the pools of a deployment, made once, only take another context each time.
template <typename Pools, typename Holds>
std::optional<std::int64_t> longestContextOf(const Deployment &d, Pools pools, Holds &&holds) {
    return longestContext(d, [&](Tokens context) {
        pools.setContext(context);
        return holds(d, pools);
    });
}

} // namespace kv
