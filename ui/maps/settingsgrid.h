// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A SettingsPicture laid out in a rectangle and painted there, in the window and in files alike.

#include "ui/charts/chartstyle.h"
#include "ui/maps/settingspicture.h"

namespace kv {

class SettingsGrid {
public:
    SettingsGrid(const SettingsPicture &picture, const ChartStyle &style, const QSizeF &size);

    /// A place in the grid, rows downwards; columns are weights outermost, then caches.
    std::size_t indexAt(std::size_t row, std::size_t column) const;
    QRectF rectOf(std::size_t row, std::size_t column) const;
    std::size_t rowOf(std::size_t index) const { return index / m_picture.columns(); }
    std::size_t columnOf(std::size_t index) const;
    void paint(QPainter &painter) const;

private:
    void paintHeads(QPainter &painter) const;
    void paintCell(QPainter &painter, std::size_t row, std::size_t column) const;
    void paintFoot(QPainter &painter) const;

    const SettingsPicture &m_picture;
    const ChartStyle &m_style;
    QSizeF m_size;
    double m_line, m_left, m_top, m_width = 1, m_height = 1;
    bool m_brief = false;
};

} // namespace kv
