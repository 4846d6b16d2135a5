#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A distribution on Qt Charts: one area of steps within the limit, one beyond it, the outline of another as a ghost. Axes, marks and
// words are painted. Every bar can be hovered.

#include "ui/charts/chartstyle.h"
#include "ui/charts/distributionpicture.h"

#include <QWidget>

class QPainter;

namespace kv {

class DistributionChart : public QWidget {
    Q_OBJECT

public:
    explicit DistributionChart(const QString &objectName, QWidget *parent = nullptr);
    using QWidget::show;
    void show(const DistributionPicture &picture, const ChartStyle &style);
    const DistributionPicture &picture() const;
    /// As shown last, in a rectangle of any size.
    void paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const;

private:
    class View;
    View *m_view;
};

} // namespace kv
