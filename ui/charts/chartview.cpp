// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chartview.h"

#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>

#include <algorithm>
#include <cmath>

namespace kv {

ChartView::ChartView(QWidget *parent) : QChartView(parent) {
    QChart *c = chart();
    c->setAnimationOptions(QChart::NoAnimation);
    c->setBackgroundVisible(false);
    c->setPlotAreaBackgroundVisible(false);
    c->setMargins({});
    c->layout()->setContentsMargins(0, 0, 0, 0);
    c->legend()->hide();
    c->setMinimumSize(0, 0);
    setRubberBand(QChartView::NoRubberBand);
    setInteractive(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void ChartView::place(const QSizeF &size) {
    m_area = size;
    preparing(size);
    m_plot = plotFor(size);
    if (chart()->size() != size)
        chart()->resize(size);
    if (sceneRect() != QRectF({}, size))
        setSceneRect(QRectF({}, size));
    chart()->layout()->activate();
    if (chart()->plotArea() != m_plot)
        chart()->setPlotArea(m_plot);
    placed();
}

void ChartView::relayout() {
    if (m_hovered >= points())
        m_hovered = -1;
    place(m_exporting ? m_area : QSizeF(viewport()->size()));
    describe();
    viewport()->update();
}

void ChartView::describe() {
    QString text = summary();
    if (m_hovered >= 0) {
        const Hover hover = hoverAt(m_hovered);
        QStringList parts{hover.title};
        for (const HoverLine &line : hover.lines)
            parts.append(QStringLiteral("%1 %2").arg(line.name, line.value));
        text = parts.join(QStringLiteral(", "));
    }
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

void ChartView::setHovered(int point) {
    const int valid = point >= 0 && point < points() ? point : -1;
    if (valid == m_hovered)
        return;
    m_hovered = valid;
    describe();
    viewport()->update();
}

void ChartView::paintTo(QPainter &painter, const QRectF &target) {
    m_exporting = true;
    place(target.size());
    painter.save();
    painter.translate(target.topLeft());
    painter.setRenderHint(QPainter::Antialiasing, renderHints().testFlag(QPainter::Antialiasing));
    paintBehind(painter);
    painter.save();
    scene()->render(&painter, QRectF({}, m_area), QRectF({}, m_area), Qt::IgnoreAspectRatio);
    painter.restore();
    paintFront(painter);
    painter.restore();
    m_exporting = false;
}

void ChartView::drawBackground(QPainter *painter, const QRectF &) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    paintBehind(*painter);
    painter->restore();
}

void ChartView::drawForeground(QPainter *painter, const QRectF &) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    paintFront(*painter);
    if (m_hovered >= 0) {
        paintHover(*painter, m_hovered);
        paintBubble(*painter, hoverAt(m_hovered));
    }
    if (m_showFocus) {
        painter->setPen(QPen(m_style.focus, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF({}, m_area).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void ChartView::paintHover(QPainter &, int) const {}

void ChartView::paintLabel(QPainter &painter, const QRectF &rect, int flags, const QString &text, const QFont &font,
                           const QColor &colour) const {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(rect, flags | Qt::TextSingleLine | Qt::TextDontClip, text);
}

void ChartView::paintBubble(QPainter &painter, const Hover &hover) const {
    const QFontMetricsF metrics(m_style.smallFont), bold(m_style.boldFont);
    constexpr double pad = 8, gap = 14;
    const double line = std::ceil(metrics.height() * 1.15), swatch = std::round(metrics.ascent() * 0.75);
    double names = 0, values = 0;
    for (const HoverLine &l : hover.lines) {
        names = std::max(names, swatch + 6 + std::max(metrics.horizontalAdvance(l.name), bold.horizontalAdvance(l.name)));
        values = std::max(values, std::max(metrics.horizontalAdvance(l.value), bold.horizontalAdvance(l.value)));
    }
    const double width = std::ceil(std::max(bold.horizontalAdvance(hover.title), names + gap + values) + 2 * pad);
    const double height = std::ceil(line * static_cast<double>(hover.lines.size() + 1) + 2 * pad - 2);
    double x = hover.anchor.x() + gap;
    if (x + width > m_area.width())
        x = hover.anchor.x() - gap - width;
    x = std::clamp(x, 0.0, std::max(0.0, m_area.width() - width));
    const double y = std::clamp(hover.anchor.y() - height / 2, 0.0, std::max(0.0, m_area.height() - height));
    const QRectF box(std::round(x), std::round(y), width, height);

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(m_style.frame.darker(m_style.dark ? 80 : 120), 1));
    painter.setBrush(m_style.surface);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QRectF row(box.left() + pad, box.top() + pad - 1, width - 2 * pad, line);
    paintLabel(painter, row, Qt::AlignLeft | Qt::AlignVCenter, hover.title, m_style.boldFont, m_style.text);
    for (const HoverLine &l : hover.lines) {
        row.translate(0, line);
        if (l.swatch.isValid())
            painter.fillRect(QRectF(row.left(), std::round(row.center().y() - swatch / 2), swatch, swatch), l.swatch);
        const QFont &font = l.strong ? m_style.boldFont : m_style.smallFont;
        paintLabel(painter, row.adjusted(swatch + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, l.name, font, m_style.text);
        paintLabel(painter, row, Qt::AlignRight | Qt::AlignVCenter, l.value, font, m_style.text);
    }
}

int ChartView::stepped(int key) const {
    const int last = points() - 1;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Up: return m_hovered < 0 ? last : std::max(0, m_hovered - 1);
    case Qt::Key_Right:
    case Qt::Key_Down: return std::min(last, m_hovered + 1);
    case Qt::Key_Home: return 0;
    case Qt::Key_End: return last;
    default: return -1;
    }
}

// The base classes would resize the view to the chart's wishes, look up scene items under the mouse and eat the wheel.
void ChartView::resizeEvent(QResizeEvent *event) {
    QGraphicsView::resizeEvent(event);
    relayout();
}

void ChartView::mousePressEvent(QMouseEvent *event) { event->ignore(); }
void ChartView::mouseReleaseEvent(QMouseEvent *event) { event->ignore(); }
void ChartView::mouseDoubleClickEvent(QMouseEvent *event) { event->ignore(); }
void ChartView::wheelEvent(QWheelEvent *event) { event->ignore(); }

void ChartView::mouseMoveEvent(QMouseEvent *event) {
    setHovered(points() > 0 ? nearest(event->position()) : -1);
    event->ignore();
}

void ChartView::leaveEvent(QEvent *event) {
    setHovered(-1);
    QChartView::leaveEvent(event);
}

void ChartView::keyPressEvent(QKeyEvent *event) {
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    if (plain && event->key() == Qt::Key_Escape && m_hovered >= 0) {
        setHovered(-1);
        return;
    }
    const int next = plain && points() > 0 ? stepped(event->key()) : -1;
    if (next >= 0)
        setHovered(next);
    else
        event->ignore();
}

void ChartView::focusInEvent(QFocusEvent *event) {
    m_showFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                  event->reason() == Qt::ShortcutFocusReason;
    QChartView::focusInEvent(event);
    viewport()->update();
}

void ChartView::focusOutEvent(QFocusEvent *event) {
    m_showFocus = false;
    setHovered(-1);
    QChartView::focusOutEvent(event);
    viewport()->update();
}

} // namespace kv
