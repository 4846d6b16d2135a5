#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bubble that every chart shows beside what the mouse or the keys are on: a title and lines of a name and a figure, with a
// swatch where the line has a colour in the chart. It stays inside the chart and takes the side that has room for it.

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>

class QPainter;

namespace kv {

struct ChartStyle;

struct HoverLine {
    QColor swatch; ///< invalid: none
    QString name, value;
    bool strong = false;
};

struct Hover {
    QPointF anchor; ///< the bubble stands beside it
    QString title;
    QList<HoverLine> lines;
};

/// A sentence in lines that a bubble can hold, cut with "…" where it is very long.
QStringList wrappedForBubble(const QString &sentence);
/// Inside a chart that reaches from the origin to `area`.
void paintBubble(QPainter &painter, const Hover &hover, const QSizeF &area, const ChartStyle &style);

} // namespace kv
