#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts of the painted views. A text that was shaped once is kept with its font, since while a slider is dragged most of a picture's
// texts stand there again with the next step. Belongs to the thread that paints.

#include <QRectF>
#include <QString>

class QColor;
class QFont;
class QPainter;

namespace kv {

/// How far one line of text reaches, in points.
double labelWidth(const QFont &font, const QString &text);
/// One line of text, never markup, that its rectangle does not clip.
void paintLabel(QPainter &painter, const QRectF &rect, int flags, const QString &text, const QFont &font, const QColor &colour);

} // namespace kv
