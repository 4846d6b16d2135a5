#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the chart of growth with context shows, as values: its curves, its words and its axes' ranges. No painting here.
//
// Curves that are the same number for number (two types of one width) are one curve with both names. Values are exact at the
// Sweep's points; between two of them a curve is a straight line in tokens.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/plan/sweep.h"

#include <QCoreApplication>
#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace kv {

struct GrowthCurve {
    QString label; ///< "FP8", "FP8 · INT8"
    ElementType type{};
    bool current = false;
    std::vector<SweepPoint> points;

    /// Absent outside the curve's points.
    std::optional<Bytes> at(Tokens context) const;
    bool operator==(const GrowthCurve &other) const;
};

/// Another scenario over the same axes, drawn dashed: never what the axes are made for.
struct GrowthGhost {
    QString name; ///< "FP8 cache"
    GrowthCurve curve;
    Bytes budget, here;
    Tokens context;

    bool operator==(const GrowthGhost &other) const;
};

struct GrowthPicture {
    Q_DECLARE_TR_FUNCTIONS(kv::GrowthPicture)

public:
    std::vector<GrowthCurve> curves; ///< the present one last: it lies on the others
    SizeUnit unit = SizeUnit::Decimal;
    Bytes budget, here;
    Tokens context, from, to;
    std::optional<Tokens> modelLimit;
    std::int64_t gpus = 1;
    QString message; ///< instead of curves, where there is nothing to draw
    std::optional<Bytes> kept{}; ///< a figure that is asked for: "?" stands in its place
    std::optional<GrowthGhost> ghost;

    const GrowthCurve *present() const;
    Bytes highest() const; ///< of all curves in the range
    /// What the size axis has to hold: the room for KV and the present scenario with some air, or the curves where they stay far
    /// below the room. Curves may leave the picture at its top.
    Bytes wanted() const;
    QString budgetText(bool above) const; ///< above: the room ends beyond the picture's top
    QString hereText() const;
    QString hereFigure() const;
    QString ghostText() const; ///< "FP8 cache · 214.7 GB"
    QString description() const;
    bool operator==(const GrowthPicture &other) const;
};

GrowthPicture growthPicture(const Sweep &sweep, const Plan &plan, SizeUnit unit);
/// The present curve of a sweep of another scenario; nothing where a figure is out of range.
std::optional<GrowthGhost> growthGhost(const QString &name, const Sweep &sweep);

} // namespace kv
