#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chart's legend: swatches with names, in as many lines as the width asks for, right-aligned. Painted by one function, so
// that the widget and an exported picture agree. Names are drawn as they are, never as markup.

#include "ui/charts/chartstyle.h"

#include <QList>
#include <QRectF>
#include <QString>
#include <QWidget>

namespace kv {

enum class Swatch { Plain, Hatched, Crossed, Copies };

struct LegendEntry {
    QString name;
    QColor colour;
    Swatch swatch = Swatch::Plain;
    bool operator==(const LegendEntry &) const = default;
};

/// Two sheets, one upon the other: something that is there twice.
void paintCopies(QPainter &painter, const QRectF &rect, const ChartStyle &style);

double legendHeight(const QList<LegendEntry> &entries, const ChartStyle &style, double width);
void paintLegend(QPainter &painter, const QRectF &rect, const QList<LegendEntry> &entries, const ChartStyle &style);

class ChartLegend : public QWidget {
    Q_OBJECT

public:
    explicit ChartLegend(QWidget *parent = nullptr);

    using QWidget::show;
    void show(const QList<LegendEntry> &entries, const ChartStyle &style);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QList<LegendEntry> m_entries;
    ChartStyle m_style;
};

} // namespace kv
