// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/fitmap.h"

#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kv {

namespace {

constexpr std::size_t mostCellsAWay = 4096;

/// Points of a logarithmic axis, the ends exact; not falling.
std::vector<std::int64_t> logarithmic(std::int64_t from, std::int64_t to, std::size_t count) {
    std::vector<std::int64_t> points(count);
    const double low = std::log2(static_cast<double>(from)), high = std::log2(static_cast<double>(to));
    for (std::size_t i = 0; i < count; ++i)
        points[i] = std::llround(std::exp2(low + (high - low) * static_cast<double>(i) / static_cast<double>(count - 1)));
    points.front() = from;
    points.back() = to;
    return points;
}

FitMapAxes usable(FitMapAxes axes) {
    if (!axes.contexts.empty()) {
        axes.fromContext = axes.contexts.front();
        axes.toContext = axes.contexts.back();
        axes.columns = axes.contexts.size();
    }
    axes.columns = std::clamp<std::size_t>(axes.columns, 2, mostCellsAWay);
    axes.rows = std::clamp<std::size_t>(axes.rows, 2, mostCellsAWay);
    axes.fromContext = std::max(axes.fromContext, Tokens(1));
    axes.toContext = std::max(axes.toContext, axes.fromContext + Tokens(1));
    axes.fromSequences = std::max(axes.fromSequences, Count(1));
    axes.toSequences = std::max(axes.toSequences, axes.fromSequences + Count(1));
    return axes;
}

std::vector<std::int64_t> contextsOf(const FitMapAxes &axes) {
    if (axes.contexts.empty())
        return logarithmic(axes.fromContext.value, axes.toContext.value, axes.columns);
    std::vector<std::int64_t> contexts;
    for (const Tokens context : axes.contexts)
        contexts.push_back(std::max<std::int64_t>(1, context.value));
    return contexts;
}

} // namespace

bool FitMap::fits(std::size_t column, std::size_t row) const {
    const FitMapColumn &at = columns[column];
    return !at.refused && (!at.most || sequences[row] <= *at.most);
}

double FitMap::headroom(std::size_t column, std::size_t row) const {
    const FitMapColumn &at = columns[column];
    if (at.refused)
        return -1;
    if (!at.most)
        return 1;
    if (*at.most <= 0)
        return -1;
    return 1 - static_cast<double>(sequences[row]) / static_cast<double>(*at.most);
}

FitMap fitMap(const Scenario &scenario, const FitMapAxes &axes, const std::function<bool()> &goOn) {
    FitMap map;
    map.axes = usable(axes);
    map.sequences = logarithmic(map.axes.fromSequences.value, map.axes.toSequences.value, map.axes.rows);
    const std::vector<std::int64_t> contexts = contextsOf(map.axes);
    map.columns.reserve(contexts.size());
    // What does not hang on the context is looked up once.
    const Deployed ready = deploy(scenario);
    for (const std::int64_t context : contexts) {
        if (goOn && !goOn())
            return map;
        if (!map.columns.empty() && map.columns.back().context == Tokens(context)) {
            map.columns.push_back(map.columns.back());
            continue;
        }
        FitMapColumn column{Tokens(context), true, 0, {}};
        if (!ready.refusal) {
            Deployment d = ready.deployment;
            d.context = Tokens(context);
            d.prefix = std::min(d.prefix, d.context);
            Plan plan;
            ready.engine->plan(d, plan);
            column.refused = plan.refusal.has_value();
            column.most = column.refused ? std::optional<std::int64_t>(0) : plan.fit.maxSequences;
            d.sequences = Count(1); // room for many is none where the engine does not start (vLLM: a request of max_model_len alone)
            if (!column.refused && column.most.value_or(1) > 0 && !ready.engine->fits(d))
                column.most = 0;
            column.perSequence = plan.kv.perSequencePerGpu;
        }
        map.columns.push_back(column);
    }
    map.complete = true;
    return map;
}

std::string fitMapCsv(const FitMap &map) {
    std::string csv = "context,sequences,fits,headroom,max_sequences\n";
    for (std::size_t column = 0; column < map.columns.size(); ++column)
        for (std::size_t row = 0; row < map.sequences.size(); ++row) {
            const FitMapColumn &at = map.columns[column];
            char headroom[32];
            std::snprintf(headroom, sizeof headroom, "%.4f", map.headroom(column, row));
            csv += std::to_string(at.context.value) + "," + std::to_string(map.sequences[row]) + (map.fits(column, row) ? ",1," : ",0,") + headroom + "," +
                   (at.most ? std::to_string(*at.most) : std::string()) + "\n";
        }
    return csv;
}

} // namespace kv
