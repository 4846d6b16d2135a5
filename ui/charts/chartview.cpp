// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chartview.h"

#include "ui/language/translate.h"

#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QPaintEngine>
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
    // Whatever changes here asks for the whole picture anyway. The scene would ask for what it changed once more, after that was painted.
    setViewportUpdateMode(QGraphicsView::NoViewportUpdate);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void ChartView::place(const QSizeF &size) {
    m_area = size;
    m_placedScale = pixelsPerPoint();
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
        text = listed(parts);
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
    m_exportScale = painter.paintEngine()->type() == QPaintEngine::Raster ? painter.deviceTransform().m11() : 4;
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
    if (!m_exporting && m_placedScale != pixelsPerPoint()) // on another screen now
        QMetaObject::invokeMethod(this, &ChartView::relayout, Qt::QueuedConnection);
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
        paintBubble(*painter, hoverAt(m_hovered), m_area, m_style);
    }
    if (m_showFocus) {
        painter->setPen(QPen(m_style.focus, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF({}, m_area).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

void ChartView::paintHover(QPainter &, int) const {}

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
    QGraphicsView::resizeEvent(event); // NOLINT(bugprone-parent-virtual-call): see above
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
