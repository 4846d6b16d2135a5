#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Memory of each GPU": a bar for every GPU, or for every group of alike ones, with what lies in its memory, a legend of what
// occurs, and what is short drawn beyond the card's limit. A picture of a Plan: it keeps no number of its own.
//
// Where the mouse or the arrow keys are, a bubble gives the exact figures; table() has them for screen readers and copying.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "ui/charts/chartstyle.h"

#include <QWidget>

#include <memory>

class QAbstractItemModel;
class QHBoxLayout;
class QLabel;

namespace kv {

class ChartLegend;
class ChartTable;
class GpuView;

class GpuChart : public QWidget {
    Q_OBJECT

public:
    explicit GpuChart(QWidget *parent = nullptr);
    ~GpuChart() override;

    using QWidget::show;
    /// `ghost`: the plan of another scenario, drawn beside this one under its name.
    void show(const Plan &plan, SizeUnit unit, const ChartStyle &style, const Plan *ghost = nullptr, const QString &ghostName = {});
    /// From the next time shown: a figure that is not told, since it is asked for.
    void keep(std::optional<Bytes> figure) { m_kept = figure; }
    /// Plain text, never markup: "Memory of each GPU · vLLM 0.24".
    void setTitle(const QString &title);
    QString title() const { return m_title; }
    /// Beyond this height there is nothing more to draw: a few bars do not grow into walls.
    int tallest() const;
    /// Leaves room at the upper right, in points, for what stands there in the window; pictures need none.
    void keepCorner(const QSize &size);
    /// Marks a share of each bar's KV, as one kind of layers holds it; 0: none.
    void lightShare(double share, const QString &name);

    /// The whole picture with title and legend in a rectangle of any size, as shown last, in `style`; independent of the widget's size.
    void paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style = ChartStyle::forExport()) const;
    /// What paintTo() fills at this width, with every bar at its thickest.
    double pictureHeight(double width, const ChartStyle &style) const;
    QAbstractItemModel *table() const;
    /// The numbers in a sentence.
    QString description() const;

private:
    QString m_title;
    std::optional<Bytes> m_kept;
    QHBoxLayout *m_header = nullptr;
    QLabel *m_titleLabel = nullptr;
    ChartLegend *m_legend = nullptr;
    GpuView *m_view = nullptr;
    ChartTable *m_table = nullptr;
    ChartStyle m_style;
};

} // namespace kv
