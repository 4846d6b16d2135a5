// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Figures with their units and arrows ("429.5 GB", "10 → 40"), where the window is laid out from right to left: the place is mirrored as
// everything is, the figures read from left to right all the same. Without that Qt would tear a unit from its number and turn an arrow's ends.

#include <QPainter>
#include <QStyle>

namespace kv {

/// As QPainter::drawText in the painter's font and pen, on a single line; `flags` as for a window from left to right.
inline void drawFigure(QPainter &painter, const QRectF &rect, int flags, const QString &text) {
    constexpr int across = Qt::AlignHorizontal_Mask;
    const Qt::LayoutDirection window = painter.layoutDirection();
    const Qt::Alignment side = QStyle::visualAlignment(window, Qt::Alignment(flags & across));
    painter.setLayoutDirection(Qt::LeftToRight);
    painter.drawText(rect, (flags & ~across) | static_cast<int>(side) | Qt::TextSingleLine, text);
    painter.setLayoutDirection(window);
}

} // namespace kv
