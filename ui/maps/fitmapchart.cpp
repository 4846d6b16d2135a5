// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/fitmapchart.h"

#include "ui/charts/chartlegend.h"
#include "ui/charts/labels.h"
#include "ui/controls/logslider.h"
#include "ui/gesture.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace kv {

QList<LegendEntry> fitLegend(const ChartStyle &style) {
    QList<LegendEntry> entries;
    for (int i = 0; i < headroomSteps; ++i) {
        const auto step = static_cast<Headroom>(i);
        entries.append({FitPicture::stepName(step), headroomColour(step, style), step >= Headroom::Over ? Swatch::Hatched : Swatch::Plain});
    }
    return entries;
}

FitMapChart::FitMapChart(QWidget *parent) : QWidget(parent), m_table(new ChartTable(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Fit map: context against sequences"));
    setWhatsThis(tr("Every place is a context and a number of sequences; the line is the most sequences that fit at each context. Click or drag to plan with "
                    "another place, or step with the arrow keys."));
}

void FitMapChart::show(const FitPicture &picture, const ChartStyle &style) {
    m_picture = picture;
    m_style = style;
    m_scene.reset();
    m_table->show(picture.table());
    if (const QString text = picture.description(); text != accessibleDescription())
        setAccessibleDescription(text);
    update();
}

const FitScene &FitMapChart::scene() {
    if (!m_scene)
        m_scene.emplace(m_picture, m_style, QSizeF(size()));
    return *m_scene;
}

QPointF FitMapChart::placeOf(Tokens context, std::int64_t sequences) { return scene().at({context, sequences, false, {}}); }

void FitMapChart::paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const {
    const QFontMetricsF title(style.titleFont);
    const QString name = tr("Fit map");
    const double beside = title.horizontalAdvance(name) + 24;
    const QList<LegendEntry> legend = fitLegend(style);
    const double head = std::max(std::ceil(title.height()), legendHeight(legend, style, target.width() - beside));
    paintLabel(painter, {target.left(), target.top(), beside, std::ceil(title.height())}, Qt::AlignLeft | Qt::AlignVCenter, name, style.titleFont, style.text);
    paintLegend(painter, {target.left() + beside, target.top(), target.width() - beside, head}, legend, style);
    painter.save();
    painter.translate(target.left(), target.top() + head + 4);
    FitScene(m_picture, style, {target.width(), target.height() - head - 4}).paint(painter);
    painter.restore();
}

QSize FitMapChart::minimumSizeHint() const { return {300, static_cast<int>(std::ceil(QFontMetricsF(m_style.smallFont).height() * 9))}; }

void FitMapChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    scene().paint(painter);
    if (m_pointer && !m_dragging && !m_picture.isEmpty()) {
        const Tokens context = scene().contextAt(m_pointer->x());
        const std::int64_t sequences = scene().sequencesAt(m_pointer->y());
        Hover hover = m_picture.hoverAt(m_picture.ground.nearest(context), sequences);
        hover.anchor = scene().at({context, sequences, false, {}});
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(m_style.text, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(hover.anchor, 4, 4);
        paintBubble(painter, hover, QSizeF(size()), m_style);
    }
    if (m_showFocus) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(m_style.focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void FitMapChart::resizeEvent(QResizeEvent *event) {
    m_scene.reset();
    QWidget::resizeEvent(event);
}

void FitMapChart::setHovered(std::optional<QPointF> position) {
    if (position == m_pointer)
        return;
    m_pointer = position;
    update();
}

void FitMapChart::dragTo(const QPointF &position) { move(scene().contextAt(position.x()).value, scene().sequencesAt(position.y())); }

void FitMapChart::endDrag(bool back) {
    if (!m_dragging)
        return;
    m_dragging = false;
    if (back)
        move(m_before.context.value, m_before.sequences);
    m_gesture = nextGesture();
    emit released();
    update();
}

void FitMapChart::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton || m_picture.isEmpty() || !scene().holds(event->position()))
        return event->ignore();
    m_dragging = true;
    m_gesture = nextGesture();
    m_before = m_picture.here;
    // Taken by the point itself nothing moves yet; elsewhere it comes under the pointer.
    if (QLineF(scene().at(m_picture.here), event->position()).length() > 9)
        dragTo(event->position());
}

void FitMapChart::mouseMoveEvent(QMouseEvent *event) {
    if (m_dragging)
        return dragTo(event->position());
    const bool inside = !m_picture.isEmpty() && scene().holds(event->position());
    setCursor(inside ? Qt::CrossCursor : Qt::ArrowCursor);
    setHovered(inside ? std::optional(event->position()) : std::nullopt);
}

void FitMapChart::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        endDrag(false);
}

void FitMapChart::leaveEvent(QEvent *event) {
    setHovered(std::nullopt);
    QWidget::leaveEvent(event);
}

void FitMapChart::move(std::int64_t context, std::int64_t sequences) {
    setHovered(std::nullopt); // the bubble would stand where the point no longer is
    FitPoint &here = m_picture.here;
    if (here.context.value == context && here.sequences == sequences)
        return;
    // The next key steps from here, though the plan of it is made only when the event loop turns.
    here.context = Tokens(context);
    here.sequences = sequences;
    emit moved(context, sequences, m_gesture);
}

bool FitMapChart::event(QEvent *event) {
    // Escape belongs to the drag while there is one.
    if (event->type() == QEvent::ShortcutOverride && m_dragging && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void FitMapChart::keyPressEvent(QKeyEvent *event) {
    if (m_picture.isEmpty() || (event->modifiers() & ~Qt::KeypadModifier))
        return event->ignore();
    const FitPoint &here = m_picture.here;
    const std::optional<std::int64_t> limit = m_picture.modelLimit ? std::optional(m_picture.modelLimit->value) : std::nullopt;
    const SliderScale contexts = contextScale(here.context.value, limit), counts = sequencesScale(here.sequences);
    switch (event->key()) {
    case Qt::Key_Left: return move(contexts.step(here.context.value, -1), here.sequences);
    case Qt::Key_Right: return move(contexts.step(here.context.value, 1), here.sequences);
    case Qt::Key_Down: return move(here.context.value, counts.step(here.sequences, -1));
    case Qt::Key_Up: return move(here.context.value, counts.step(here.sequences, 1));
    case Qt::Key_PageUp: return move(here.context.value, counts.doubled(here.sequences));
    case Qt::Key_PageDown: return move(here.context.value, counts.halved(here.sequences));
    case Qt::Key_Home: return move(m_picture.ground.range.from.value, here.sequences);
    case Qt::Key_End: return move(limit.value_or(m_picture.ground.range.to.value), here.sequences);
    case Qt::Key_Escape:
        if (m_dragging)
            return endDrag(true);
        if (m_pointer)
            return setHovered(std::nullopt);
        break;
    default: break;
    }
    event->ignore();
}

void FitMapChart::focusInEvent(QFocusEvent *event) {
    m_gesture = nextGesture();
    m_showFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void FitMapChart::focusOutEvent(QFocusEvent *event) {
    endDrag(false);
    m_showFocus = false;
    QWidget::focusOutEvent(event);
    update();
}

} // namespace kv
