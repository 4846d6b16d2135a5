// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/fitpicture.h"

#include "core/engine/engines.h"
#include "ui/charts/niceaxis.h"
#include "ui/language/translate.h"
#include "ui/view.h"
#include "ui/words.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

QString number(std::int64_t n) { return translated(writeNumber(n)); }

/// "229 %", "< 1 %", "12,000 %"
QString percentText(double share) {
    if (share > 0 && share < 0.01)
        return QStringLiteral("< 1 %");
    return QStringLiteral("%1 %").arg(number(std::llround(std::min(share, 1e12) * 100)));
}

} // namespace

FitPoint fitPoint(const Scenario &scenario, const Plan &plan) {
    FitPoint point{scenario.workload.context, scenario.workload.sequences.value, plan.fit.fits, std::nullopt};
    if (plan.fit.kvBudget > Bytes(0) && plan.fit.kvBudget.inRange() && plan.kv.total.inRange()) {
        const double share = static_cast<double>(plan.kv.total.value) / static_cast<double>(plan.fit.kvBudget.value);
        // Slots, whole blocks or an unlike replica may decide instead: then a share of the bytes would say the contrary.
        if ((share <= 1) == plan.fit.fits)
            point.share = share;
    }
    return point;
}

FitPicture fitPicture(const Scenario &scenario, const Plan &plan, SizeUnit unit, const Ghost *ghost) {
    FitPicture picture;
    picture.here = fitPoint(scenario, plan);
    picture.unit = unit;
    if (scenario.model.spec)
        picture.modelLimit = scenario.model.spec->maxContext;
    if (const Engine *engine = findEngine(plan.engine.id))
        picture.engine = translated(engine->name());
    if (plan.fit.kvBudget > Bytes(0) && plan.fit.kvBudget.inRange())
        picture.fullText = FitPicture::tr("full: %1").arg(translated(writeBytesShort(plan.fit.kvBudget, unit)));
    if (ghost && ghost->plan.ok()) {
        picture.ghost = fitPoint(ghost->scenario, ghost->plan);
        picture.ghostName = ghost->name;
    }
    return picture;
}

std::size_t FitPicture::firstRefused() const {
    std::size_t first = ground.columns.size();
    while (first > 0 && ground.columns[first - 1].refused)
        --first;
    return first;
}

QString FitPicture::refusedText() const {
    return firstRefused() < ground.columns.size() ? tr("not taken by %1").arg(engine) : QString();
}

QString FitPicture::hereText() const {
    const QString text = tr("%1 × %2").arg(number(here.sequences), number(here.context.value));
    if (here.share)
        return tr("%1 · %2").arg(text, percentText(*here.share));
    return here.fits ? tr("%1 · fits").arg(text) : tr("%1 · does not fit").arg(text);
}

QString FitPicture::description() const {
    if (isEmpty())
        return tr("The map is being counted.");
    const QString load = here.sequences == 1 ? tr("1 sequence of %1 tokens").arg(number(here.context.value))
                                             : tr("%1 sequences of %2 tokens").arg(number(here.sequences), number(here.context.value));
    QStringList parts{here.fits ? tr("%1 fit.").arg(load) : tr("%1 do not fit.").arg(load)};
    if (here.sequences == 1)
        parts = {here.fits ? tr("%1 fits.").arg(load) : tr("%1 does not fit.").arg(load)};
    QStringList most;
    for (std::int64_t context = ground.range.from.value; context <= ground.range.to.value; context *= 4) {
        const FitMapColumn &column = ground.nearest(Tokens(context));
        if (!column.refused)
            most += tr("%1 at %2").arg(column.most ? number(*column.most) : tr("any number"), number(column.context.value));
    }
    if (!most.isEmpty())
        parts += tr("Most sequences that fit: %1 tokens.").arg(listed(most));
    if (const std::size_t first = firstRefused(); first < ground.columns.size())
        parts += tr("From %1 tokens on: %2.").arg(number(ground.columns[first].context.value), refusedText());
    return parts.join(QLatin1Char(' '));
}

QString FitPicture::stepName(Headroom step) {
    switch (step) {
    case Headroom::Plenty: return tr("half or more left");
    case Headroom::Some: return tr("10 to 50 % left");
    case Headroom::Little: return tr("under 10 % left");
    case Headroom::Over: return tr("up to twice too many");
    case Headroom::FarOver: return tr("more than twice");
    }
    return {};
}

Hover FitPicture::hoverAt(const FitMapColumn &column, std::int64_t sequences) const {
    Hover hover;
    hover.title = tr("%1 × %2 tokens").arg(number(sequences), number(column.context.value));
    if (column.refused) {
        hover.lines.append({{}, tr("Not taken by %1").arg(engine), {}, true});
        for (const QString &part : wrappedForBubble(translated(ground.refusal)))
            hover.lines.append({{}, part, {}, false});
        return hover;
    }
    const auto line = [&](const QString &name, const QString &value, bool strong = false) { hover.lines.append({{}, name, value, strong}); };
    if (!column.most) {
        line(tr("Fits"), tr("no limit"), true);
    } else if (sequences <= *column.most) {
        const double left = 1 - static_cast<double>(sequences) / static_cast<double>(*column.most);
        line(tr("Fits, headroom"), tr("%1 · %2 more").arg(sequences == *column.most ? QStringLiteral("0 %") : percentText(left), number(*column.most - sequences)), true);
    } else {
        line(tr("Does not fit"), tr("%1 too many").arg(number(sequences - *column.most)), true);
    }
    if (column.most)
        line(tr("Most sequences here"), number(*column.most));
    line(tr("A sequence, fullest GPU"), translated(writeBytes(column.perSequence, unit)));
    line(QString(), tr("%1 B").arg(number(column.perSequence.value)));
    return hover;
}

ChartTable::Content FitPicture::table() const {
    using Form = ChartTable::Cell::Form;
    ChartTable::Content content{{tr("Context"), tr("Most sequences"), tr("A sequence, fullest GPU"), tr("%1 fit").arg(number(here.sequences))}, {}, unit};
    if (isEmpty())
        return content;
    std::vector<Tokens> contexts{here.context};
    for (std::int64_t context = ground.range.from.value; context <= ground.range.to.value; context *= 2)
        contexts.emplace_back(context);
    if (modelLimit && *modelLimit >= ground.range.from && *modelLimit <= ground.range.to)
        contexts.push_back(*modelLimit);
    std::ranges::sort(contexts);
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    for (const Tokens context : contexts) {
        const FitMapColumn &column = ground.nearest(context);
        if (column.context != context)
            continue;
        const bool fits = !column.refused && (!column.most || here.sequences <= *column.most);
        content.rows.append({{Form::Number, context.value},
                             column.refused ? ChartTable::Cell{Form::Text, 0, tr("not taken")} : column.most ? ChartTable::Cell{Form::Number, *column.most} : ChartTable::Cell{Form::Text, 0, tr("no limit")},
                             column.refused ? ChartTable::Cell{} : ChartTable::Cell{Form::Size, column.perSequence.value},
                             {Form::Text, fits, fits ? tr("yes") : tr("no")}});
    }
    return content;
}

} // namespace kv
