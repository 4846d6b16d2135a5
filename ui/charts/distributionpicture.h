#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a chart of a distribution shows, as values: bars of equal width over an axis, marks on it, and the words. Two are made here: of the
// lengths of requests (a logarithmic axis), and of what the sequences in flight take together, against the room. No painting here.

#include "core/base/quantity.h"
#include "core/plan/inflight.h"
#include "core/workload/lengths.h"

#include <QCoreApplication>
#include <QPointF>
#include <QString>

#include <vector>

namespace kv {

struct DistributionBar {
    double from = 0, to = 0; ///< on the axis
    double share = 0;
    QString title;           ///< "2,048 to 2,435 tokens"
    bool beyond = false;     ///< past the limit
    bool operator==(const DistributionBar &) const = default;
};

struct DistributionMark {
    enum class Kind { Percentile, Mean, Limit };
    double at = 0;
    QString name, value; ///< "p99", "40,000"
    Kind kind = Kind::Percentile;
    bool operator==(const DistributionMark &) const = default;
};

struct DistributionTick {
    double at = 0;
    QString label;
    bool operator==(const DistributionTick &) const = default;
};

struct DistributionPicture {
    Q_DECLARE_TR_FUNCTIONS(kv::DistributionPicture)

public:
    QString title;
    QString of; ///< what a share is of: "requests", "cases"
    double low = 0, high = 1;
    std::vector<DistributionBar> bars;
    std::vector<DistributionMark> marks;
    std::vector<DistributionTick> ticks;
    std::vector<QPointF> ghost; ///< outline of another distribution, in shares
    QString message;            ///< instead of all, where there is nothing to draw
    QString description;

    double highest() const; ///< share of the highest bar or ghost
    bool operator==(const DistributionPicture &) const = default;
};

/// A stretch of an axis that stays while the data moves inside it and fills enough of it.
struct SteadyRange {
    double low = 0, high = 0;
    /// Takes the data in, and what is marked beside it; false where nothing changed.
    bool hold(double from, double to);
};

/// `context` cuts the lengths; `ghost` may be null.
DistributionPicture lengthsPicture(const Lengths &lengths, std::int64_t context, const Lengths *ghost);
DistributionPicture totalPicture(const InFlight &flight, SizeUnit unit, const InFlight *ghost, SteadyRange &range);

} // namespace kv
