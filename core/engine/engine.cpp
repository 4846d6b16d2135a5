// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include <algorithm>

namespace kv {

Bytes Engine::totalKv(const Deployment &deployment) const {
    Plan whole;
    plan(deployment, whole);
    return whole.refusal ? Bytes::outOfRange() : whole.kv.total;
}

std::vector<BudgetRow> Engine::budgetOf(const Deployment &, const GpuPlan &gpu) const {
    std::vector<BudgetRow> rows{{"reserve", "Reserve", gpu.reserve, Certainty::Exact, {}, "hardware.reserve"}};
    if (gpu.overhead != Bytes(0))
        rows.push_back({"overhead", "Overhead", gpu.overhead, Certainty::Exact, {}, {}});
    return rows;
}

std::optional<std::int64_t> Engine::maxContext(const Deployment &deployment) const {
    // Without a limit of the model's own, no context beyond 2^40 tokens is looked for: no memory of today holds one.
    constexpr std::int64_t beyondAll = std::int64_t{1} << 40;
    Deployment tried = deployment;
    const auto holds = [&](std::int64_t context) {
        tried.context = Tokens(context);
        return fits(tried);
    };
    std::int64_t low = std::max<std::int64_t>(1, deployment.prefix.value);
    std::int64_t high = deployment.model->maxContext ? deployment.model->maxContext->value : beyondAll;
    if (high < low || !holds(low))
        return 0;
    if (holds(high)) // a cache that does not grow has no limit but the model's
        return deployment.model->maxContext ? std::optional(high) : std::nullopt;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

} // namespace kv
