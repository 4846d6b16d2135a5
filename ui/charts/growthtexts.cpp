// SPDX-License-Identifier: GPL-3.0-or-later
// Where GrowthView puts its texts, so that none lies on another, on a curve if it can be helped, or outside the picture.
#include "ui/charts/growthview.h"

#include "ui/charts/labelplacer.h"
#include "ui/charts/labels.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double gap = 6;

/// Beside a point, the nearest places first: upper left, lower left, upper right, lower right, then farther off.
QList<QRectF> around(const QPointF &point, const QSizeF &size) {
    QList<QRectF> places;
    for (const double away : {1.0, 2.6, 4.2, 6.0}) {
        const double dx = 10, dy = away * size.height() / 2 + 4;
        for (const double side : {-1.0, 1.0})
            for (const double rise : {1.0, -1.0}) {
                const double x = side < 0 ? point.x() - dx - size.width() : point.x() + dx;
                places.append({x, point.y() + rise * dy - size.height() / 2, size.width(), size.height()});
            }
    }
    return places;
}

/// On a horizontal line, above or below it, from the left to the right.
QList<QRectF> along(double y, double left, double right, const QSizeF &size) {
    QList<QRectF> places;
    for (const double top : {y - size.height() - 3, y + 3})
        for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
            places.append({left + 8 + share * std::max(0.0, right - left - 16 - size.width()), top, size.width(), size.height()});
    return places;
}

} // namespace

/// Names, curves, the point that is planned and the limit keep their place.
void GrowthView::holdFree(LabelPlacer &inside) const {
    for (const PlacedText &text : m_texts)
        inside.take(text.rect);
    for (const Line &line : m_lines) {
        QPolygonF pixels;
        for (const QPointF &point : line.data)
            pixels.append(toPixel(point));
        inside.avoid(pixels);
    }
    const QPointF here(xOf(m_picture.context), yOf(m_picture.here));
    if (hereInside()) {
        inside.take(QRectF(here - QPointF(8, 8), QSizeF(16, 16)));
        inside.avoid(QLineF(here.x(), plot().top(), here.x(), plot().bottom()));
    }
    if (budgetInside())
        inside.avoid(QLineF(plot().left(), yOf(m_picture.budget), plot().right(), yOf(m_picture.budget)));
}

void GrowthView::placeTexts() {
    m_texts.clear();
    if (m_picture.curves.empty() || !m_picture.message.isEmpty())
        return;
    const ChartStyle &style = chartStyle();
    const QFontMetricsF bold(style.boldFont);
    const auto sizeOf = [](const QFont &font, const QString &text) { return QSizeF(std::ceil(labelWidth(font, text)), std::ceil(QFontMetricsF(font).height())); };
    LabelPlacer placer(QRectF({}, area()));
    placeNames(placer);
    LabelPlacer inside(plot().adjusted(2, 1, -2, -1));
    holdFree(inside);

    const QString limit = bold.elidedText(m_picture.budgetText(budgetAbove()), Qt::ElideRight, plot().width() - 16);
    const double limitY = budgetInside() ? yOf(m_picture.budget) : budgetAbove() ? plot().top() : plot().bottom();
    const auto put = [&](const QList<QRectF> &places, const QString &text, const QColor &colour, bool strong) {
        const QRectF rect = inside.place(places);
        m_texts.append({rect, text, colour, strong, inside.crossed(rect)});
    };
    put(along(limitY, plot().left(), plot().right(), sizeOf(style.boldFont, limit)), limit, style.limitText, true);

    const QString hereText = m_picture.hereText();
    const QPointF here(xOf(m_picture.context), yOf(m_picture.here));
    const QPointF anchor(std::clamp(here.x(), plot().left(), plot().right()), std::clamp(here.y(), plot().top(), plot().bottom()));
    put(around(anchor, sizeOf(style.boldFont, hereText)), hereText, style.text, true);

    if (m_picture.modelLimit && *m_picture.modelLimit >= m_picture.from && *m_picture.modelLimit < m_picture.to) {
        const QString text = tr("model’s limit");
        const QSizeF size = sizeOf(style.smallFont, text);
        const double x = xOf(*m_picture.modelLimit), bottom = plot().bottom() - size.height() - 2, top = plot().top() + 2;
        QList<QRectF> places;
        for (const double y : {bottom, top, bottom - size.height() - gap})
            for (const double left : {x + gap, x - gap - size.width()})
                places.append({left, y, size.width(), size.height()});
        put(places, text, style.mutedText, false);
    }
    // The ghost comes last, so that nothing else moves out of its way.
    if (m_picture.ghost) {
        const QString ghost = bold.elidedText(m_picture.ghostText(), Qt::ElideMiddle, plot().width() * 0.6);
        inside.take(QRectF(ghostHere() - QPointF(7, 7), QSizeF(14, 14)));
        put(around(ghostHere(), sizeOf(style.boldFont, ghost)), ghost, style.text, true);
        m_texts.last().crossed = true;
        const double y = yOf(m_picture.ghost->budget); // its room may run through what is written on the present one
        for (PlacedText &text : m_texts)
            text.crossed = text.crossed || (text.rect.top() < y && y < text.rect.bottom());
    }
}

/// A curve's name stands to the right of its end, or over the plot where it leaves at the top.
void GrowthView::placeNames(LabelPlacer &placer) {
    const QFontMetricsF metrics(chartStyle().boldFont);
    const double height = std::ceil(metrics.height());
    QList<double> wanted[2], sizes[2];
    QList<qsizetype> curves[2];
    QList<QString> names;
    for (qsizetype i = 0; i < static_cast<qsizetype>(m_picture.curves.size()); ++i) {
        const Line &line = m_lines[i];
        names.append(metrics.elidedText(m_picture.curves[static_cast<std::size_t>(i)].label, Qt::ElideRight, area().width() - plot().right() - 10));
        if (line.data.isEmpty())
            continue;
        const QPointF end = toPixel(line.data.last());
        const int over = line.cut ? 1 : 0;
        curves[over].append(i);
        wanted[over].append(over ? end.x() : end.y());
        sizes[over].append(over ? std::ceil(labelWidth(chartStyle().boldFont, names.last())) : height);
    }
    const QList<double> ys = spread(wanted[0], sizes[0], 0, plot().top() - 2, plot().bottom() + height / 2);
    const QList<double> xs = spread(wanted[1], sizes[1], 8, plot().left(), area().width() - 1);
    const auto put = [&](qsizetype i, const QRectF &rect) {
        const GrowthCurve &curve = m_picture.curves[static_cast<std::size_t>(i)];
        m_texts.append({rect, names[i], chartStyle().asText(chartStyle().line(curve.type, curve.current))});
        placer.take(rect);
    };
    for (qsizetype k = 0; k < curves[0].size(); ++k)
        put(curves[0][k], {plot().right() + 8, ys[k] - height / 2, std::ceil(labelWidth(chartStyle().boldFont, names[curves[0][k]])), height});
    for (qsizetype k = 0; k < curves[1].size(); ++k)
        put(curves[1][k], {xs[k] - sizes[1][k] / 2, plot().top() - height - 2, sizes[1][k], height});
}

} // namespace kv
