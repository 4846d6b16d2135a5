// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/settingsgrid.h"

#include "ui/charts/chartlegend.h"
#include "ui/charts/hatch.h"
#include "ui/charts/labels.h"
#include "ui/maps/fitscene.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double gap = 2, groupGap = 8, tallest = 44;

/// The step of the shading that a cell's most sequences put the planned ones in.
Headroom stepOf(const SettingsCell &cell, std::int64_t sequences) {
    if (!cell.users)
        return Headroom::Plenty;
    const double share = *cell.users > 0 ? static_cast<double>(sequences) / static_cast<double>(*cell.users) : 1e9;
    for (int step = 0; step < headroomSteps - 1; ++step)
        if (share <= headroomEnds[step])
            return static_cast<Headroom>(step);
    return Headroom::FarOver;
}

} // namespace

SettingsGrid::SettingsGrid(const SettingsPicture &picture, const ChartStyle &style, const QSizeF &size) : m_picture(picture), m_style(style), m_size(size) {
    const QFontMetricsF small(style.smallFont), bold(style.boldFont);
    m_line = std::ceil(small.height() * 1.2);
    m_left = std::ceil(bold.horizontalAdvance(QStringLiteral("1,024 GPUs")) + 8);
    m_top = 2 * m_line + 4;
    if (picture.isEmpty())
        return;
    const double gaps = groupGap * static_cast<double>(picture.weights.size() - 1);
    m_width = std::max(1.0, (size.width() - m_left - gaps) / static_cast<double>(picture.columns()));
    m_height = std::clamp((size.height() - m_top - m_line - 6) / static_cast<double>(picture.rows()), 1.0, tallest);
    double widest = 0;
    for (std::size_t i = 0; i < picture.map->cells.size(); ++i)
        widest = std::max(widest, bold.horizontalAdvance(picture.cellText(i, false)));
    m_brief = widest + 10 > m_width;
}

std::size_t SettingsGrid::indexAt(std::size_t row, std::size_t column) const {
    const std::size_t caches = m_picture.caches.size(), weights = m_picture.weights.size();
    return (row * caches + column % caches) * weights + column / caches;
}

std::size_t SettingsGrid::columnOf(std::size_t index) const {
    const std::size_t caches = m_picture.caches.size(), weights = m_picture.weights.size();
    return index % weights * caches + index / weights % caches;
}

QRectF SettingsGrid::rectOf(std::size_t row, std::size_t column) const {
    const std::size_t group = column / m_picture.caches.size();
    const double x = m_left + static_cast<double>(column) * m_width + groupGap * static_cast<double>(group);
    const double left = std::round(x), top = std::round(m_top + static_cast<double>(row) * m_height);
    return {left, top, std::round(x + m_width - gap) - left, std::round(m_top + static_cast<double>(row + 1) * m_height - gap) - top};
}

void SettingsGrid::paint(QPainter &painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_picture.isEmpty()) {
        const QString text = m_picture.message.isEmpty() ? SettingsPicture::tr("The map is being counted …") : m_picture.message;
        paintLabel(painter, QRectF({}, m_size), Qt::AlignCenter, QFontMetricsF(m_style.font).elidedText(text, Qt::ElideRight, m_size.width() - 16), m_style.font, m_style.mutedText);
    } else {
        paintHeads(painter);
        for (std::size_t row = 0; row < m_picture.rows(); ++row)
            for (std::size_t column = 0; column < m_picture.columns(); ++column)
                paintCell(painter, row, column);
        paintFoot(painter);
    }
    painter.restore();
}

