// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/growthpicture.h"

#include "core/base/elementtype.h"
#include "ui/charts/niceaxis.h"
#include "ui/language/translate.h"

#include <QStringList>

#include <algorithm>

namespace kv {

namespace {

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

bool samePoints(const std::vector<SweepPoint> &a, const std::vector<SweepPoint> &b) {
    return std::ranges::equal(a, b, [](const SweepPoint &x, const SweepPoint &y) { return x.context == y.context && x.total == y.total; });
}

bool usable(const SweepPoint &point) { return point.context >= Tokens{1} && point.total.inRange(); }

} // namespace

std::optional<Bytes> GrowthCurve::at(Tokens context) const {
    const auto next = std::ranges::lower_bound(points, context, {}, &SweepPoint::context);
    if (next == points.end())
        return std::nullopt;
    if (next->context == context)
        return next->total;
    if (next == points.begin())
        return std::nullopt;
    const SweepPoint &before = *(next - 1);
    const std::int64_t rise = (next->total - before.total).value;
    const std::int64_t part = checked::mulDiv(rise, (context - before.context).value, (next->context - before.context).value);
    return before.total + Bytes(part);
}

bool GrowthCurve::operator==(const GrowthCurve &other) const {
    return label == other.label && type == other.type && current == other.current && samePoints(points, other.points);
}

bool GrowthGhost::operator==(const GrowthGhost &other) const {
    return name == other.name && curve == other.curve && budget == other.budget && here == other.here && context == other.context;
}

bool GrowthPicture::operator==(const GrowthPicture &other) const {
    return curves == other.curves && unit == other.unit && budget == other.budget && here == other.here && context == other.context &&
           from == other.from && to == other.to && modelLimit == other.modelLimit && gpus == other.gpus && message == other.message && kept == other.kept && ghost == other.ghost;
}

GrowthPicture growthPicture(const Sweep &sweep, const Plan &plan, SizeUnit unit) {
    GrowthPicture picture;
    picture.unit = unit;
    picture.budget = sweep.budget;
    picture.here = sweep.here;
    picture.context = sweep.context;
    picture.from = std::max(Tokens{1}, sweep.from);
    picture.to = sweep.to;
    picture.modelLimit = sweep.modelLimit;
    picture.gpus = plan.gpusInAll;
    if (plan.refusal) {
        picture.message = GrowthPicture::tr("Nothing to draw: %1").arg(translated(*plan.refusal));
        return picture;
    }
    if (!sweep.budget.inRange() || !sweep.here.inRange() || picture.to <= picture.from) {
        picture.message = GrowthPicture::tr("A figure is out of range.");
        return picture;
    }
    for (const SweepCurve &curve : sweep.curves) {
        GrowthCurve made{fromUtf8(info(curve.type).label), curve.type, curve.current, {}};
        std::ranges::copy_if(curve.points, std::back_inserter(made.points), usable);
        const auto twin = std::ranges::find_if(picture.curves, [&](const GrowthCurve &c) { return samePoints(c.points, made.points); });
        if (twin == picture.curves.end()) {
            picture.curves.push_back(std::move(made));
        } else if (twin->label != made.label) {
            twin->label += QStringLiteral(" · ") + made.label;
            if (made.current)
                twin->type = made.type;
            twin->current |= made.current;
        }
    }
    std::ranges::stable_sort(picture.curves, {}, &GrowthCurve::current);
    if (picture.curves.empty())
        picture.message = GrowthPicture::tr("No curve to draw.");
    return picture;
}

std::optional<GrowthGhost> growthGhost(const QString &name, const Sweep &sweep) {
    const auto own = std::ranges::find_if(sweep.curves, [](const SweepCurve &curve) { return curve.current; });
    if (own == sweep.curves.end() || !sweep.budget.inRange() || !sweep.here.inRange())
        return std::nullopt;
    GrowthGhost ghost{name, {name, own->type, false, {}}, sweep.budget, sweep.here, sweep.context};
    std::ranges::copy_if(own->points, std::back_inserter(ghost.curve.points), usable);
    return ghost.curve.points.empty() ? std::nullopt : std::optional(std::move(ghost));
}

const GrowthCurve *GrowthPicture::present() const {
    const auto found = std::ranges::find_if(curves, &GrowthCurve::current);
    return found != curves.end() ? &*found : curves.empty() ? nullptr : &curves.back();
}

Bytes GrowthPicture::highest() const {
    Bytes most;
    for (const GrowthCurve &curve : curves)
        for (const SweepPoint &point : curve.points)
            if (point.context >= from && point.context <= to)
                most = std::max(most, point.total);
    return most;
}

Bytes GrowthPicture::wanted() const {
    const auto times = [](Bytes bytes, std::int64_t tenths) {
        const Bytes product(checked::mulDiv(bytes.value, tenths, 10));
        return product.inRange() ? product : bytes;
    };
    const Bytes top = highest(), base = std::max(budget, here);
    if (base <= Bytes{0} || top < times(budget, 3))
        return times(std::max(top, here), 11);
    return std::min(times(base, 16), std::max(top, times(base, 11)));
}

QString GrowthPicture::budgetText(bool above) const {
    const QString where = gpus == 1 ? tr("on 1 GPU") : tr("on %1 GPUs").arg(translated(writeNumber(gpus)));
    if (budget < Bytes{0})
        return tr("no room for KV %1: %2 short without any").arg(where, translated(writeBytesShort(-budget, unit)));
    if (budget == Bytes{0})
        return tr("no room for KV %1").arg(where);
    const QString text = tr("%1 left for KV %2").arg(translated(writeBytesShort(budget, unit)), where);
    return above ? tr("↑ %1, above this picture").arg(text) : text;
}

QString GrowthPicture::hereFigure() const { return kept == here ? QStringLiteral("?") : translated(writeBytes(here, unit)); }

QString GrowthPicture::hereText() const {
    const QString text = tr("you are here · %1").arg(hereFigure());
    if (context < from)
        return QStringLiteral("← ") + text;
    return context > to ? text + QStringLiteral(" →") : text;
}

QString GrowthPicture::ghostText() const {
    return ghost ? QStringLiteral("%1 · %2").arg(ghost->name, translated(writeBytes(ghost->here, unit))) : QString();
}

QString GrowthPicture::description() const {
    if (!message.isEmpty())
        return message;
    QStringList parts;
    if (const GrowthCurve *now = present())
        parts.append(tr("At %1 tokens the KV cache takes %2 as %3.").arg(translated(writeNumber(context.value)), hereFigure(), now->label));
    QStringList others;
    for (const GrowthCurve &curve : curves)
        if (const auto value = curve.at(context); value && &curve != present())
            others.append(tr("%1 as %2").arg(translated(writeBytes(*value, unit)), curve.label));
    if (!others.isEmpty())
        parts.append(tr("It would take %1.").arg(listed(others)));
    QString room = budgetText(false);
    room[0] = room[0].toUpper();
    parts.append(room + joint("."));
    if (modelLimit)
        parts.append(tr("The model’s limit is %1 tokens.").arg(translated(writeNumber(modelLimit->value))));
    if (ghost)
        parts.append(tr("With %1 it would take %2 of %3.").arg(ghost->name, translated(writeBytes(ghost->here, unit)), translated(writeBytes(ghost->budget, unit))));
    return parts.join(QLatin1Char(' '));
}

} // namespace kv
