// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/hatch.h"

#include <QLineF>
#include <QList>
#include <QPaintEngine>
#include <QPainter>
#include <QPen>
#include <QPixmap>
#include <QPixmapCache>
#include <QRectF>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double hatchPitch = 6;

QList<QLineF> hatchLines(const QRectF &rect, bool crossed) {
    QList<QLineF> lines;
    // Lines x + y = c ("/") cut at the edges; phases follow the page, so that neighbours join.
    const double low = rect.left() + rect.top(), high = rect.right() + rect.bottom();
    for (double c = std::ceil(low / hatchPitch) * hatchPitch; c < high; c += hatchPitch) {
        const double x0 = std::max(rect.left(), c - rect.bottom()), x1 = std::min(rect.right(), c - rect.top());
        lines.append(QLineF(x0, c - x0, x1, c - x1));
    }
    const double least = rect.left() - rect.bottom(), most = rect.right() - rect.top();
    for (double c = std::ceil(least / hatchPitch) * hatchPitch; crossed && c < most; c += hatchPitch) {
        const double x0 = std::max(rect.left(), c + rect.top()), x1 = std::min(rect.right(), c + rect.bottom());
        lines.append(QLineF(x0, x0 - c, x1, x1 - c));
    }
    return lines;
}

/// What the hatch repeats in pixels of the screen, or nothing where a pixel is no whole part of it.
QPixmap hatchTile(const QPen &pen, bool crossed, double scale) {
    constexpr int repeats = 4;
    const double side = hatchPitch * repeats * scale;
    if (side < 8 || side > 400 || side != std::floor(side))
        return {};
    const QString key = QStringLiteral("hatch %1 %2 %3 %4").arg(pen.color().rgba()).arg(pen.widthF()).arg(crossed).arg(scale);
    QPixmap tile;
    if (QPixmapCache::find(key, &tile))
        return tile;
    tile = QPixmap(static_cast<int>(side), static_cast<int>(side));
    tile.setDevicePixelRatio(scale);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(pen);
    constexpr double whole = hatchPitch * repeats;
    painter.drawLines(hatchLines(QRectF(-hatchPitch, -hatchPitch, whole + 2 * hatchPitch, whole + 2 * hatchPitch), crossed)); // ends lie outside
    QPixmapCache::insert(key, tile);
    return tile;
}

} // namespace

/// On a screen from a tile, since hundreds of slanted lines take longer than all else that a bar consists of; elsewhere line by line.
void paintHatch(QPainter &painter, const QRectF &rect, const QPen &pen, bool crossed) {
    if (rect.isEmpty())
        return;
    const QTransform &to = painter.deviceTransform();
    const bool pixels = painter.paintEngine()->type() == QPaintEngine::Raster && to.type() <= QTransform::TxScale && to.m11() == to.m22();
    if (const QPixmap tile = pixels ? hatchTile(pen, crossed, to.m11()) : QPixmap(); !tile.isNull()) {
        painter.save();
        painter.setBrushOrigin(0, 0);
        painter.fillRect(rect, QBrush(tile));
        painter.restore();
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(pen);
    painter.drawLines(hatchLines(rect, crossed));
    painter.restore();
}

} // namespace kv
