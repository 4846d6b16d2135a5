// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/engine/longest.h"

namespace kv {

Bytes Engine::totalKv(const Deployment &deployment) const {
    Plan whole;
    plan(deployment, whole);
    return whole.refusal ? Bytes::outOfRange() : whole.kv.total;
}

std::vector<BudgetRow> Engine::budgetOf(const Deployment &, const GpuPlan &gpu) const {
    std::vector<BudgetRow> rows{{"reserve", "Reserve", gpu.reserve, Certainty::Exact, {}, "hardware.reserve"}};
    if (ownOverhead(gpu) != Bytes(0))
        rows.push_back({"overhead", "Overhead", ownOverhead(gpu), Certainty::Exact, {}, {}});
    return rows;
}

std::optional<std::int64_t> Engine::maxContext(const Deployment &deployment) const {
    Deployment tried = deployment;
    return longestContext(deployment, [&](Tokens context) {
        tried.context = context;
        return fits(tried);
    });
}

} // namespace kv
