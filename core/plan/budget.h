// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the memory of the fullest GPU goes to, item by item: what is exact, what is an estimate and how far it may be off, and which key
// of the scenario sets it by hand. Worked out when somebody looks, by the engine's own functions that made the plan.
//
// memory = sum of the other rows, the last of which is what stays free (negative: short). The band of weights in a type that the checkpoint
// does not have, or by a formula that was not checked, is a thirty-second of them: conversions differ in what they leave in 16 bit.

#include "core/engine/engine.h"

#include <vector>

namespace kv {

struct Budget {
    std::int64_t gpu = 0; ///< index of the GPU with the least left
    std::vector<BudgetRow> rows; ///< memory, reserve, weights, overhead …, kv, free
    Bytes band; ///< how far all estimates together may be off, either way
};

/// Of a plan that was not refused.
Budget budgetOf(const Scenario &scenario, const Plan &plan);

std::string_view certaintyName(Certainty certainty); ///< "exact", "estimate", "by hand"

/// The part of estimated weights that may be wrong, either way.
inline constexpr std::int64_t weightsBandDivisor = 32;

} // namespace kv
