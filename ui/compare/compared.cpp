// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compared.h"

#include "ui/language/translate.h"
#include "ui/scenariotabs.h"
#include "ui/words.h"

#include <algorithm>

namespace kv {

namespace {

QString number(std::int64_t n) { return translated(writeNumber(n)); }

std::optional<GpuBar> fullest(const Plan &plan, SizeUnit unit) {
    const GpuBars bars = gpuBars(plan, unit);
    const auto cards = [](const GpuBar &bar) { return !bar.host; };
    std::optional<GpuBar> found;
    for (const GpuBar &bar : bars.bars)
        if (cards(bar) && (!found || bar.figures.free < found->figures.free))
            found = bar;
    return found;
}

ComparedScenario one(const Plan *plan, SizeUnit unit) {
    ComparedScenario made;
    made.counted = plan != nullptr;
    if (!plan)
        return made;
    if (!plan->ok()) {
        made.refusal = translated(*plan->refusal);
        return made;
    }
    made.users = plan->fit.maxSequences;
    made.gpus = plan->gpusInAll;
    made.bar = fullest(*plan, unit);
    return made;
}

} // namespace

QString ComparedScenario::figures() const {
    if (!counted)
        return tr("being counted …");
    if (!refusal.isEmpty())
        return tr("cannot be planned");
    const QString cards = gpus == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(number(gpus));
    if (!users)
        return tr("users without limit · %1").arg(cards);
    return *users == 1 ? tr("1 user · %1").arg(cards) : tr("%1 users · %2").arg(number(*users), cards);
}

QString ComparedScenario::deltaText() const {
    if (baseline || !more)
        return {};
    return *more == 0 ? tr("±0") : *more > 0 ? tr("+%1").arg(number(*more)) : tr("−%1").arg(number(-*more));
}

QString ComparedScenario::sentence() const {
    QStringList parts{name, refusal.isEmpty() ? figures() : refusal};
    if (const QString delta = deltaText(); !delta.isEmpty())
        parts += tr("%1 against the baseline").arg(delta);
    if (baseline)
        parts += tr("the baseline");
    if (current)
        parts += tr("the present one");
    return listed(parts);
}

Bytes Compared::longest() const {
    Bytes longest(1), card(1);
    for (const ComparedScenario &scenario : scenarios)
        if (scenario.bar) {
            longest = std::max({longest, scenario.bar->end(), scenario.bar->figures.memory});
            card = std::max(card, scenario.bar->figures.memory);
        }
    // One that is short by far would leave nothing to see of the others.
    return card > Bytes(1) ? std::min(longest, Bytes(checked::mul(card.value, 2))) : longest;
}

const Plan *PlanCache::find(const Scenario &scenario) const {
    const auto found = std::ranges::find(m_plans, scenario, &std::pair<Scenario, Plan>::first);
    return found == m_plans.end() ? nullptr : &found->second;
}

void PlanCache::put(const Scenario &scenario, Plan plan) {
    if (!find(scenario))
        m_plans.emplace_back(scenario, std::move(plan));
}

void PlanCache::keepOnly(const std::vector<Scenario> &scenarios) {
    std::erase_if(m_plans, [&](const auto &kept) { return std::ranges::find(scenarios, kept.first) == scenarios.end(); });
}

Compared compared(const ScenarioDocument &document, const std::vector<const Plan *> &plans, std::size_t baseline, SizeUnit unit) {
    Compared all;
    all.baseline = std::min(baseline, document.scenarios.size() - 1);
    all.unit = unit;
    const Plan *base = plans[all.baseline];
    const QStringList titles = scenarioTitles(document);
    for (std::size_t i = 0; i < document.scenarios.size(); ++i) {
        ComparedScenario made = one(plans[i], unit);
        made.name = titles.at(static_cast<qsizetype>(i));
        made.baseline = i == all.baseline;
        made.current = i == document.current;
        if (base && base->ok() && base->fit.maxSequences && made.counted && made.refusal.isEmpty() && made.users)
            made.more = *made.users - *base->fit.maxSequences;
        all.scenarios.push_back(std::move(made));
    }
    if (std::ranges::any_of(plans, [](const Plan *plan) { return !plan; }))
        return all;
    std::vector<Plan> copies;
    copies.reserve(plans.size());
    for (const Plan *plan : plans)
        copies.push_back(*plan);
    all.table = compare(document.scenarios, copies, all.baseline, unit);
    for (std::size_t i = 0; i < all.table.names.size(); ++i)
        all.table.names[i] = utf8(all.scenarios[i].name);
    return all;
}

} // namespace kv
