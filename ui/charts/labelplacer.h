#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds places for a chart's texts: of a text's candidates, in the order of preference, the one that lies inside the picture,
// on no other text and on as few curves as can be. Also spreads texts along a line so that they keep a gap.

#include <QLineF>
#include <QList>
#include <QPolygonF>
#include <QRectF>

namespace kv {

class LabelPlacer {
public:
    explicit LabelPlacer(const QRectF &bounds) : m_bounds(bounds) {}

    void avoid(const QPolygonF &curve) { m_curves.append(curve); }
    void avoid(const QLineF &line) { m_curves.append(QPolygonF({line.p1(), line.p2()})); }
    void take(const QRectF &rect) { m_taken.append(rect); }
    /// The best candidate, moved into the picture where none lies inside; it counts as taken from then on.
    QRectF place(const QList<QRectF> &candidates);
    bool crossed(const QRectF &rect) const; ///< by a curve or line

private:
    double cost(const QRectF &rect) const;

    QRectF m_bounds;
    QList<QRectF> m_taken;
    QList<QPolygonF> m_curves;
};

/// Whether the line touches the rectangle.
bool touches(const QLineF &line, const QRectF &rect);

/// Middles for things of the given sizes, near the wanted ones, in their order, at least `gap` apart, within [low, high] as far
/// as they fit there at all.
QList<double> spread(const QList<double> &wanted, const QList<double> &sizes, double gap, double low, double high);

} // namespace kv
