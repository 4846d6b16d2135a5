// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The fit map as a widget. A click moves the present point, a drag takes it along, Escape puts it back; Left and Right step the context,
// Up and Down the sequences as their sliders do, Page Up and Page Down double and halve the sequences, Home and End go to the axis' start
// and the model's limit. What the pointer is on has a bubble with exact figures. It keeps no number: what it shows is its FitPicture.

#include "ui/maps/fitscene.h"

#include <QWidget>

namespace kv {

struct LegendEntry;

class FitMapChart : public QWidget {
    Q_OBJECT

public:
    explicit FitMapChart(QWidget *parent = nullptr);

    using QWidget::show;
    void show(const FitPicture &picture, const ChartStyle &style);
    const FitPicture &picture() const { return m_picture; }
    bool isDragging() const { return m_dragging; }
    /// For tests: where a scenario lies.
    QPointF placeOf(Tokens context, std::int64_t sequences);
    QAbstractItemModel *table() const { return m_table; }
    void paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return {700, 300}; }

signals:
    void moved(qint64 context, qint64 sequences, int gesture);
    void released(); ///< a drag has ended: the axes may follow again

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    const FitScene &scene();
    void dragTo(const QPointF &position);
    void endDrag(bool back);
    void setHovered(std::optional<QPointF> position);
    void move(std::int64_t context, std::int64_t sequences);

    FitPicture m_picture;
    ChartStyle m_style;
    std::optional<FitScene> m_scene; ///< laid out when somebody looks
    ChartTable *m_table;
    std::optional<QPointF> m_pointer;
    FitPoint m_before; ///< where the drag began
    int m_gesture = 0;
    bool m_dragging = false;
    bool m_showFocus = false;
};

/// What the shading stands for.
QList<LegendEntry> fitLegend(const ChartStyle &style);

} // namespace kv
