// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/fitscene.h"

#include "ui/controls/logslider.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double lowest = 0.85; ///< where the axis of sequences begins: a mark at 1 stands clear of the edge
constexpr double snapReach = 5; ///< pixels

QColor mixed(const QColor &a, const QColor &b, double share) {
    const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

double logOf(double value) { return std::log(value); }

/// A line through points, cut at two heights. What lies beyond is left out where `drop`, else laid on the edge.
QPolygonF cut(const std::vector<QPointF> &points, double top, double bottom, bool drop) {
    QPolygonF inside;
    const auto held = [&](double y) { return std::clamp(y, top, bottom); };
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0) {
            const QPointF a = points[i - 1], b = points[i];
            QList<double> edges;
            for (const double edge : {top, bottom})
                if ((a.y() < edge) != (b.y() < edge) && a.y() != b.y())
                    edges.append((edge - a.y()) / (b.y() - a.y()));
            std::ranges::sort(edges);
            for (const double share : edges) {
                const QPointF crossing = a + (b - a) * share;
                inside.append({crossing.x(), held(crossing.y())});
            }
        }
        if (!drop || (points[i].y() >= top && points[i].y() <= bottom))
            inside.append({points[i].x(), held(points[i].y())});
    }
    return inside;
}

} // namespace

QColor headroomColour(Headroom step, const ChartStyle &style) {
    const QColor green(0x00, 0x9e, 0x73), amber(0xe6, 0x9f, 0x00), red(0xd5, 0x5e, 0x00);
    const QColor &ground = style.surface;
    switch (step) {
    case Headroom::Plenty: return mixed(ground, green, style.dark ? 0.36 : 0.24);
    case Headroom::Some: return mixed(ground, green, style.dark ? 0.66 : 0.48);
    case Headroom::Little: return mixed(ground, amber, style.dark ? 0.86 : 0.9);
    case Headroom::Over: return mixed(ground, red, style.dark ? 0.40 : 0.36);
    case Headroom::FarOver: return mixed(ground, red, style.dark ? 0.20 : 0.17);
    }
    return ground;
}

QColor headroomHatch(const ChartStyle &style) { return mixed(style.surface, QColor(0xd5, 0x5e, 0x00), style.dark ? 0.62 : 0.6); }

FitScene::FitScene(const FitPicture &picture, const ChartStyle &style, const QSizeF &size) : m_picture(picture), m_style(style), m_size(size) {
    if (picture.isEmpty())
        return;
    const QFontMetricsF small(style.smallFont);
    const double left = std::ceil(small.horizontalAdvance(QStringLiteral("1,000")) + 10), bottom = std::ceil(small.height() * 2 + 10);
    const double right = std::ceil(small.horizontalAdvance(QStringLiteral("0,000k")) / 2);
    m_plot = {left, std::ceil(small.height() / 2), std::max(1.0, size.width() - left - right), std::max(1.0, size.height() - bottom - std::ceil(small.height() / 2))};
    const std::size_t refused = picture.firstRefused();
    m_refusedFrom = refused < picture.ground.columns.size() ? xOf(picture.ground.columns[refused].context) : m_plot.right();
    for (int step = 0; step < headroomSteps - 1; ++step)
        m_areas[step] = area(headroomEnds[step]);
    m_boundary = line(picture.ground.columns);
    m_ghost = line(picture.ground.ghost);
    hatch();
    placeTexts();
}

double FitScene::xOf(Tokens context) const {
    const FitRange &range = m_picture.ground.range;
    const double low = logOf(static_cast<double>(range.from.value)), high = logOf(static_cast<double>(range.to.value));
    return m_plot.left() + (logOf(static_cast<double>(std::max<std::int64_t>(1, context.value))) - low) / (high - low) * m_plot.width();
}

double FitScene::yOf(double sequences) const {
    const double low = logOf(lowest), high = logOf(static_cast<double>(m_picture.ground.range.top));
    return m_plot.bottom() - (logOf(std::max(sequences, 1e-3)) - low) / (high - low) * m_plot.height();
}

QPointF FitScene::at(const FitPoint &point) const {
    return {std::clamp(xOf(point.context), m_plot.left(), m_plot.right()), std::clamp(yOf(static_cast<double>(point.sequences)), m_plot.top(), m_plot.bottom())};
}

