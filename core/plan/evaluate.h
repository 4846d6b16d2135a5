// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one function that everything shows the result of: pure, total, never throws.
//
// The figures that all engines share (payload, deployment, refusals) are made here; the engine chosen (engine/engines.h) adds its
// reservation, its budget and its log's figures.
// Deployment: GPUs = tp × pp × dp, GPU index = t + tp × (p + pp × d). `count` without parallel means tp = count.
// A replica is one of the dp copies; the first (sequences mod dp) serve one sequence more.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <functional>

namespace kv {

Plan evaluate(const Scenario &scenario);

/// The same without fit.maxContext and fit.minGpus, which are searched for and take most of the time: for those who ask about many scenarios.
Plan evaluateHere(const Scenario &scenario);

/// Whether the scenario with this context and this many sequences fits: evaluate()'s own rule without the rest of the plan.
bool fitsAt(const Scenario &scenario, Tokens context, Count sequences);

} // namespace kv
