// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fitmap.h"

#include "core/engine/engines.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/plan/solve.h"
#include "core/weights/weighttypes.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace kv {

namespace {

/// As stored, and the usual smaller types that are known for this model.
std::vector<std::string> weightsFor(const Scenario &scenario, const Engine &engine) {
    std::vector<std::string> types{scenario.weights.dtype};
    const WeightTypeGroup group = engine.id() == "llama-cpp" ? WeightTypeGroup::Gguf : WeightTypeGroup::Quantised;
    for (const char *name : {"fp8", "int4", "q8_0", "q4_k_m"})
        if (name != scenario.weights.dtype && findWeightType(name)->group == group && bytesInType(scenario.model.spec->weights, name))
            types.push_back(name);
    return types;
}

/// The scenario's own type first, then those of other sizes.
std::vector<ElementType> cachesFor(const Plan &plan, const Engine &engine) {
    std::vector<ElementType> types{plan.kv.types.key};
    for (const ElementType type : usualCaches(engine)) {
        const auto alike = [&](ElementType other) { return info(other).blockBytes * info(type).blockElements == info(type).blockBytes * info(other).blockElements; };
        if (std::ranges::none_of(types, alike))
            types.push_back(type);
    }
    return types;
}

double bits(ElementType type) { return static_cast<double>(info(type).blockBytes) / static_cast<double>(info(type).blockElements); }

void take(SettingsCell &cell, const Plan &plan) {
    const Note *reason = plan.ok() ? wouldNotStart(plan) : &*plan.refusal;
    cell.taken = !reason;
    cell.why = reason ? reason->text : std::string();
    cell.fits = cell.taken && plan.fit.fits;
    cell.users = cell.taken ? plan.fit.maxSequences : std::optional<std::int64_t>(0);
}

/// What is better to have: what fits, then what is taken at all, then room for more.
std::tuple<bool, bool, std::int64_t> worth(const SettingsCell &cell) {
    return {cell.fits, cell.taken, cell.users.value_or(std::numeric_limits<std::int64_t>::max())};
}

/// Of all splits the one with room for most, the widest tensor parallel among equals; with the reason of the widest where the engine takes none.
void takeRoomiest(SettingsCell &cell, std::int64_t gpus, std::int64_t each) {
    const Scenario asked = cell.scenario;
    bool any = false;
    for (std::int64_t tp = each; tp >= 1; --tp) {
        if (each % tp != 0)
            continue;
        SettingsCell tried = cell;
        tried.scenario = asked;
        tried.scenario.hardware.count = Count(gpus);
        tried.scenario.parallel.tp = Count(tp);
        tried.scenario.parallel.pp = Count(each / tp);
        take(tried, evaluateHere(tried.scenario));
        if (!any || worth(tried) > worth(cell))
            cell = std::move(tried);
        any = true;
    }
}

/// `own`: the cell has as many GPUs as the scenario, whose split comes first; `present`: it is the scenario itself.
void judge(SettingsCell &cell, std::int64_t gpus, std::int64_t each, bool own, bool present) {
    if (own)
        take(cell, evaluateHere(cell.scenario));
    if (!present && !(own && cell.fits))
        takeRoomiest(cell, gpus, each);
}

std::vector<std::int64_t> countsFor(std::int64_t dp, std::int64_t most, std::int64_t own) {
    std::vector<std::int64_t> counts;
    for (std::int64_t gpus = dp; gpus <= std::max(most, dp); gpus *= 2)
        counts.push_back(gpus);
    if (own <= std::max(most, dp) && std::ranges::find(counts, own) == counts.end())
        counts.insert(std::ranges::upper_bound(counts, own), own);
    return counts;
}

} // namespace

std::vector<ElementType> usualCaches(const Engine &engine) {
    using enum ElementType;
    constexpr ElementType wide[]{Bf16, Fp16}, half[]{Fp8, Q8_0, Int8}, quarter[]{Int4, Nvfp4, Q4_0, Fp4MxBlock16};
    std::vector<ElementType> types;
    for (const std::span<const ElementType> group : {std::span<const ElementType>(wide), std::span<const ElementType>(half), std::span<const ElementType>(quarter)})
        for (const ElementType type : group)
            if (std::ranges::find(engine.kvTypes(), type) != engine.kvTypes().end()) {
                types.push_back(type);
                break;
            }
    return types;
}

SettingsMap settingsMap(const Scenario &scenario, std::int64_t mostGpus, const std::function<bool()> &goOn) {
    SettingsMap map;
    const Engine *engine = findEngine(scenario.engine.id);
    const Plan plan = evaluateHere(scenario);
    if (!engine || !scenario.model.spec || !plan.ok() || !scenario.hardware.devices.empty())
        return map;
    const std::int64_t dp = engine->dpInsideTp(scenario) ? 1 : scenario.parallel.dp.value_or(Count(1)).value;
    map.gpus = countsFor(dp, mostGpus, plan.gpusInAll);
    map.caches = cachesFor(plan, *engine);
    map.weights = weightsFor(scenario, *engine);
    const auto rank = [&](const SettingsCell &cell) {
        const Plan tried = evaluateHere(cell.scenario);
        return std::tuple(cell.gpus, -tried.weights.total.value, -bits(cell.cache));
    };
    for (const std::int64_t gpus : map.gpus)
        for (const ElementType cache : map.caches)
            for (const std::string &weights : map.weights) {
                if (goOn && !goOn())
                    return {};
                SettingsCell cell{gpus, cache, weights, false, true, {}, {}, scenario};
                if (cache != plan.kv.types.key)
                    cell.scenario.kv = {cache, cache};
                if (weights != scenario.weights.dtype)
                    cell.scenario.weights = {weights, std::nullopt};
                const bool own = gpus == plan.gpusInAll;
                judge(cell, gpus, gpus / dp, own, own && cell.scenario == scenario);
                const bool better = cell.fits && (!map.cheapest || rank(cell) < rank(map.cells[*map.cheapest]));
                map.cells.push_back(std::move(cell));
                if (better)
                    map.cheapest = map.cells.size() - 1;
            }
    return map;
}

std::string settingsMapCsv(const SettingsMap &map) {
    std::string csv = "gpus,kv,weights,taken,fits,max_sequences,cheapest,split\n";
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const SettingsCell &cell = map.cells[i];
        csv += std::to_string(cell.gpus) + "," + std::string(info(cell.cache).name) + "," + (cell.weights.empty() ? "as stored" : cell.weights) + (cell.taken ? ",1" : ",0") +
               (cell.fits ? ",1," : ",0,") + (cell.users ? std::to_string(*cell.users) : std::string()) + (map.cheapest == i ? ",1," : ",0,") +
               (cell.taken ? splitText(cell.scenario) : std::string()) + "\n";
    }
    return csv;
}

} // namespace kv
