// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"
#include "core/plan/budget.h"
#include "core/plan/deploy.h"
#include "core/scenario/measured.h"

#include <algorithm>

namespace kv {

namespace {

/// The first figure that left 64 bits, by its name in the plan's JSON, or nullptr.
const char *outOfRangeFigure(const Plan &plan) {
    const std::pair<Bytes, const char *> figures[]{
        {plan.kv.perToken, "kv.bytes_per_token"},
        {plan.kv.perTokenMarginal, "kv.bytes_per_token_marginal"},
        {plan.kv.fixedPerSequence, "kv.fixed_bytes_per_sequence"},
        {plan.kv.perSequence, "kv.bytes_per_sequence"},
        {plan.kv.perTokenPerGpu, "kv.bytes_per_token_per_gpu"},
        {plan.kv.perSequencePerGpu, "kv.bytes_per_sequence_per_gpu"},
        {plan.kv.total, "kv.total_bytes"},
        {plan.weights.total, "weights.total_bytes"},
        {plan.weights.perGpu, "weights.per_gpu_bytes"},
        {plan.fit.kvBudget, "fit.kv_budget_bytes"},
    };
    for (const auto &[bytes, name] : figures)
        if (!bytes.inRange())
            return name;
    for (const std::optional<std::int64_t> &count : {plan.fit.maxSequences, plan.fit.kvCapacityTokens})
        if (count && *count == outOfRangeValue)
            return "fit";
    const auto lost = [](const GpuPlan &g) {
        return !(g.memory.inRange() && g.reserve.inRange() && g.weights.inRange() && g.overhead.inRange() && g.kv.inRange() &&
                 g.kvReserved.inRange() && g.free.inRange());
    };
    return std::ranges::any_of(plan.gpus, lost) ? "gpus" : nullptr;
}

/// The count that a result out of range most likely hangs on, by its place in the scenario.
std::string largestCount(const Scenario &scenario, const Engine &engine) {
    const std::pair<std::int64_t, const char *> counts[]{
        {scenario.workload.sequences.value, "workload.sequences"},
        {scenario.workload.context.value, "workload.context"},
        {scenario.weights.bytes.value_or(Bytes(0)).value, "weights.bytes"},
        {scenario.hardware.memory.value_or(Bytes(0)).value, "hardware.memory_bytes"},
    };
    auto [value, name] = *std::ranges::max_element(counts, {}, [](const auto &count) { return count.first; });
    std::string where = name;
    const OptionReader options(scenario.engine.options);
    for (const EngineOption &option : engine.options()) {
        const std::int64_t given = option.kind == OptionKind::Size    ? options.size(option.name).value_or(Bytes(0)).value
                                   : option.kind == OptionKind::Whole ? options.whole(option.name).value_or(0)
                                                                      : 0;
        if (given > value)
            value = given, where = "engine.options." + std::string(option.name);
    }
    return where + " is " + writeNumber(value);
}

/// Whether the verdict turns within the band of estimated weights.
bool hangsOnWeights(const Engine &engine, const Deployment &d) {
    Deployment more = d, less = d;
    const Bytes band(d.weights.value / weightsBandDivisor);
    more.weights = d.weights + band;
    less.weights = d.weights - band;
    return engine.fits(more) != engine.fits(less);
}

Plan planned(const Scenario &scenario, bool searches) {
    Plan plan;
    plan.model = scenario.model.spec;
    if (scenario.model.spec)
        plan.modelName = scenario.model.name.empty() ? scenario.model.spec->name : scenario.model.name;
    Deployed ready = deploy(scenario);
    // What the reader of the model had to assume holds for every plan of it.
    if (scenario.model.spec)
        plan.warnings = scenario.model.spec->notes;
    plan.warnings.insert(plan.warnings.end(), ready.warnings.begin(), ready.warnings.end());
    if (std::optional<Note> measured = measuredNote(scenario))
        plan.warnings.push_back(std::move(*measured));
    plan.engine.id = scenario.engine.id;
    if (ready.refusal) {
        plan.refusal = std::move(ready.refusal);
        return plan;
    }
    const Deployment &d = ready.deployment;
    plan.weights = std::move(ready.weights);
    plan.kv.types = d.types;
    plan.gpusInAll = d.gpus;
    plan.replicas = d.replicas;
    plan.unitOfUser = "sequence";
    plan.fit.estimate = plan.weights.estimate;
    plan.fit.uncertain = plan.weights.source == WeightSource::Unknown;
    ready.engine->plan(d, plan);
    if (plan.refusal)
        return plan;
    if (const char *figure = outOfRangeFigure(plan)) {
        plan.refusal = errorNote("out-of-range", figure,
                                 std::string(figure) + ": the result is out of range: it exceeds 2^63 − 1; look for a size or a count that is too large (" +
                                     largestCount(scenario, *ready.engine) + ")");
        return plan;
    }
    if (plan.weights.estimate && !d.availableKv && plan.weights.source != WeightSource::Unknown && !plan.fit.uncertain)
        plan.fit.uncertain = hangsOnWeights(*ready.engine, d);
    if (searches) {
        plan.fit.maxContext = ready.engine->maxContext(d);
        plan.fit.minGpus = ready.engine->minGpus(d);
    }
    return plan;
}

} // namespace

Plan evaluate(const Scenario &scenario) { return planned(scenario, true); }

Plan evaluateHere(const Scenario &scenario) { return planned(scenario, false); }

bool fitsAt(const Scenario &scenario, Tokens context, Count sequences) {
    Deployed ready = deploy(scenario);
    if (ready.refusal)
        return false;
    ready.deployment.context = context;
    ready.deployment.prefix = std::min(ready.deployment.prefix, context);
    ready.deployment.sequences = sequences;
    return ready.engine->fits(ready.deployment);
}

} // namespace kv
