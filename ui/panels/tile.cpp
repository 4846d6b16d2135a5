// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tile.h"

#include "ui/controls/figuretext.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

namespace kv {

namespace {

/// The font, set smaller until the text fits, down to two thirds.
QFont fitted(QFont font, const QString &text, double room) {
    const double size = font.pointSizeF() > 0 ? font.pointSizeF() : font.pixelSize();
    for (double factor = 1; factor > 0.66; factor -= 0.04) {
        if (font.pointSizeF() > 0)
            font.setPointSizeF(size * factor);
        else
            font.setPixelSize(qRound(size * factor));
        if (QFontMetricsF(font).horizontalAdvance(text) <= room)
            break;
    }
    return font;
}

void drawFitted(QPainter &painter, const QRectF &rect, int flags, const QFont &font, const QString &text) {
    const QFont smaller = fitted(font, text, rect.width());
    painter.setFont(smaller);
    drawFigure(painter, rect, flags, QFontMetricsF(smaller).elidedText(text, Qt::ElideRight, rect.width() + 0.5));
}

} // namespace

Tile::Tile(const QString &objectName, QWidget *parent) : Card(parent) {
    setObjectName(objectName);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void Tile::present(const Figure &figure, const QString &ghost) {
    if (figure == m_figure && ghost == m_ghost)
        return;
    m_figure = figure;
    m_ghost = ghost;
    setAccessibleName(figure.name + joint(": ") + figure.value);
    setAccessibleDescription(figure.detail);
    setToolTip(plainTip(figure.tip));
    update();
}

void Tile::setArrangement(Arrangement arrangement) {
    if (arrangement == m_arrangement)
        return;
    m_arrangement = arrangement;
    updateGeometry();
    update();
}

bool Tile::fitsBeside(int width) const {
    constexpr double leastFactor = 0.8;
    const double name = QFontMetricsF(scaledFont(type::caption)).horizontalAdvance(m_figure.name);
    const double value = QFontMetricsF(scaledFont(type::figure * 0.94, QFont::DemiBold)).horizontalAdvance(m_figure.value);
    return name + value * leastFactor + em(0.3) <= width - 2 * em(0.6) - 2;
}

QSize Tile::sizeHint() const {
    const int small = QFontMetrics(scaledFont(type::small)).height();
    const int figure = QFontMetrics(scaledFont(type::figure, QFont::DemiBold)).height();
    const int caption = QFontMetrics(scaledFont(type::caption)).height();
    switch (m_arrangement) {
    case Arrangement::Side:
        return {em(11), figure + em(1)};
    case Arrangement::Stacked:
        return {em(7), em(0.4) + caption + em(0.15) + figure + em(0.4)};
    case Arrangement::Upright:
        break;
    }
    return {em(7), em(0.5) + caption + em(0.28) + figure + em(0.22) + small + em(0.55)};
}

QSize Tile::minimumSizeHint() const { return {em(4), sizeHint().height()}; }

void Tile::paintEvent(QPaintEvent *event) {
    Card::paintEvent(event);
    QPainter painter(this);
    const double side = em(0.6);
    const bool stacked = m_arrangement == Arrangement::Stacked;
    const double end = em(stacked ? 0.4 : 0.5);
    const QRectF inner = QRectF(rect()).adjusted(side, end, -side, -end);
    if (m_arrangement == Arrangement::Side)
        paintSide(painter, inner);
    else
        paintUpright(painter, inner);
}

void Tile::paintUpright(QPainter &painter, const QRectF &inner) const {
    const Colors &c = colorsOf(palette());
    const QFont captionFont = scaledFont(type::caption), valueFont = scaledFont(type::figure, QFont::DemiBold);
    const double captionHeight = QFontMetricsF(captionFont).height(), valueHeight = QFontMetricsF(valueFont).height();
    painter.setPen(c.muted);
    drawFitted(painter, {inner.left(), inner.top(), inner.width(), captionHeight}, Qt::AlignLeft | Qt::AlignVCenter, captionFont, m_figure.name);
    painter.setPen(m_figure.bad ? c.badText : c.text);
    const bool stacked = m_arrangement == Arrangement::Stacked;
    drawFitted(painter, {inner.left(), inner.top() + captionHeight + em(stacked ? 0.15 : 0.28), inner.width(), valueHeight},
               Qt::AlignLeft | Qt::AlignVCenter, valueFont, m_figure.value);
    if (stacked)
        return;
    painter.setPen(m_ghost.isEmpty() ? c.muted : c.accentText);
    const double top = inner.top() + captionHeight + valueHeight + em(0.5);
    drawFitted(painter, {inner.left(), top, inner.width(), inner.bottom() - top + em(0.1)}, Qt::AlignLeft | Qt::AlignVCenter,
               scaledFont(type::small, m_ghost.isEmpty() ? QFont::Normal : QFont::DemiBold), m_ghost.isEmpty() ? m_figure.detail : m_ghost);
}

void Tile::paintSide(QPainter &painter, const QRectF &inner) const {
    const Colors &c = colorsOf(palette());
    const QFont valueFont = scaledFont(type::figure * 0.94, QFont::DemiBold), nameFont = scaledFont(type::caption);
    const double nameWidth = std::min(QFontMetricsF(nameFont).horizontalAdvance(m_figure.name) + 2, inner.width() * 0.6);
    painter.setPen(c.muted);
    const auto place = [&](const QRectF &rect) { return layoutDirection() == Qt::LeftToRight ? rect : QRectF(inner.left() + inner.right() - rect.right(), rect.top(), rect.width(), rect.height()); };
    drawFitted(painter, place({inner.left(), inner.top(), nameWidth, inner.height()}), Qt::AlignLeft | Qt::AlignVCenter, nameFont, m_figure.name);
    painter.setPen(m_figure.bad ? c.badText : c.text);
    drawFitted(painter, place(inner.adjusted(nameWidth + em(0.3), 0, 0, 0)), Qt::AlignRight | Qt::AlignVCenter, valueFont, m_figure.value);
    const double room = inner.width() - nameWidth - QFontMetricsF(valueFont).horizontalAdvance(m_figure.value) - em(0.9);
    const QFont ghostFont = scaledFont(type::small, QFont::DemiBold);
    if (m_ghost.isEmpty() || QFontMetricsF(ghostFont).horizontalAdvance(m_ghost) > room)
        return;
    painter.setPen(c.accentText);
    painter.setFont(ghostFont);
    drawFigure(painter, place(QRectF(inner.left() + nameWidth + em(0.3), inner.top(), room, inner.height())), Qt::AlignRight | Qt::AlignVCenter, m_ghost);
}

void Tile::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu;
    const QString text = m_figure.tip.isEmpty() ? m_figure.value : m_figure.tip;
    menu.addAction(tr("Copy “%1”").arg(m_figure.value), [this] { QGuiApplication::clipboard()->setText(m_figure.value); });
    menu.addAction(tr("Copy Exact Figure"), [text] { QGuiApplication::clipboard()->setText(text); });
    menu.exec(event->globalPos());
}

} // namespace kv