Tokens FitScene::contextAt(double x) const {
    const FitRange &range = m_picture.ground.range;
    SliderScale scale = contextScale(range.to.value, m_picture.modelLimit ? std::optional(m_picture.modelLimit->value) : std::nullopt);
    scale.low = range.from.value;
    scale.high = range.to.value;
    return m_picture.ground.nearest(Tokens(scale.valueAt((x - m_plot.left()) / m_plot.width(), snapReach / m_plot.width()))).context;
}

std::int64_t FitScene::sequencesAt(double y) const {
    const double top = static_cast<double>(m_picture.ground.range.top);
    const double exact = std::exp(logOf(lowest) + (m_plot.bottom() - y) / m_plot.height() * (logOf(top) - logOf(lowest)));
    SliderScale scale = sequencesScale(m_picture.ground.range.top);
    scale.low = 1;
    scale.high = m_picture.ground.range.top;
    return scale.valueAt(logOf(std::clamp(exact, 1.0, top)) / logOf(top), snapReach / m_plot.height());
}

/// Through the most of every column, times a factor; where the engine refuses, at the bottom from there on.
std::vector<QPointF> FitScene::curve(const Columns &columns, double times) const {
    std::vector<QPointF> points;
    points.reserve(columns.size() + 2);
    const double below = m_plot.bottom() + 40, above = m_plot.top() - 40;
    for (const FitMapColumn &column : columns) {
        const double x = xOf(column.context);
        if (column.refused && !points.empty() && points.back().y() < below)
            points.emplace_back(x, points.back().y()); // up to the edge of what is taken
        const double y = column.refused ? below : !column.most ? above : *column.most <= 0 ? below : yOf(static_cast<double>(*column.most) * times);
        points.emplace_back(x, y);
    }
    return points;
}

QPolygonF FitScene::area(double times) const {
    QPolygonF polygon = cut(curve(m_picture.ground.columns, times), m_plot.top(), m_plot.bottom(), false);
    polygon.append(m_plot.bottomRight());
    polygon.append(m_plot.bottomLeft());
    return polygon;
}

QPolygonF FitScene::line(const Columns &columns) const {
    std::vector<QPointF> points = curve(columns, 1);
    // Where the engine refuses, the edge of that speaks for itself.
    std::size_t taken = columns.size();
    while (taken > 0 && columns[taken - 1].refused)
        --taken;
    if (taken < columns.size())
        points.resize(std::min(points.size(), taken + 1));
    return cut(points, m_plot.top(), m_plot.bottom(), true);
}

/// Height of the boundary's area at a place, in the plot.
double FitScene::boundaryAt(double x) const {
    const QPolygonF &outline = m_areas[static_cast<int>(Headroom::Little)];
    const auto end = outline.end() - 2; // the two corners at the bottom
    const auto next = std::lower_bound(outline.begin(), end, x, [](const QPointF &point, double place) { return point.x() < place; });
    if (next == outline.begin())
        return next->y();
    if (next == end)
        return (end - 1)->y();
    const QPointF a = *(next - 1), b = *next;
    return b.x() > a.x() ? a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()) : b.y();
}

/// Diagonals over all that does not fit and is taken at all, each cut where it meets the boundary.
void FitScene::hatch() {
    constexpr double gap = 9, pace = 3;
    const double right = m_refusedFrom, reach = m_plot.height();
    for (double start = m_plot.left() - reach; start < right; start += gap) {
        // From the plot's bottom at `start`, up to the right.
        const double from = std::max(start, m_plot.left()), to = std::min(start + reach, right);
        const auto height = [&](double x) { return m_plot.bottom() - (x - start); };
        const auto over = [&](double x) { return height(x) < boundaryAt(x); };
        bool inside = false;
        double open = from;
        for (double x = from;; x = std::min(x + pace, to)) {
            if (const bool now = over(x); now != inside) {
                double low = std::max(from, x - pace), high = x;
                for (int i = 0; i < 12 && x > from; ++i) {
                    const double middle = (low + high) / 2;
                    (over(middle) == now ? high : low) = middle;
                }
                if (inside)
                    m_hatch.append({open, height(open), high, height(high)});
                open = high;
                inside = now;
            }
            if (x >= to)
                break;
        }
        if (inside && to - open > 0.5)
            m_hatch.append({open, height(open), to, height(to)});
    }
}

} // namespace kv
