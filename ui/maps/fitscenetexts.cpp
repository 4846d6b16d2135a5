// SPDX-License-Identifier: GPL-3.0-or-later
// Where a FitScene puts its words: in their areas, along the boundary and beside the points, none on another.
#include "ui/charts/labelplacer.h"
#include "ui/maps/fitscene.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

QSizeF sizeOf(const QString &text, const QFont &font) {
    const QFontMetricsF metrics(font);
    return {std::ceil(metrics.horizontalAdvance(text)), std::ceil(metrics.height())};
}

QFont areaFont(const ChartStyle &style) { return style.titleFont; }

QList<QRectF> around(const QPointF &point, const QSizeF &size) {
    QList<QRectF> places;
    for (const double rise : {-1.0, 1.0, -2.2, 2.2})
        for (const double side : {1.0, -1.0})
            places.append(QRectF(QPointF(side > 0 ? point.x() + 11 : point.x() - 11 - size.width(), point.y() + rise * (size.height() / 2 + 4) - size.height() / 2), size));
    return places;
}

} // namespace

void FitScene::put(LabelPlacer &placer, const QList<QRectF> &places, const QString &text, const QColor &colour, const QFont &font) {
    const QRectF rect = placer.place(places);
    m_texts.append({rect, text, colour, font, placer.crossed(rect), false});
}

void FitScene::placeTexts() {
    LabelPlacer placer(m_plot.adjusted(3, 2, -3, -2));
    const QPointF here = at(m_picture.here);
    placer.take(QRectF(here - QPointF(9, 9), QSizeF(18, 18)));
    placer.avoid(QLineF(here.x(), m_plot.top(), here.x(), m_plot.bottom()));
    placer.avoid(QLineF(m_plot.left(), here.y(), m_plot.right(), here.y()));
    placer.avoid(m_boundary);
    placer.avoid(m_ghost);
    placeLimit(placer);
    placePoints(placer);
    placeAreas(placer);
}

/// The edge beyond which nothing is taken, or from which on the model was not made for it.
void FitScene::placeLimit(LabelPlacer &placer) {
    const QColor colour = readable(m_style.mutedText, m_style.free);
    const QString refused = m_picture.refusedText();
    if (!refused.isEmpty()) {
        const QSizeF size = sizeOf(refused, m_style.smallFont);
        const double width = m_plot.right() - m_refusedFrom;
        const QPointF middle((m_refusedFrom + m_plot.right()) / 2, m_plot.center().y());
        placer.take(QRectF(m_refusedFrom, m_plot.top(), width, m_plot.height()));
        if (width >= size.width() + 8)
            m_texts.append({QRectF(middle - QPointF(size.width(), size.height()) / 2, size), refused, colour, m_style.smallFont, false, false});
        else if (width >= size.height() + 2 && m_plot.height() >= size.width() + 8)
            m_texts.append({QRectF(middle - QPointF(size.height(), size.width()) / 2, size.transposed()), refused, colour, m_style.smallFont, false, true});
        return;
    }
    const FitRange &range = m_picture.ground.range;
    if (!m_picture.modelLimit || *m_picture.modelLimit < range.from || *m_picture.modelLimit >= range.to)
        return;
    const QString text = FitPicture::tr("model’s limit");
    const QSizeF size = sizeOf(text, m_style.smallFont);
    const double x = xOf(*m_picture.modelLimit);
    placer.avoid(QLineF(x, m_plot.top(), x, m_plot.bottom()));
    QList<QRectF> places;
    for (const double top : {m_plot.bottom() - size.height() - 3, m_plot.top() + 3, m_plot.bottom() - 2 * size.height() - 6})
        for (const double left : {x + 5, x - 5 - size.width()})
            places.append(QRectF(QPointF(left, top), size));
    put(placer, places, text, m_style.text, m_style.smallFont);
}

void FitScene::placePoints(LabelPlacer &placer) {
    const QString words = m_picture.hereText();
    put(placer, around(at(m_picture.here), sizeOf(words, m_style.boldFont)), words, m_style.text, m_style.boldFont);
    m_texts.last().plate = true; // the number that the map is looked at for
    if (m_picture.ghost && !m_picture.ghostName.isEmpty()) {
        const QFontMetricsF metrics(m_style.smallFont);
        const QString name = metrics.elidedText(m_picture.ghostName, Qt::ElideRight, m_plot.width() * 0.45);
        const QPointF ghost = at(*m_picture.ghost);
        placer.take(QRectF(ghost - QPointF(7, 7), QSizeF(14, 14)));
        put(placer, around(ghost, sizeOf(name, m_style.smallFont)), name, m_style.text, m_style.smallFont);
        m_texts.last().plate = true;
    }
}

void FitScene::placeAreas(LabelPlacer &placer) {
    constexpr double pad = 12;
    const QFont font = areaFont(m_style);
    const auto inArea = [&](const QString &text, bool fits) {
        const QSizeF size = sizeOf(text, font);
        QList<QRectF> places;
        // From the corner that lies deepest in the area; the boundary falls to the right.
        for (const double down : {0.0, 0.3, 0.6})
            for (const double along : {0.0, 0.3, 0.6}) {
                const double room = std::max(0.0, m_refusedFrom - m_plot.left() - size.width() - 2 * pad), drop = std::max(0.0, m_plot.height() - size.height() - 2 * pad);
                const double x = fits ? m_plot.left() + pad + along * room : m_refusedFrom - pad - size.width() - along * room;
                const double y = fits ? m_plot.bottom() - pad - size.height() - down * drop : m_plot.top() + pad + down * drop;
                const QRectF rect(QPointF(x, y), size);
                const bool inside = rect.left() >= m_plot.left() && rect.right() <= m_refusedFrom &&
                                    (fits ? boundaryAt(rect.right()) <= rect.top() - 2 : boundaryAt(rect.left()) >= rect.bottom() + 2);
                if (inside)
                    places.append(rect);
            }
        if (places.isEmpty())
            return;
        const QColor ground = headroomColour(fits ? Headroom::Plenty : Headroom::FarOver, m_style);
        put(placer, places, text, readable(fits ? QColor(0x00, 0x9e, 0x73) : QColor(0xd5, 0x5e, 0x00), ground, 5.5), font);
        if (!fits)
            m_texts.last().plate = true;
    };
    inArea(FitPicture::tr("fits"), true);
    inArea(FitPicture::tr("does not fit"), false);
    if (m_picture.fullText.isEmpty() || m_boundary.size() < 2)
        return;
    const QSizeF size = sizeOf(m_picture.fullText, m_style.boldFont);
    QList<QRectF> places;
    for (const double share : {0.42, 0.3, 0.54, 0.2, 0.66, 0.1, 0.8}) {
        const QPointF on = m_boundary[std::min(m_boundary.size() - 1, static_cast<qsizetype>(share * static_cast<double>(m_boundary.size())))];
        places.append(QRectF(QPointF(on.x() - size.width() - 4, on.y() + 3), size));
        places.append(QRectF(QPointF(on.x() + 6, on.y() - size.height() - 3), size));
    }
    put(placer, places, m_picture.fullText, m_style.text, m_style.boldFont);
    m_texts.last().plate = true;
}

} // namespace kv
