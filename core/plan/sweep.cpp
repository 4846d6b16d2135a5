// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/sweep.h"

#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr std::size_t gridPoints = 128; // on a logarithmic axis; with the breakpoints at most 256 in all
constexpr std::size_t mostBreakpoints = 64;

/// Contexts where a curve bends: windows and chunks fill, the model's limit, the present point.
std::vector<std::int64_t> breakpoints(const Scenario &scenario) {
    std::vector<std::int64_t> points{scenario.workload.context.value};
    const ModelSpec &model = *scenario.model.spec;
    if (model.maxContext)
        points.push_back(model.maxContext->value);
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts) {
            if (points.size() >= mostBreakpoints)
                return points;
            if (const auto *window = std::get_if<SlidingWindow>(&part))
                points.push_back(window->window.value);
            else if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
                points.push_back(chunked->chunk.value);
            else if (const auto *compressed = std::get_if<CompressedAttention>(&part))
                points.push_back(compressed->window.value);
        }
    return points;
}

std::vector<std::int64_t> contextsOf(const Scenario &scenario, std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> contexts;
    contexts.reserve(gridPoints + mostBreakpoints + 2);
    const double low = std::log2(static_cast<double>(from)), high = std::log2(static_cast<double>(to));
    for (std::size_t i = 0; i <= gridPoints; ++i)
        contexts.push_back(std::llround(std::exp2(low + (high - low) * static_cast<double>(i) / gridPoints)));
    contexts.front() = from;
    contexts.back() = to;
    for (const std::int64_t point : breakpoints(scenario))
        if (point > from && point < to)
            contexts.push_back(point);
    std::ranges::sort(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    return contexts;
}

} // namespace

Sweep sweepContext(const Scenario &scenario, const Plan &plan, Tokens from, Tokens to, std::span<const ElementType> types) {
    Sweep sweep;
    sweep.from = std::max(from, Tokens(1));
    sweep.to = std::max(to, sweep.from + Tokens(1));
    sweep.context = scenario.workload.context;
    sweep.here = plan.kv.total;
    sweep.budget = plan.fit.kvBudget;
    Deployed ready = deploy(scenario);
    if (!plan.ok() || ready.refusal)
        return sweep;
    sweep.modelLimit = scenario.model.spec->maxContext;
    const std::vector<std::int64_t> contexts = contextsOf(scenario, sweep.from.value, sweep.to.value);
    const CacheTypes own = ready.deployment.types;

    const auto addCurve = [&](const CacheTypes &cache, ElementType type, bool current) {
        SweepCurve curve{type, current, {}};
        curve.points.reserve(contexts.size());
        Deployment d = ready.deployment;
        d.types = cache;
        for (const std::int64_t context : contexts) {
            d.context = Tokens(context);
            d.prefix = std::min(scenario.workload.sharedPrefix, d.context);
            const Bytes total = ready.engine->totalKv(d);
            if (total.inRange())
                curve.points.push_back({d.context, total});
        }
        sweep.curves.push_back(std::move(curve));
    };
    addCurve(own, own.key, true);
    for (const ElementType type : types) {
        const std::span<const ElementType> taken = ready.engine->kvTypes();
        if ((type != own.key || own.key != own.value) && std::ranges::find(taken, type) != taken.end())
            addCurve({type, type, own.model}, type, false);
    }
    return sweep;
}

std::vector<TableRow> tableAt(const Scenario &scenario, std::span<const Tokens> contexts) {
    std::vector<TableRow> rows;
    rows.reserve(contexts.size());
    Scenario at = scenario;
    for (const Tokens context : contexts) {
        at.workload.context = context;
        at.workload.sharedPrefix = std::min(scenario.workload.sharedPrefix, context);
        const Plan plan = evaluate(at);
        if (plan.ok())
            rows.push_back({context, plan.kv.perSequence, plan.kv.total, plan.fit.maxSequences, plan.fit.fits});
    }
    return rows;
}

} // namespace kv
