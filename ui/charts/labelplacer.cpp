// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/labelplacer.h"

#include <algorithm>
#include <numeric>

namespace kv {

namespace {

QRectF movedInto(QRectF rect, const QRectF &bounds) {
    rect.moveLeft(std::max(bounds.left(), std::min(rect.left(), bounds.right() - rect.width())));
    rect.moveTop(std::max(bounds.top(), std::min(rect.top(), bounds.bottom() - rect.height())));
    return rect;
}

bool crosses(const QPolygonF &curve, const QRectF &rect) {
    for (qsizetype i = 1; i < curve.size(); ++i)
        if (touches(QLineF(curve[i - 1], curve[i]), rect))
            return true;
    return false;
}

} // namespace

bool touches(const QLineF &line, const QRectF &rect) {
    // Liang and Barsky: the part of the line inside all four edges is empty, or it touches.
    double enter = 0, leave = 1;
    const auto cut = [&](double direction, double distance) {
        if (direction == 0)
            return distance >= 0;
        const double at = distance / direction;
        if (direction < 0)
            enter = std::max(enter, at);
        else
            leave = std::min(leave, at);
        return enter <= leave;
    };
    return cut(-line.dx(), line.x1() - rect.left()) && cut(line.dx(), rect.right() - line.x1()) &&
           cut(-line.dy(), line.y1() - rect.top()) && cut(line.dy(), rect.bottom() - line.y1());
}

double LabelPlacer::cost(const QRectF &rect) const {
    double sum = m_bounds.contains(rect) ? 0 : 500;
    for (const QRectF &other : m_taken)
        if (other.intersects(rect))
            sum += 100;
    for (const QPolygonF &curve : m_curves)
        if (crosses(curve, rect))
            sum += 10;
    return sum;
}

bool LabelPlacer::crossed(const QRectF &rect) const {
    return std::ranges::any_of(m_curves, [&](const QPolygonF &curve) { return crosses(curve, rect); });
}

QRectF LabelPlacer::place(const QList<QRectF> &candidates) {
    QRectF best;
    double least = 1e9;
    for (const QRectF &candidate : candidates) {
        const QRectF inside = movedInto(candidate, m_bounds);
        const double tried = cost(inside) + (inside == candidate ? 0 : 5);
        if (tried < least) {
            least = tried;
            best = inside;
        }
    }
    m_taken.append(best);
    return best;
}

QList<double> spread(const QList<double> &wanted, const QList<double> &sizes, double gap, double low, double high) {
    QList<qsizetype> order(wanted.size());
    std::iota(order.begin(), order.end(), qsizetype{0});
    std::stable_sort(order.begin(), order.end(), [&](qsizetype a, qsizetype b) { return wanted[a] < wanted[b]; });
    QList<double> placed = wanted;
    double edge = low;
    for (const qsizetype i : std::as_const(order)) {
        placed[i] = std::max(wanted[i], edge + sizes[i] / 2);
        edge = placed[i] + sizes[i] / 2 + gap;
    }
    edge = high;
    for (auto it = order.crbegin(); it != order.crend(); ++it) {
        placed[*it] = std::min(placed[*it], edge - sizes[*it] / 2);
        edge = placed[*it] - sizes[*it] / 2 - gap;
    }
    return placed;
}

} // namespace kv
