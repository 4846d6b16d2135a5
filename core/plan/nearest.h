// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What to do when settings are impossible: the nearest ones that work. Each is a whole scenario that differs from the one refused in one
// idea, and each was evaluated: what is offered is not refused. Whether it also fits is said, not required.

#include "core/scenario/scenario.h"

#include <functional>
#include <string>
#include <vector>

namespace kv {

struct Alternative {
    std::string change; ///< for people: "TP 4 on 4 GPUs", "block_size 32", "flash attention on"
    Json patch;         ///< what changes, as the scenario file writes it: {"parallel": {"tp": 4}, "hardware": {"count": 4}}
    Scenario scenario;
    bool fits = false;
};

/// What of the settings differs, as a merge patch (RFC 7396) to the scenario's JSON; the model is never a part of it.
Json scenarioPatch(const Scenario &from, const Scenario &to);

inline constexpr std::size_t mostAlternatives = 4;

/// Nearest first, at most mostAlternatives; empty when the scenario is not refused, or nothing near it works. `goOn` is asked before each
/// evaluation; false ends it with what was found so far.
std::vector<Alternative> nearestThatWork(const Scenario &scenario, const std::function<bool()> &goOn = {});

} // namespace kv
