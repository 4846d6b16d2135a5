// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the fit map shows, as values: the ground with its boundary, the present point, the ghost, and all words. No painting here.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "ui/charts/bubble.h"
#include "ui/charts/charttables.h"
#include "ui/maps/fitground.h"

#include <QCoreApplication>
#include <QString>

namespace kv {

struct Ghost;

struct FitPoint {
    Tokens context;
    std::int64_t sequences = 1;
    bool fits = false;
    std::optional<double> share; ///< of the room for KV that is taken; absent: there is no room, or something else than bytes decides
};

/// How much of what fits is left, in the steps of the shading.
enum class Headroom { Plenty, Some, Little, Over, FarOver };
inline constexpr int headroomSteps = 5;
/// Sequences up to this share of the most that fit belong to the step; the last has no end.
inline constexpr double headroomEnds[headroomSteps - 1]{0.5, 0.9, 1.0, 2.0};

struct FitPicture {
    Q_DECLARE_TR_FUNCTIONS(kv::FitPicture)

public:
    FitGround ground;
    FitPoint here;
    std::optional<FitPoint> ghost;
    QString ghostName;
    std::optional<Tokens> modelLimit;
    QString engine;   ///< its name, for what it does not take
    QString fullText; ///< on the boundary: "full: 450 GB"
    SizeUnit unit = SizeUnit::Decimal;

    bool isEmpty() const { return ground.isEmpty(); }
    /// The first column that the engine refuses and all behind it; columns.size(): none.
    std::size_t firstRefused() const;
    QString refusedText() const;
    QString hereText() const;
    QString description() const;
    /// The exact figures of a cell; without its anchor.
    Hover hoverAt(const FitMapColumn &column, std::int64_t sequences) const;
    ChartTable::Content table() const;
    static QString stepName(Headroom step);
};

FitPoint fitPoint(const Scenario &scenario, const Plan &plan);
/// All but the ground.
FitPicture fitPicture(const Scenario &scenario, const Plan &plan, SizeUnit unit, const Ghost *ghost);

} // namespace kv
