// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/inwords.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/base/version.h"
#include "core/engine/engines.h"
#include "core/plan/deploy.h"

namespace kv {

std::string hardwareInWords(const Scenario &scenario, const Plan &plan) {
    std::string text = cardsInWords(scenario.hardware, plan.gpusInAll);
    if (plan.gpus.empty())
        return text;
    // The last GPU's rank is the split: ranks count from 0.
    const GpuPlan &last = plan.gpus.back();
    return text + ", tp " + writeNumber(last.tp + 1) + " × pp " + writeNumber(last.pp + 1) + " × dp " + writeNumber(last.dp + 1);
}

std::string engineInWords(const Scenario &scenario, const Plan &plan, bool options) {
    const Engine *engine = findEngine(plan.engine.id);
    std::string text = engine ? std::string(engine->name()) : plan.engine.id;
    if (!plan.engine.version.empty())
        text += " " + plan.engine.version;
    if (!options)
        return text;
    for (const auto &[key, value] : scenario.engine.options.members())
        text += ", " + oneLine(key, 60) + " = " + oneLine(value.isString() ? value.text() : writeJson(value), 60);
    return text;
}

std::string cacheTypesInWords(const Plan &plan) {
    const CacheTypes &types = plan.kv.types;
    if (types.key == types.value)
        return std::string(info(types.key).label);
    return "K " + std::string(info(types.key).label) + ", V " + std::string(info(types.value).label);
}

std::string lengthsInWords(const Lengths &lengths) {
    std::string text = lengths.kind == Lengths::Kind::Trace     ? writeNumber(lengths.count) + (lengths.count == 1 ? " request of a trace" : " requests of a trace")
                       : lengths.kind == Lengths::Kind::Classes ? "a mix of classes"
                                                                : "through p50, p90 and p99";
    const LengthColumns &columns = lengths.columns;
    if (columns.given()) {
        std::string names = columns.total;
        for (const std::string &name : {columns.input, columns.output})
            names += (names.empty() || name.empty() ? "" : " + ") + name;
        text += " (" + oneLine(names, 120) + ")";
    }
    text += ": p50 " + writeNumber(lengths.p50) + ", p90 " + writeNumber(lengths.p90) + ", p99 " + writeNumber(lengths.p99);
    // A curve through percentiles has a tail as long as one cares to look.
    return lengths.kind == Lengths::Kind::Percentiles ? text + " tokens" : text + ", longest " + writeNumber(lengths.most) + " tokens";
}

std::vector<std::string> captionOf(const Scenario &scenario, const Plan &plan, std::string_view date) {
    std::vector<std::string> items;
    if (!scenario.name.empty())
        items.push_back(oneLine(scenario.name, 120));
    items.push_back(oneLine(plan.modelName, 120));
    items.push_back(engineInWords(scenario, plan, true));
    items.push_back("weights " + (plan.weights.scheme.empty() ? "of unknown type" : oneLine(plan.weights.scheme, 80)));
    items.push_back("KV cache " + cacheTypesInWords(plan));
    const std::int64_t sequences = scenario.workload.sequences.value;
    std::string load = writeNumber(sequences) + (sequences == 1 ? " sequence of " : " sequences of ") + writeNumber(scenario.workload.context.value) + (scenario.workload.context == Tokens(1) ? " token" : " tokens");
    if (scenario.workload.sharedPrefix.value > 0)
        load += ", " + writeNumber(scenario.workload.sharedPrefix.value) + " shared";
    items.push_back(std::move(load));
    if (scenario.workload.distribution)
        items.push_back("lengths: " + lengthsInWords(*scenario.workload.distribution));
    items.push_back(hardwareInWords(scenario, plan));
    if (!date.empty())
        items.emplace_back(date);
    items.push_back("KV Planner " + std::string(version()));
    return items;
}

} // namespace kv
