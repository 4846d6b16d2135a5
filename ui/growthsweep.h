// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which curves "Growth with context" draws over which axis: the scenario's own KV type, and one type each of about 16, 8 and 4 bits that
// the engine takes and the card has kernels for; from 1k to twice the model's limit, or far enough for the present context. The ends are powers of two, so that
// the axis stands still while a slider moves within them.

#include "core/plan/sweep.h"

#include <vector>

namespace kv {

struct GrowthAxis {
    Tokens from, to;
};
GrowthAxis growthAxis(const Scenario &scenario);
Sweep growthSweep(const Scenario &scenario, const Plan &plan);

} // namespace kv
