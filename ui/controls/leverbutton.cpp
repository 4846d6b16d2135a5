// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/leverbutton.h"

#include "ui/controls/figuretext.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double barHeight = 5;

double lineHeight(const QFont &font) { return std::ceil(QFontMetricsF(font).height()); }

QFont nameFont(LeverButton::Shape shape) { return scaledFont(shape == LeverButton::Shape::Card ? 1 : 0.96, shape == LeverButton::Shape::Card ? QFont::DemiBold : QFont::Normal); }
QFont figureFont() { return scaledFont(0.96, QFont::DemiBold); }
QFont costFont() { return scaledFont(type::small); }

} // namespace

LeverButton::LeverButton(Shape shape, QWidget *parent) : QPushButton(parent), m_shape(shape) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus); // a click takes the lever and leaves the focus where it was
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    setStatusTip(tr("Point at a lever to see it on the charts, click to take it, Ctrl+Z to go back."));
}

void LeverButton::present(const LeverFace &face) {
    if (face == m_face)
        return;
    m_face = face;
    const QString sign = face.sign == LeverFace::Sign::Fits ? tr(", fits") : face.sign == LeverFace::Sign::FitsNot ? tr(", does not fit") : QString();
    setAccessibleName(QStringLiteral("%1: %2%3").arg(face.name, face.figures, sign));
    setAccessibleDescription(face.sentence);
    setToolTip(plainTip(face.sentence));
    update();
}

void LeverButton::setFaded(bool faded) {
    if (faded == m_faded)
        return;
    m_faded = faded;
    update();
}

QSize LeverButton::sizeHint() const {
    const double texts = lineHeight(nameFont(m_shape)) + lineHeight(costFont());
    const double height = m_shape == Shape::Card ? texts + em(0.8) : texts + barHeight + em(0.75);
    return {em(16), static_cast<int>(std::ceil(height))};
}

QSize LeverButton::minimumSizeHint() const { return {em(8), sizeHint().height()}; }

void LeverButton::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_faded)
        painter.setOpacity(0.5);
    paintGround(painter);
    const double side = m_shape == Shape::Card ? em(0.7) : em(0.35), end = m_shape == Shape::Card ? em(0.4) : em(0.25);
    paintTexts(painter, QRectF(rect()).adjusted(side, end, -side, -end));
}

void LeverButton::paintGround(QPainter &painter) const {
    const Colors &c = colorsOf(palette());
    if (m_shape == Shape::Card) {
        paintField(&painter, rect(), palette(), underMouse(), hasFocus() && m_byKeyboard, isDown());
        return;
    }
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool focus = hasFocus() && m_byKeyboard;
    if (!underMouse() && !focus)
        return;
    painter.setPen(focus ? QPen(c.accent, 2) : QPen(Qt::NoPen));
    painter.setBrush(isDown() ? c.track : c.hover);
    painter.drawRoundedRect(focus ? frame.adjusted(0.5, 0.5, -0.5, -0.5) : frame, cornerRadius, cornerRadius);
}

void LeverButton::paintTexts(QPainter &painter, const QRectF &inner) const {
    const Colors &c = colorsOf(palette());
    const QString sign = m_face.sign == LeverFace::Sign::Fits ? QStringLiteral(" ✓") : m_face.sign == LeverFace::Sign::FitsNot ? QStringLiteral(" ✗") : QString();
    const QString figures = m_face.figures + sign;
    const double figuresWidth = std::ceil(QFontMetricsF(figureFont()).horizontalAdvance(figures)) + 1;
    const double nameHeight = lineHeight(nameFont(m_shape)), costHeight = lineHeight(costFont());
    const bool card = m_shape == Shape::Card;
    const auto text = [&](QRectF rect, int flags, const QFont &font, const QColor &color, const QString &words) {
        painter.setFont(font);
        painter.setPen(color);
        if (layoutDirection() == Qt::RightToLeft)
            rect.moveLeft(inner.left() + inner.right() - rect.right());
        drawFigure(painter, rect, flags | Qt::AlignVCenter, QFontMetricsF(font).elidedText(words, Qt::ElideRight, rect.width() + 0.5));
    };
    const double beside = inner.width() - figuresWidth - em(0.5);
    const QColor figuresColor = m_face.sign == LeverFace::Sign::Fits ? c.goodText : m_face.sign == LeverFace::Sign::FitsNot && card ? c.badText : c.text;
    text({inner.left(), inner.top(), beside, nameHeight}, Qt::AlignLeft, nameFont(m_shape), c.text, m_face.name);
    text({inner.right() - figuresWidth, inner.top(), figuresWidth, card ? inner.height() : nameHeight}, Qt::AlignRight, figureFont(), figuresColor, figures);
    if (card) {
        text({inner.left(), inner.bottom() - costHeight, beside, costHeight}, Qt::AlignLeft, costFont(), c.muted, m_face.cost);
        return;
    }
    const QRectF track(inner.left(), inner.top() + nameHeight + em(0.12), inner.width(), barHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.track);
    painter.drawRoundedRect(track, barHeight / 2, barHeight / 2);
    if (const double gain = std::clamp(m_face.gain, 0.0, 1.0); gain > 0) {
        painter.setBrush(c.good);
        painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(2.0, track.width() * gain), barHeight)), barHeight / 2, barHeight / 2);
    }
    text({inner.left(), inner.bottom() - costHeight, inner.width(), costHeight}, Qt::AlignLeft, costFont(), c.muted, m_face.cost);
}

void LeverButton::enterEvent(QEnterEvent *event) {
    QPushButton::enterEvent(event);
    emit pointedAt(true);
}

void LeverButton::leaveEvent(QEvent *event) {
    QPushButton::leaveEvent(event);
    emit pointedAt(false);
}

void LeverButton::focusInEvent(QFocusEvent *event) {
    m_byKeyboard = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason;
    QPushButton::focusInEvent(event);
    if (m_byKeyboard)
        emit pointedAt(true);
}

void LeverButton::focusOutEvent(QFocusEvent *event) {
    QPushButton::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason)
        emit pointedAt(false);
}

void LeverButton::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QPushButton::keyPressEvent(event);
}

void LeverButton::changeEvent(QEvent *event) {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        updateGeometry();
}

} // namespace kv
