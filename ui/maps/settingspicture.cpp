// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/settingspicture.h"

#include "core/weights/weighttypes.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <algorithm>

namespace kv {

namespace {

QString number(std::int64_t n) { return translated(writeNumber(n)); }

/// "FP8 (E4M3)": the short part.
QString shortName(std::string_view label) {
    const QString name = words(label);
    const qsizetype bracket = name.indexOf(QLatin1String(" ("));
    return bracket > 0 ? name.left(bracket) : name;
}

/// Whether a scenario with this split is planned as the plan is.
bool splitLike(const Scenario &scenario, const Plan &plan) {
    if (plan.gpus.empty() || scenario.hardware.count.value != plan.gpusInAll)
        return false;
    const GpuPlan &last = plan.gpus.back();
    const std::int64_t pp = scenario.parallel.pp.value_or(Count(1)).value, dp = scenario.parallel.dp.value_or(Count(1)).value;
    const std::int64_t tp = scenario.parallel.tp.value_or(Count(scenario.hardware.count.value / std::max<std::int64_t>(1, pp * dp))).value;
    return tp == last.tp + 1 && pp == last.pp + 1;
}

} // namespace

std::int64_t mostGpusFor(const Scenario &scenario) {
    constexpr std::int64_t usual = 16, most = 1024;
    std::int64_t gpus = usual;
    while (gpus < most && gpus < scenario.hardware.count.value * 2)
        gpus *= 2;
    return gpus;
}

SettingsPicture settingsPicture(const Scenario &scenario, const Plan &plan, std::shared_ptr<const SettingsMap> map) {
    SettingsPicture picture;
    picture.sequences = scenario.workload.sequences.value;
    picture.context = scenario.workload.context.value;
    if (!scenario.hardware.devices.empty())
        picture.message = SettingsPicture::tr("Unlike cards are not varied here: the map counts cards of one kind.");
    picture.map = std::move(map);
    if (picture.isEmpty()) {
        if (picture.map && picture.message.isEmpty())
            picture.message = SettingsPicture::tr("There are no settings to vary here.");
        return picture;
    }
    for (const ElementType cache : picture.map->caches)
        picture.caches.push_back(shortName(info(cache).label));
    for (const std::string &type : picture.map->weights) {
        const WeightType *known = findWeightType(type);
        picture.weights.push_back(known ? shortName(known->label) : plan.weights.scheme.empty() ? SettingsPicture::tr("stored") : translated(plan.weights.scheme));
    }
    for (std::size_t i = 0; i < picture.map->cells.size(); ++i) {
        const SettingsCell &cell = picture.map->cells[i];
        if (cell.gpus == plan.gpusInAll && cell.cache == plan.kv.types.key && plan.kv.types.key == plan.kv.types.value && cell.weights == scenario.weights.dtype && splitLike(cell.scenario, plan))
            picture.present = i;
    }
    return picture;
}

QString SettingsPicture::gpusText(std::int64_t gpus) const { return gpus == 1 ? tr("1 GPU") : tr("%1 GPUs").arg(number(gpus)); }

QString SettingsPicture::cellText(std::size_t index, bool brief) const {
    const SettingsCell &at = cell(index);
    if (!at.taken)
        return brief ? tr("–") : tr("not taken");
    if (!at.users)
        return brief ? tr("✓ any") : tr("✓ no limit");
    if (*at.users < 1)
        return brief ? tr("no") : tr("no: no room");
    const QString count = number(*at.users);
    if (brief)
        return at.fits ? tr("✓ %1").arg(count) : tr("✕ %1").arg(count);
    const QString users = *at.users == 1 ? tr("1 user") : tr("%1 users").arg(count);
    return at.fits ? tr("✓ %1").arg(users) : tr("no: %1").arg(users);
}

QString SettingsPicture::cellName(std::size_t index) const {
    const std::size_t weight = index % map->weights.size(), cache = index / map->weights.size() % map->caches.size();
    return tr("%1 · %2 cache · %3 weights").arg(gpusText(cell(index).gpus), caches[cache], weights[weight]);
}

QString SettingsPicture::loadText() const { return tr("%1 × %2 tokens").arg(number(sequences), number(context)); }

QString SettingsPicture::cheapestText() const {
    if (isEmpty())
        return {};
    return map->cheapest ? tr("Cheapest that fits: %1").arg(cellName(*map->cheapest)) : tr("Nothing here fits %1").arg(loadText());
}

QString SettingsPicture::takeText(std::size_t index) const {
    const std::size_t weight = index % map->weights.size(), cache = index / map->weights.size() % map->caches.size();
    const SettingsCell *now = present ? &cell(*present) : nullptr;
    QStringList parts;
    if (!now || cell(index).gpus != now->gpus)
        parts += gpusText(cell(index).gpus);
    if (!now || cell(index).cache != now->cache)
        parts += tr("%1 cache").arg(caches[cache]);
    if (!now || cell(index).weights != now->weights)
        parts += tr("%1 weights").arg(weights[weight]);
    return tr("Take %1").arg(parts.isEmpty() ? gpusText(cell(index).gpus) : listed(parts));
}

QString SettingsPicture::description() const {
    if (isEmpty())
        return message.isEmpty() ? tr("The map is being counted.") : message;
    QString text = tr("How many sequences of %1 tokens fit, by GPUs and types; %2 are planned. %3.").arg(number(context), number(sequences), cheapestText());
    if (present)
        text += QLatin1Char(' ') + tr("Now: %1, %2.").arg(cellName(*present), cellText(*present, false));
    return text;
}

Hover SettingsPicture::hoverAt(std::size_t index) const {
    const SettingsCell &at = cell(index);
    Hover hover;
    hover.title = cellName(index);
    const auto line = [&](const QString &name, const QString &value = {}, bool strong = false) { hover.lines.append({{}, name, value, strong}); };
    if (!at.taken) {
        for (const QString &part : wrappedForBubble(translated(at.why)))
            line(part);
        return hover;
    }
    line(at.fits ? tr("✓ %1 sequences fit").arg(number(sequences)) : tr("✕ %1 sequences do not fit").arg(number(sequences)), {}, true);
    line(tr("Most sequences"), at.users ? number(*at.users) : tr("no limit"));
    if (at.users && at.users >= sequences && sequences > 0)
        line(tr("Room for"), tr("%1 more").arg(number(*at.users - sequences)));
    if (map->cheapest == index)
        line(tr("The cheapest that fits"));
    line(present == index ? tr("These are the present settings") : tr("Click or Enter: %1").arg(takeText(index)));
    return hover;
}

ChartTable::Content SettingsPicture::table() const {
    using Form = ChartTable::Cell::Form;
    ChartTable::Content content{{tr("GPUs")}, {}, SizeUnit::Decimal};
    if (isEmpty())
        return content;
    for (const QString &weight : weights)
        for (const QString &cache : caches)
            content.headers.append(tr("%1 weights, %2 cache").arg(weight, cache));
    for (std::size_t row = 0; row < rows(); ++row) {
        QList<ChartTable::Cell> cells{{Form::Number, map->gpus[row]}};
        for (std::size_t weight = 0; weight < weights.size(); ++weight)
            for (std::size_t cache = 0; cache < caches.size(); ++cache) {
                const std::size_t index = (row * caches.size() + cache) * weights.size() + weight;
                cells.append({Form::Text, cell(index).users.value_or(-1), cellText(index, false)});
            }
        content.rows.append(cells);
    }
    return content;
}

void takeSettings(Scenario &scenario, const SettingsCell &cell) {
    scenario.hardware.count = cell.scenario.hardware.count;
    scenario.parallel = cell.scenario.parallel;
    scenario.kv = cell.scenario.kv;
    scenario.weights = cell.scenario.weights;
}

} // namespace kv
