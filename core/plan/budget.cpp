// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/budget.h"

#include "core/engine/adapters.h"
#include "core/plan/deploy.h"

#include <algorithm>

namespace kv {

std::string_view certaintyName(Certainty certainty) {
    switch (certainty) {
    case Certainty::Exact:
        return "exact";
    case Certainty::Estimate:
        return "estimate";
    case Certainty::ByHand:
        return "by hand";
    }
    return {};
}

Budget budgetOf(const Scenario &scenario, const Plan &plan) {
    Budget budget;
    const Deployed ready = deploy(scenario);
    if (ready.refusal || plan.gpus.empty())
        return budget;
    const GpuPlan &gpu = *std::ranges::min_element(plan.gpus, {}, &GpuPlan::free);
    budget.gpu = gpu.index;
    const Certainty memory = scenario.hardware.memory ? Certainty::ByHand : Certainty::Exact;
    budget.rows.push_back({"memory", "Memory that the engine counts from", gpu.memory, memory, {}, "hardware.memory_bytes"});
    std::vector<BudgetRow> own = ready.engine->budgetOf(ready.deployment, gpu);
    const auto overhead = std::ranges::find_if(own, [](const BudgetRow &row) { return row.key != "reserve"; });
    budget.rows.insert(budget.rows.end(), own.begin(), overhead);
    const bool unsure = plan.weights.estimate && gpu.weights > Bytes(0);
    const Certainty weights = scenario.weights.bytes ? Certainty::ByHand : plan.weights.estimate ? Certainty::Estimate : Certainty::Exact;
    const Bytes weightsBand = unsure ? Bytes(gpu.weights.value / weightsBandDivisor) : Bytes(0);
    budget.rows.push_back({"weights", "Weights", gpu.weights, weights, weightsBand, "weights.bytes"});
    if (gpu.draftWeights > Bytes(0))
        budget.rows.push_back({"draft_weights", "Weights of the draft model", gpu.draftWeights, Certainty::Estimate, Bytes(gpu.draftWeights.value / weightsBandDivisor), "engine.options.draft_model"});
    if (gpu.adapters > Bytes(0))
        budget.rows.push_back(adaptersAreExact(*ready.deployment.model)
                                  ? BudgetRow{"adapters", "LoRA slots", gpu.adapters, Certainty::Exact, {}, "engine.options.enable_lora"}
                                  : BudgetRow{"adapters", "LoRA slots", gpu.adapters, Certainty::Estimate, Bytes(gpu.adapters.value / 4), "engine.options.enable_lora"});
    budget.rows.insert(budget.rows.end(), overhead, own.end());
    if (gpu.display > Bytes(0))
        budget.rows.push_back({"display", "Display and other programs", gpu.display, Certainty::ByHand, {}, "hardware.display_bytes"});
    budget.rows.push_back({"kv", "KV cache of the sequences", gpu.kv - gpu.draftKv, Certainty::Exact, {}, {}});
    if (gpu.draftKv > Bytes(0))
        budget.rows.push_back({"draft_kv", "KV cache of the draft model", gpu.draftKv, Certainty::Exact, {}, "engine.options.draft_model"});
    budget.band = std::max(weightsBand, gpu.band);
    const bool estimate = budget.band > Bytes(0);
    budget.rows.push_back({"free", gpu.free < Bytes(0) ? "Short" : "Free", gpu.free, estimate ? Certainty::Estimate : Certainty::Exact, budget.band, {}});
    return budget;
}

} // namespace kv
