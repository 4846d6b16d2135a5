#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Slanted lines over what a colour alone would not tell apart: what stays in reserve, what is short.

class QPainter;
class QPen;
class QRectF;

namespace kv {

/// Diagonal lines across `rect`, one way or both; their places follow the page, so that neighbours join. In a vector picture they are lines
/// that no clip has to cut.
void paintHatch(QPainter &painter, const QRectF &rect, const QPen &pen, bool crossed);

} // namespace kv
