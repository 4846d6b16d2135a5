#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Growth with context": the KV cache of all sequences for each KV type over the context (a logarithmic axis), against the room
// there is for it, with the present scenario marked. A picture of a Sweep and its Plan: it keeps no number of its own.
//
// Where the mouse or the arrow keys are, a bubble gives every curve's exact value; table() has them for screen readers and copying.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/plan/sweep.h"
#include "ui/charts/chartstyle.h"

#include <QWidget>

class QAbstractItemModel;

namespace kv {

class ChartTable;
class GrowthView;

/// A sweep of another scenario over the same axis, and what to call it.
struct GhostSweep {
    QString name;
    Sweep sweep;
};

class GrowthChart : public QWidget {
    Q_OBJECT

public:
    explicit GrowthChart(QWidget *parent = nullptr);
    ~GrowthChart() override;

    using QWidget::show;
    void show(const Sweep &sweep, const Plan &plan, SizeUnit unit, const ChartStyle &style, const GhostSweep *ghost = nullptr);
    /// From the next time shown: a figure that is not told, since it is asked for.
    void keep(std::optional<Bytes> figure) { m_kept = figure; }
    /// Only painted by paintTo(): in the window the title is the tab's. Plain text, never markup.
    void setTitle(const QString &title) { m_title = title; }
    QString title() const { return m_title; }

    /// The whole picture with its title in a rectangle of any size, as shown last, in `style`; independent of the widget's size.
    void paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style = ChartStyle::forExport()) const;
    QAbstractItemModel *table() const;
    /// The numbers in a sentence.
    QString description() const;

private:
    QString m_title;
    std::optional<Bytes> m_kept;
    GrowthView *m_view = nullptr;
    ChartTable *m_table = nullptr;
    ChartStyle m_style;
};

} // namespace kv
