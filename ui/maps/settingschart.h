// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The map of settings as a widget: GPUs downwards, types across. A click on a cell takes its settings; the arrow keys walk the cells and
// Enter takes the one they are on. The cell under the pointer or the keys has a bubble with its figures. The cheapest cell that fits and
// the present one are told by a frame and by words below.

#include "ui/charts/chartstyle.h"
#include "ui/maps/settingspicture.h"

#include <QWidget>

namespace kv {

class SettingsChart : public QWidget {
    Q_OBJECT

public:
    explicit SettingsChart(QWidget *parent = nullptr);

    using QWidget::show;
    void show(const SettingsPicture &picture, const ChartStyle &style);
    const SettingsPicture &picture() const { return m_picture; }
    QAbstractItemModel *table() const { return m_table; }
    QRectF cellRect(std::size_t index) const;
    std::optional<std::size_t> current() const { return m_current; }
    void paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return {700, 300}; }

signals:
    void taken(std::size_t index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    std::optional<std::size_t> cellAt(const QPointF &position) const;
    void setCurrent(std::optional<std::size_t> index);
    void step(int down, int across);
    void take(std::size_t index);

    SettingsPicture m_picture;
    ChartStyle m_style;
    ChartTable *m_table;
    std::optional<std::size_t> m_current, m_pressed;
    bool m_showFocus = false;
};

} // namespace kv
