#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the charts on Qt Charts share; included by their adapters in this folder alone. Qt Charts draws the bars and lines and
// nothing else: no animation, no OpenGL, no axes, no texts (its texts are HTML, its axes are slow to relabel, its margins move).
// Grid and labels are painted behind, marks and texts in front, in the view's own coordinates.
//
// A chart's points of interest are numbered from 0; the mouse picks the nearest, the arrow keys step, Home and End go to the
// ends, Esc leaves. The one picked has a bubble, and its words are the view's accessible description.

#include "ui/charts/bubble.h"
#include "ui/charts/chartstyle.h"

#include <QtCharts/QChartView>

namespace kv {

class ChartView : public QChartView {
    Q_OBJECT

public:
    explicit ChartView(QWidget *parent = nullptr);

    const ChartStyle &chartStyle() const { return m_style; }
    QRectF plot() const { return m_plot; }
    QSizeF area() const { return m_area; }
    int hovered() const { return m_hovered; }
    void setHovered(int point);
    /// The chart in a rectangle of its own size, without hover or focus. Not for a view that is shown: it is laid out anew.
    void paintTo(QPainter &painter, const QRectF &target);

protected:
    virtual void preparing(const QSizeF &) {} ///< before the plot gets its place: choose what it depends on
    virtual QRectF plotFor(const QSizeF &size) const = 0;
    virtual void placed() {} ///< the plot has its place: put the data in
    virtual void paintBehind(QPainter &painter) const = 0;
    virtual void paintFront(QPainter &painter) const = 0;
    virtual int points() const = 0;
    virtual int nearest(const QPointF &position) const = 0;
    virtual int stepped(int key) const; ///< where a key leads from the point hovered; -1: nowhere
    virtual Hover hoverAt(int point) const = 0;
    virtual void paintHover(QPainter &painter, int point) const;
    virtual QString summary() const = 0;

    void setChartStyle(const ChartStyle &style) { m_style = style; }
    void relayout(); ///< after any change of data or style
    void describe();
    /// Pixels of a point where it is shown; a vector picture counts as a very fine screen.
    double pixelsPerPoint() const { return m_exporting ? m_exportScale : devicePixelRatio(); }

    void drawBackground(QPainter *painter, const QRectF &rect) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void place(const QSizeF &size);

    ChartStyle m_style;
    QRectF m_plot;
    QSizeF m_area;
    int m_hovered = -1;
    bool m_showFocus = false;
    bool m_exporting = false;
    double m_exportScale = 1;
    double m_placedScale = 1; ///< pixels of a point when it was laid out
};

} // namespace kv
