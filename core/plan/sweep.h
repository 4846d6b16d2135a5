// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Curves over the context: the total KV of the scenario's sequences for each KV type, against the room there is.
// Piecewise linear by nature, so the points are the exact breakpoints (windows, chunks, the present context) and a logarithmic
// grid between them, at most 256.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <vector>

namespace kv {

struct SweepPoint {
    Tokens context;
    Bytes total; ///< all sequences, all GPUs, replication included: Plan::kv.total at this context
};

struct SweepCurve {
    ElementType type{};
    bool current = false; ///< the scenario's own type
    std::vector<SweepPoint> points;
};

struct Sweep {
    std::vector<SweepCurve> curves;
    Bytes budget; ///< room for KV in all (Plan::fit.kvBudget)
    Tokens context;
    Bytes here; ///< Plan::kv.total
    Tokens from, to;
    std::optional<Tokens> modelLimit;
};

/// `types`: a curve for each that the engine takes, besides the scenario's own. [from, to] is the axis.
Sweep sweepContext(const Scenario &scenario, const Plan &plan, Tokens from, Tokens to, std::span<const ElementType> types);

/// One line of the table at standard contexts.
struct TableRow {
    Tokens context;
    Bytes perSequence;
    Bytes total;
    std::optional<std::int64_t> maxSequences;
    bool fits = false;
};
std::vector<TableRow> tableAt(const Scenario &scenario, std::span<const Tokens> contexts);

} // namespace kv
