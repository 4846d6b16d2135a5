// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growthsweep.h"

#include "core/engine/engines.h"
#include "core/engine/support.h"
#include "core/plan/fitmap.h"

#include <algorithm>

namespace kv {

namespace {

constexpr std::int64_t usualStart = 1024;
constexpr std::int64_t longest = std::int64_t{1} << 40; // beyond it an axis of contexts says nothing

std::int64_t powerAbove(std::int64_t value) {
    std::int64_t p = 1;
    while (p < value && p < longest)
        p *= 2;
    return p;
}

std::int64_t powerBelow(std::int64_t value) {
    std::int64_t p = 1;
    while (p <= value / 2)
        p *= 2;
    return p;
}

} // namespace

GrowthAxis growthAxis(const Scenario &scenario) {
    const std::int64_t context = std::max<std::int64_t>(1, scenario.workload.context.value);
    std::int64_t to = 128 * usualStart;
    if (scenario.model.spec && scenario.model.spec->maxContext)
        to = std::max<std::int64_t>(to / 8, std::min(scenario.model.spec->maxContext->value, longest) * 2);
    // Room to the right of the present point, so that its curve does not end on it.
    to = powerAbove(std::max(to, std::min(context, longest) + std::min(context, longest) / 4));
    return {Tokens(std::min(usualStart, powerBelow(context))), Tokens(to)};
}

Sweep growthSweep(const Scenario &scenario, const Plan &plan) {
    const GrowthAxis axis = growthAxis(scenario);
    const Engine *engine = findEngine(scenario.engine.id);
    std::vector<ElementType> types = engine ? usualCaches(*engine) : std::vector<ElementType>{};
    std::erase_if(types, [&](ElementType type) { return isBeyondCard(*engine, findGpu(scenario.hardware.gpu), type); });
    return sweepContext(scenario, plan, axis.from, axis.to, types);
}

} // namespace kv