void SettingsGrid::paintHeads(QPainter &painter) const {
    const QFontMetricsF bold(m_style.boldFont), small(m_style.smallFont);
    const std::size_t caches = m_picture.caches.size();
    for (std::size_t weight = 0; weight < m_picture.weights.size(); ++weight) {
        const QRectF group = rectOf(0, weight * caches).united(rectOf(0, weight * caches + caches - 1));
        const QString whole = SettingsPicture::tr("%1 weights").arg(m_picture.weights[weight]);
        const QString name = bold.horizontalAdvance(whole) <= group.width() ? whole : m_picture.weights[weight];
        paintLabel(painter, {group.left(), 0, group.width(), m_line}, Qt::AlignCenter, bold.elidedText(name, Qt::ElideRight, group.width()), m_style.boldFont, m_style.text);
        for (std::size_t cache = 0; cache < caches; ++cache) {
            const QRectF cell = rectOf(0, weight * caches + cache);
            const QString long_ = SettingsPicture::tr("%1 cache").arg(m_picture.caches[cache]);
            const QString text = small.horizontalAdvance(long_) <= cell.width() ? long_ : m_picture.caches[cache];
            paintLabel(painter, {cell.left(), m_line, cell.width(), m_line}, Qt::AlignCenter, small.elidedText(text, Qt::ElideRight, cell.width()), m_style.smallFont, m_style.mutedText);
        }
    }
    for (std::size_t row = 0; row < m_picture.rows(); ++row) {
        const QRectF cell = rectOf(row, 0);
        paintLabel(painter, {0, cell.top(), m_left - 8, cell.height()}, Qt::AlignRight | Qt::AlignVCenter, m_picture.gpusText(m_picture.map->gpus[row]), m_style.boldFont, m_style.text);
    }
}

void SettingsGrid::paintCell(QPainter &painter, std::size_t row, std::size_t column) const {
    const QRectF rect = rectOf(row, column);
    const std::size_t index = indexAt(row, column);
    const SettingsCell &cell = m_picture.cell(index);
    const QColor ground = cell.taken ? headroomColour(stepOf(cell, m_picture.sequences), m_style) : m_style.free;
    painter.fillRect(rect, ground);
    const QString text = QFontMetricsF(m_style.boldFont).elidedText(m_picture.cellText(index, m_brief), Qt::ElideRight, rect.width() - 4);
    if (cell.taken && !cell.fits) {
        paintHatch(painter, rect, QPen(headroomHatch(m_style), 1), false);
        const double width = QFontMetricsF(m_style.boldFont).horizontalAdvance(text) + 6;
        painter.fillRect(QRectF(rect.center().x() - width / 2, rect.center().y() - m_line / 2, width, m_line), ground);
    }
    paintLabel(painter, rect, Qt::AlignCenter, text, cell.fits ? m_style.boldFont : m_style.smallFont, cell.taken ? textOn(ground) : readable(m_style.mutedText, ground));
    painter.setBrush(Qt::NoBrush);
    if (m_picture.map->cheapest == index) {
        painter.setPen(QPen(m_style.text, 2));
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
    }
    if (m_picture.present == index) {
        QPen dots(m_style.text, 1.5, Qt::CustomDashLine, Qt::FlatCap);
        dots.setDashPattern({2, 2});
        painter.setPen(dots);
        painter.drawRect(rect.adjusted(4, 4, -4, -4));
    }
}

void SettingsGrid::paintFoot(QPainter &painter) const {
    const QFontMetricsF metrics(m_style.smallFont);
    const double top = rectOf(m_picture.rows() - 1, 0).bottom() + 5;
    const double swatch = std::round(metrics.ascent());
    double x = m_left;
    const auto entry = [&](const QString &text, const QPen &pen) {
        const double room = m_size.width() - x - swatch - 6;
        if (room < 40)
            return;
        painter.setPen(pen);
        painter.drawRect(QRectF(x + 1, std::round(top + (m_line - swatch) / 2) + 1, swatch - 2, swatch - 2));
        const QString shown = metrics.elidedText(text, Qt::ElideRight, room);
        paintLabel(painter, {x + swatch + 6, top, room, m_line}, Qt::AlignLeft | Qt::AlignVCenter, shown, m_style.smallFont, m_style.text);
        x += swatch + 6 + metrics.horizontalAdvance(shown) + 18;
    };
    if (m_picture.present) {
        QPen dots(m_style.text, 1.5, Qt::CustomDashLine, Qt::FlatCap);
        dots.setDashPattern({2, 2});
        entry(SettingsPicture::tr("now"), dots);
    }
    if (m_picture.map->cheapest)
        entry(m_picture.cheapestText(), QPen(m_style.text, 2));
    else
        paintLabel(painter, {x, top, m_size.width() - x, m_line}, Qt::AlignLeft | Qt::AlignVCenter, m_picture.cheapestText(), m_style.smallFont, m_style.text);
}

} // namespace kv
