// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/logslider.h"

#include "ui/gesture.h"
#include "ui/style.h"
#include "ui/theme.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double thumbRadius = 8;
constexpr double snapReach = 4; // pixels

} // namespace

LogSlider::LogSlider(QWidget *parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LogSlider::setScale(SliderScale scale) {
    m_scale = std::move(scale);
    update();
}

void LogSlider::setValue(std::int64_t value) {
    if (value == m_value)
        return;
    m_value = value;
    update();
    // Spoken at rest, not on each step of a drag.
    if (!m_dragging) {
        QAccessibleValueChangeEvent event(this, QVariant::fromValue<qlonglong>(value));
        QAccessible::updateAccessibility(&event);
    }
}

void LogSlider::setTicksVisible(bool visible) {
    m_ticksVisible = visible;
    updateGeometry();
    update();
}

QString LogSlider::spoken() const { return m_speaker ? m_speaker(m_value) : QString::number(m_value); }

void LogSlider::move(std::int64_t value) {
    const std::int64_t held = std::clamp(value, m_scale.low, std::max(m_scale.high, m_value));
    if (held == m_value)
        return;
    setValue(held);
    emit moved(m_value, m_gesture);
}

QSize LogSlider::sizeHint() const {
    const int labels = m_ticksVisible ? QFontMetrics(scaledFont(type::small)).height() + 1 : 2;
    return {em(12), static_cast<int>(2 * thumbRadius) + 4 + labels};
}

QSize LogSlider::minimumSizeHint() const { return {em(6), sizeHint().height()}; }

QRectF LogSlider::track() const {
    const double inset = thumbRadius + 1;
    return {inset, inset - 1, width() - 2 * inset, 4};
}

double LogSlider::xOf(std::int64_t value) const {
    const QRectF t = track();
    const double f = m_scale.fraction(value);
    return t.left() + (layoutDirection() == Qt::RightToLeft ? 1 - f : f) * t.width();
}

void LogSlider::dragTo(double x) {
    const QRectF t = track();
    double f = (x - m_grip - t.left()) / std::max(1.0, t.width());
    if (layoutDirection() == Qt::RightToLeft)
        f = 1 - f;
    move(m_scale.valueAt(f, snapReach / std::max(1.0, t.width())));
}

void LogSlider::endDrag(bool back) {
    if (!m_dragging)
        return;
    if (back && m_value != m_before) {
        setValue(m_before);
        emit moved(m_value, m_gesture);
    }
    m_dragging = false;
    m_gesture = nextGesture();
    QAccessibleValueChangeEvent event(this, QVariant::fromValue<qlonglong>(m_value));
    QAccessible::updateAccessibility(&event);
    update();
    emit released();
}

bool LogSlider::event(QEvent *event) {
    // Escape belongs to the drag while there is one, not to a dialog or an action.
    if (event->type() == QEvent::ShortcutOverride && m_dragging &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void LogSlider::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintTrack(painter);
    if (m_ticksVisible)
        paintTicks(painter);
    paintThumb(painter);
}

void LogSlider::paintTrack(QPainter &painter) const {
    const Colors &c = colorsOf(palette());
    const QRectF t = track();
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.track);
    painter.drawRoundedRect(t, 2, 2);
    QRectF filled = t;
    if (layoutDirection() == Qt::RightToLeft)
        filled.setLeft(xOf(m_value));
    else
        filled.setRight(xOf(m_value));
    painter.setBrush(isEnabled() ? c.accent : c.muted);
    painter.drawRoundedRect(filled, 2, 2);
    if (m_scale.limit && *m_scale.limit >= m_scale.low && *m_scale.limit <= m_scale.high) {
        const double x = xOf(*m_scale.limit);
        painter.setBrush(c.muted);
        painter.drawRect(QRectF(x - 0.75, t.top() - 5, 1.5, t.height() + 10));
    }
}

void LogSlider::paintThumb(QPainter &painter) const {
    const Colors &c = colorsOf(palette());
    const QPointF middle(xOf(m_value), track().center().y());
    if (hasFocus()) {
        QColor ring = c.accent;
        ring.setAlphaF(0.30F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ring);
        painter.drawEllipse(middle, thumbRadius + 1, thumbRadius + 1);
    }
    const bool hot = m_dragging || underMouse() || hasFocus();
    painter.setPen(QPen(isEnabled() ? c.accent : c.muted, hot ? 2.5 : 2));
    painter.setBrush(c.dark ? c.card : c.field);
    painter.drawEllipse(middle, thumbRadius - 1.5, thumbRadius - 1.5);
}

void LogSlider::paintTicks(QPainter &painter) const {
    const QFont font = scaledFont(type::small);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(colorsOf(palette()).muted);
    const double top = track().bottom() + thumbRadius - 1;
    painter.setLayoutDirection(Qt::LeftToRight); // "25 %" in every window
    double free = -1e9; // where the last label ends, from the left
    std::vector<SliderTick> ticks = m_scale.ticks;
    if (layoutDirection() == Qt::RightToLeft)
        std::ranges::reverse(ticks);
    for (const SliderTick &tick : ticks) {
        const double w = metrics.horizontalAdvance(tick.label);
        const double x = std::clamp(xOf(tick.value) - w / 2, 0.0, std::max(0.0, width() - w));
        if (x < free)
            continue;
        painter.drawText(QPointF(x, top + metrics.ascent()), tick.label);
        free = x + w + 4;
    }
}

void LogSlider::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_dragging = true;
    m_gesture = nextGesture();
    m_before = m_value;
    const double x = event->position().x();
    const double off = x - xOf(m_value);
    // Taken by the thumb it stays under the pointer as it was taken; elsewhere it comes there.
    m_grip = std::abs(off) <= thumbRadius ? off : 0;
    if (m_grip == 0)
        dragTo(x);
    update();
}

