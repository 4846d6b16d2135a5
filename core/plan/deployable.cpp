// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/deployable.h"

#include "core/engine/engines.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/plan/solve.h"

#include <algorithm>
#include <bit>

namespace kv {

namespace {

bool isPart(std::int64_t gpus, std::int64_t node) { return std::has_single_bit(static_cast<std::uint64_t>(gpus)) || node % gpus == 0; }

/// The largest tensor parallel degree that takes the load on so many GPUs a replica.
std::optional<Scenario> splitOf(const Scenario &scenario, std::int64_t each, std::int64_t replicas, std::int64_t node) {
    for (std::int64_t tp = std::min(each, node); tp >= 1; --tp) {
        if (each % tp != 0 || !isDeployed(each, tp, node))
            continue;
        Scenario tried = scenario;
        tried.hardware.count = Count(checked::mul(each, replicas));
        tried.parallel.tp = Count(tp);
        tried.parallel.pp = Count(each / tp);
        if (fitsAt(tried, tried.workload.context, tried.workload.sequences) && !wouldNotStart(evaluateHere(tried)))
            return tried;
    }
    return std::nullopt;
}

} // namespace

bool isDeployed(std::int64_t gpusOfReplica, std::int64_t tp, std::int64_t cardsOfNode) {
    return tp <= cardsOfNode && isPart(tp, cardsOfNode) && (gpusOfReplica <= cardsOfNode ? isPart(gpusOfReplica, cardsOfNode) : gpusOfReplica % cardsOfNode == 0);
}

std::optional<Scenario> deployedOn(const Scenario &scenario, std::int64_t fewest) {
    constexpr std::int64_t usualNode = 8;
    const Engine *engine = findEngine(scenario.engine.id);
    const Gpu *gpu = findGpu(scenario.hardware.gpu);
    if (!engine || fewest < 1)
        return std::nullopt;
    const std::int64_t node = gpu && gpu->gpusPerNode > 1 ? gpu->gpusPerNode : usualNode; // one that is usually alone can be put together
    const std::int64_t replicas = engine->dpInsideTp(scenario) ? 1 : std::max<std::int64_t>(scenario.parallel.dp.value_or(Count(1)).value, 1);
    const std::int64_t least = checked::ceilDiv(fewest, replicas);
    for (std::int64_t each = least; each <= 2 * least; ++each)
        if (std::optional<Scenario> split = splitOf(scenario, each, replicas, node))
            return split;
    return std::nullopt;
}

std::optional<Scenario> onFewestGpus(const Scenario &scenario, std::int64_t fewest) {
    if (scenario.engine.id != "llama-cpp" && scenario.hardware.devices.empty())
        if (std::optional<Scenario> deployed = deployedOn(scenario, fewest))
            return deployed;
    return onGpus(scenario, fewest);
}

std::int64_t fewestGpus(const Scenario &scenario, std::int64_t fewest) {
    const std::optional<Scenario> split = scenario.hardware.devices.empty() ? onFewestGpus(scenario, fewest) : std::nullopt;
    return split ? split->hardware.count.value : fewest;
}

} // namespace kv
