// SPDX-License-Identifier: GPL-3.0-or-later
// What GrowthView paints itself: grid and axis labels behind the curves; the limit, the marker and all texts before them.
#include "ui/charts/growthview.h"

#include "ui/charts/labels.h"
#include "ui/language/translate.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

double crisp(double at) { return std::floor(at) + 0.5; }

} // namespace

void GrowthView::paintBehind(QPainter &painter) const {
    const ChartStyle &style = chartStyle();
    const QFontMetricsF metrics(style.smallFont);
    if (m_picture.curves.empty() || !m_picture.message.isEmpty()) {
        paintLabel(painter, QRectF({}, area()), Qt::AlignCenter, QFontMetricsF(style.font).elidedText(m_picture.message, Qt::ElideRight, area().width() - 16),
                   style.font, style.mutedText);
        return;
    }
    const QRectF p = plot();
    if (m_picture.modelLimit && *m_picture.modelLimit >= m_picture.from && *m_picture.modelLimit < m_picture.to) {
        const double x = xOf(*m_picture.modelLimit);
        painter.fillRect(QRectF(x, p.top(), p.right() - x, p.height()), style.free);
        painter.setPen(QPen(style.frame, 1));
        painter.drawLine(QPointF(crisp(x), p.top()), QPointF(crisp(x), p.bottom()));
    }
    for (int tick = 0; tick <= m_axis.intervals; ++tick) {
        const double y = p.bottom() - p.height() * tick / m_axis.intervals;
        painter.setPen(style.gridPen);
        if (tick > 0 && tick < m_axis.intervals)
            painter.drawLine(QPointF(p.left(), crisp(y)), QPointF(p.right(), crisp(y)));
        paintLabel(painter, {0, y - metrics.height() / 2, p.left() - 8, metrics.height()}, Qt::AlignRight | Qt::AlignVCenter,
                   translated(m_axis.labelWithUnit(tick)), style.smallFont, style.mutedText);
    }
    painter.setPen(QPen(style.frame, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(QPointF(crisp(p.left()), crisp(p.top())), QPointF(crisp(p.right()), crisp(p.bottom()))));
    const double widest = labelWidth(style.smallFont, QStringLiteral("0,000k")) + 8;
    for (const Tokens context : tokenTicks(m_picture.from, m_picture.to, std::clamp(static_cast<int>(p.width() / widest), 2, 12))) {
        const double x = xOf(context);
        painter.setPen(QPen(style.frame, 1));
        painter.drawLine(QPointF(crisp(x), p.bottom()), QPointF(crisp(x), p.bottom() + 4));
        paintLabel(painter, {x - 40, p.bottom() + 6, 80, metrics.height()}, Qt::AlignHCenter | Qt::AlignTop, translated(writeTokensShort(context)),
                   style.smallFont, style.mutedText);
    }
}

/// Dashed and hollow where the present is drawn through and full.
void GrowthView::paintGhost(QPainter &painter) const {
    const ChartStyle &style = chartStyle();
    const QRectF p = plot();
    const GrowthGhost &ghost = *m_picture.ghost;
    painter.save();
    if (ghost.budget > Bytes{0} && ghost.budget != m_picture.budget && m_axis.holds(ghost.budget)) {
        QPen pen(style.limit, 1, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({2, 4});
        painter.setPen(pen);
        const double y = crisp(yOf(ghost.budget));
        painter.drawLine(QPointF(p.left(), y), QPointF(p.right(), y));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPolygonF pixels;
    for (const QPointF &point : m_ghostLine.data)
        pixels.append(toPixel(point));
    QPen pen(style.text, 2, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(pixels);
    const QPointF here = ghostHere();
    painter.setPen(QPen(style.text, 1.5));
    painter.setBrush(style.surface);
    painter.drawEllipse(here, 5, 5);
    painter.restore();
}

void GrowthView::paintFront(QPainter &painter) const {
    if (m_picture.curves.empty() || !m_picture.message.isEmpty())
        return;
    const ChartStyle &style = chartStyle();
    const QRectF p = plot();
    if (budgetInside()) {
        QPen pen(style.limit, 2, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern({4, 2});
        painter.setPen(pen);
        const double y = std::round(yOf(m_picture.budget));
        painter.drawLine(QPointF(p.left(), y), QPointF(p.right(), y));
    }
    if (m_picture.ghost)
        paintGhost(painter);
    if (hereInside()) {
        const QPointF here(xOf(m_picture.context), yOf(m_picture.here));
        QPen dots(style.text, 1, Qt::CustomDashLine, Qt::FlatCap);
        dots.setDashPattern({3, 3});
        painter.setPen(dots);
        painter.drawLine(QPointF(crisp(here.x()), p.top()), QPointF(crisp(here.x()), p.bottom()));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(style.text, 1.5));
        painter.setBrush(style.kv);
        painter.drawEllipse(here, 6, 6);
    }
    for (const PlacedText &text : m_texts) {
        if (text.crossed) {
            QColor ground = style.surface;
            ground.setAlphaF(0.82F);
            painter.fillRect(text.rect.adjusted(-2, 1, 2, -1), ground);
        }
        paintLabel(painter, text.rect, Qt::AlignLeft | Qt::AlignVCenter, text.text, text.strong ? style.boldFont : style.smallFont, text.colour);
    }
}

void GrowthView::paintHover(QPainter &painter, int point) const {
    const ChartStyle &style = chartStyle();
    const Tokens context = m_stops[static_cast<std::size_t>(point)];
    const double x = xOf(context);
    painter.setPen(QPen(style.mutedText, 1));
    painter.drawLine(QPointF(crisp(x), plot().top()), QPointF(crisp(x), plot().bottom()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const GrowthCurve &curve : m_picture.curves)
        if (const auto value = curve.at(context); value && m_axis.holds(*value)) {
            painter.setPen(QPen(style.surface, 1.5));
            painter.setBrush(style.line(curve.type, curve.current));
            painter.drawEllipse(QPointF(x, yOf(*value)), 4.5, 4.5);
        }
}

} // namespace kv