void LogSlider::mouseMoveEvent(QMouseEvent *event) {
    if (m_dragging)
        dragTo(event->position().x());
}

void LogSlider::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        endDrag(false);
}

void LogSlider::keyPressEvent(QKeyEvent *event) {
    const auto step = [this](int direction) { return m_scale.step ? m_scale.step(m_value, direction) : m_scale.high - m_value < direction ? m_value : m_value + direction; };
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    switch (event->key()) {
    case Qt::Key_Left:
        return move(step(mirrored ? 1 : -1));
    case Qt::Key_Right:
        return move(step(mirrored ? -1 : 1));
    case Qt::Key_Down:
        return move(step(-1));
    case Qt::Key_Up:
        return move(step(1));
    case Qt::Key_PageUp:
        return move(m_scale.doubled(m_value));
    case Qt::Key_PageDown:
        return move(m_scale.halved(m_value));
    case Qt::Key_Home:
        return move(m_scale.low);
    case Qt::Key_End:
        return move(m_scale.high);
    case Qt::Key_Escape:
        if (m_dragging)
            return endDrag(true);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void LogSlider::wheelEvent(QWheelEvent *event) {
    // Without the focus the wheel scrolls the column and must not change a number on its way.
    if (!hasFocus())
        return event->ignore();
    m_wheel += event->angleDelta().y();
    while (std::abs(m_wheel) >= 120) {
        const int direction = m_wheel > 0 ? 1 : -1;
        m_wheel -= direction * 120;
        move(m_scale.step ? m_scale.step(m_value, direction) : m_value + direction);
    }
    event->accept();
}

void LogSlider::focusInEvent(QFocusEvent *event) {
    m_gesture = nextGesture();
    QWidget::focusInEvent(event);
}

void LogSlider::focusOutEvent(QFocusEvent *event) {
    endDrag(false);
    QWidget::focusOutEvent(event);
}

void LogSlider::changeEvent(QEvent *event) {
    if (event->type() == QEvent::ApplicationFontChange)
        updateGeometry();
    QWidget::changeEvent(event);
}

} // namespace kv
