// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A FitPicture laid out in a rectangle: where every context and count lies, the areas of the shading, the boundary, the hatching and the
// texts. All of it is lines and polygons cut to the plot beforehand, since SVG has no clip, and painted by one function, so that the
// window and a file agree. The boundary goes through the solved most of every column; nothing is sampled.

#include "ui/charts/chartstyle.h"
#include "ui/maps/fitpicture.h"

#include <QLineF>
#include <QPolygonF>

namespace kv {

class LabelPlacer;

QColor headroomColour(Headroom step, const ChartStyle &style);
QColor headroomHatch(const ChartStyle &style);

class FitScene {
public:
    FitScene() = default;
    FitScene(const FitPicture &picture, const ChartStyle &style, const QSizeF &size);

    const QRectF &plot() const { return m_plot; }
    double xOf(Tokens context) const;
    double yOf(double sequences) const;
    QPointF at(const FitPoint &point) const; ///< held inside the plot
    /// What a slider would give at this place.
    Tokens contextAt(double x) const;
    std::int64_t sequencesAt(double y) const;
    bool holds(const QPointF &position) const { return m_plot.adjusted(-8, -8, 8, 8).contains(position); }

    /// Of the picture that the scene was laid out for.
    void paint(QPainter &painter) const;

    struct Text {
        QRectF rect;
        QString text;
        QColor colour;
        QFont font;
        bool plate = false;   ///< something lies under it
        bool upright = false; ///< turned by a quarter
    };
    const QList<Text> &texts() const { return m_texts; }
    const QPolygonF &boundary() const { return m_boundary; }

private:
    using Columns = std::vector<FitMapColumn>;
    std::vector<QPointF> curve(const Columns &columns, double times) const;
    QPolygonF area(double times) const;
    QPolygonF line(const Columns &columns) const;
    void hatch();
    void placeTexts();
    void placeAreas(LabelPlacer &placer);
    void placePoints(LabelPlacer &placer);
    void placeLimit(LabelPlacer &placer);
    void put(LabelPlacer &placer, const QList<QRectF> &places, const QString &text, const QColor &colour, const QFont &font);
    double boundaryAt(double x) const;
    void paintGround(QPainter &painter) const;
    void paintAxes(QPainter &painter) const;
    void paintPoints(QPainter &painter) const;
    void paintTexts(QPainter &painter) const;

    FitPicture m_picture;
    ChartStyle m_style;
    QSizeF m_size;
    QRectF m_plot;
    QPolygonF m_areas[headroomSteps - 1]; ///< from each step's end down
    QPolygonF m_boundary, m_ghost;
    QList<QLineF> m_hatch;
    double m_refusedFrom = 0; ///< x; the plot's right edge: nowhere
    QList<Text> m_texts;
};

} // namespace kv
