// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/fitground.h"

#include "core/plan/evaluate.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr std::int64_t usualTop = 1000, mostTop = 1'000'000;
constexpr std::int64_t mostColumns = 352;

std::optional<std::int64_t> limitOf(const Scenario &scenario) {
    if (scenario.model.spec && scenario.model.spec->maxContext)
        return scenario.model.spec->maxContext->value;
    return std::nullopt;
}

void sortOut(std::vector<Tokens> &contexts, const FitRange &range) {
    std::erase_if(contexts, [&](Tokens context) { return context < range.from || context > range.to; });
    std::ranges::sort(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
}

std::vector<Tokens> contextsFor(const Scenario &scenario, const FitRange &range) {
    const double octaves = std::log2(static_cast<double>(range.to.value) / static_cast<double>(range.from.value));
    std::int64_t perOctave = 32;
    while (perOctave > 4 && octaves * static_cast<double>(perOctave) > mostColumns)
        perOctave /= 2;
    std::vector<Tokens> contexts{range.to, scenario.workload.context};
    for (std::int64_t octave = range.from.value; octave < range.to.value; octave *= 2) {
        const std::int64_t step = std::max<std::int64_t>(1, octave / perOctave);
        for (std::int64_t context = octave; context < octave * 2; context += step)
            contexts.emplace_back(context);
    }
    if (const auto limit = limitOf(scenario)) {
        contexts.emplace_back(*limit);
        contexts.emplace_back(*limit + 1);
    }
    sortOut(contexts, range);
    return contexts;
}

/// A thousand, as on the slider; more where the present count or the boundary at long contexts lies above.
std::int64_t topFor(const Scenario &scenario, const std::vector<FitMapColumn> &columns) {
    std::int64_t top = usualTop;
    const auto limit = limitOf(scenario);
    std::optional<std::int64_t> last;
    for (const FitMapColumn &column : columns)
        if (!column.refused && (!limit || column.context.value <= *limit))
            last = column.most;
    while (last && top < mostTop && top / 2 < *last)
        top *= 10;
    while (top < scenario.workload.sequences.value && top <= std::numeric_limits<std::int64_t>::max() / 10)
        top *= 10;
    return top;
}

} // namespace

const FitMapColumn &FitGround::nearest(Tokens context) const {
    const auto next = std::ranges::lower_bound(columns, context, {}, &FitMapColumn::context);
    if (next == columns.end())
        return columns.back();
    if (next == columns.begin() || next->context == context)
        return *next;
    // Nearer on a logarithmic axis.
    const double low = static_cast<double>((next - 1)->context.value), high = static_cast<double>(next->context.value), at = static_cast<double>(context.value);
    return at * at < low * high ? *(next - 1) : *next;
}

FitGround fitGround(const Scenario &scenario, const Scenario *ghost, const FitRange &range, const std::function<bool()> &goOn) {
    FitGround ground;
    FitMapAxes axes;
    axes.rows = 2;
    axes.contexts = contextsFor(scenario, range);
    if (axes.contexts.size() < 2)
        return ground;
    FitMap map = fitMap(scenario, axes, goOn);
    if (!map.complete)
        return ground;
    ground.range = range;
    if (range.top < 1)
        ground.range.top = topFor(scenario, map.columns);
    ground.columns = std::move(map.columns);
    if (ground.columns.back().refused) {
        Scenario longest = scenario;
        longest.workload.context = ground.columns.back().context;
        if (const Plan plan = evaluateHere(longest); plan.refusal)
            ground.refusal = plan.refusal->text;
    }
    if (ghost) {
        axes.contexts = contextsFor(*ghost, range);
        ground.ghost = fitMap(*ghost, axes, goOn).columns;
    }
    return ground;
}

FitMap roundFitMap(const Scenario &scenario, const FitRange &range) {
    FitMapAxes axes;
    axes.rows = 2;
    axes.contexts = {range.from, range.to, scenario.workload.context};
    for (std::int64_t context = range.from.value; context < range.to.value; context *= 2)
        axes.contexts.emplace_back(context);
    if (const auto limit = limitOf(scenario))
        axes.contexts.emplace_back(*limit);
    sortOut(axes.contexts, range);
    FitMap map = fitMap(scenario, axes);
    std::vector<std::int64_t> counts{scenario.workload.sequences.value};
    for (std::int64_t decade = 1; decade <= range.top; decade *= 10)
        for (const std::int64_t count : {decade, 2 * decade, 5 * decade})
            if (count <= range.top)
                counts.push_back(count);
    std::ranges::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    map.sequences = std::move(counts);
    return map;
}

} // namespace kv
