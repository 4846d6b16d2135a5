// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every way to make a scenario fit, or fit more: each is a whole scenario that differs in one idea and was evaluated as any other, so the
// figures are not estimates of a gain but the plan itself. Only what the engine takes is offered, and only what gains.
//
// Order: where the scenario does not fit, the ways that make it fit come first, the smallest change before larger ones, and the first three
// are marked, of as many kinds as there are; then by what is gained against what it costs (nothing, less asked for, much slower, a
// quality risk, other software, more hardware). Pairs of changes are tried where the scenario does not fit, since one alone may not be enough.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kv {

enum class LeverCost : std::uint8_t {
    Setting,  ///< an option of the same server
    Load,     ///< less is asked for: shorter, fewer, shared
    Speed,    ///< the same server, much slower
    Quality,  ///< numbers in fewer bits: to be checked on one's own work
    Software, ///< another engine or release
    Hardware, ///< more GPUs, or others
};
std::string_view leverCostName(LeverCost cost); ///< "setting", "load", …

/// A change before it is evaluated.
struct LeverIdea {
    std::string id;   ///< "kv.fp8", stable; of a pair "kv.fp8+weights.fp8"
    std::string name; ///< "FP8 cache"
    std::string caveat; ///< what it costs, in a few words; empty: nothing
    LeverCost cost{};
    double size = 0;  ///< how large the change is, for "smallest first"; a doubling of something counts 1
    Scenario scenario;
};

struct Lever {
    LeverIdea idea;
    bool fits = false;
    bool nearest = false;               ///< one of the three smallest changes that make it fit
    std::optional<std::int64_t> users;  ///< most sequences then; absent: no limit
    std::int64_t gpus = 0;
    double worth = 0;                   ///< doublings of users against the cost, to rank by
    bool isPair() const { return idea.id.find('+') != std::string::npos; }
    std::string sentence;               ///< "FP8 cache: 10 → 20 users"
};

struct Levers {
    bool fits = false;                  ///< the scenario as it is
    std::optional<std::int64_t> users;
    std::vector<Lever> list;            ///< best first
};

/// `goOn` is asked between two evaluations; false ends it with what was found so far. Nothing for a scenario that is refused.
Levers levers(const Scenario &scenario, const std::function<bool()> &goOn = {});

/// The changes that are tried, in no order (leverideas.cpp); `plan` is the scenario's own, without searches.
std::vector<LeverIdea> leverIdeas(const Scenario &scenario, const Plan &plan);

} // namespace kv
