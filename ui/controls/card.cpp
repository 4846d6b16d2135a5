// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/card.h"

#include "ui/style.h"
#include "ui/theme.h"

#include <QPainter>
#include <QPainterPath>

namespace kv {

Card::Card(QWidget *parent) : QWidget(parent) {}

void Card::setStripe(const QColor &color) {
    if (color == m_stripe)
        return;
    m_stripe = color;
    update();
}

void Card::paintEvent(QPaintEvent *) {
    const Colors &c = colorsOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath path;
    path.addRoundedRect(frame, cornerRadius, cornerRadius);
    painter.fillPath(path, c.card);
    if (m_stripe.isValid()) {
        // The left end of the same rounded shape, so that the stripe keeps the card's corners. No clip: SVG has none.
        const double w = 6, r = cornerRadius;
        QPainterPath stripe(QPointF(w, 0));
        stripe.lineTo(r, 0);
        stripe.quadTo(0, 0, 0, r);
        stripe.lineTo(0, height() - r);
        stripe.quadTo(0, height(), r, height());
        stripe.lineTo(w, height());
        stripe.closeSubpath();
        painter.setPen(QPen(c.border, 1));
        painter.drawPath(path);
        painter.fillPath(stripe, m_stripe);
        return;
    }
    painter.setPen(QPen(c.border, 1));
    painter.drawPath(path);
}

} // namespace kv
