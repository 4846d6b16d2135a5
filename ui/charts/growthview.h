#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The curves of GrowthChart on Qt Charts: log2 of the context on a linear axis (a logarithmic one has too few labels and loses
// whole curves at 0), sizes in one unit. Curves are cut at the top of the picture before Qt Charts gets them, since SVG has no
// clip. Included by this folder alone.

#include "ui/charts/chartview.h"
#include "ui/charts/growthpicture.h"
#include "ui/charts/niceaxis.h"

class QLineSeries;
class QValueAxis;

namespace kv {

class GrowthView : public ChartView {
    Q_OBJECT

public:
    explicit GrowthView(QWidget *parent = nullptr);

    void show(const GrowthPicture &picture, const ChartStyle &style);
    const GrowthPicture &picture() const { return m_picture; }
    const SizeAxis &sizeAxis() const { return m_axis; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return {700, 300}; }

    struct PlacedText {
        QRectF rect;
        QString text;
        QColor colour;
        bool strong = true;
        bool crossed = false; ///< something lies under it: it needs a ground of its own
    };
    /// Every text in the plot: the curves' names, the limit, the present scenario, the model's limit.
    const QList<PlacedText> &texts() const { return m_texts; }

protected:
    void preparing(const QSizeF &size) override;
    QRectF plotFor(const QSizeF &size) const override;
    void placed() override;
    void paintBehind(QPainter &painter) const override;
    void paintFront(QPainter &painter) const override;
    int points() const override { return static_cast<int>(m_stops.size()); }
    int nearest(const QPointF &position) const override;
    Hover hoverAt(int point) const override;
    void paintHover(QPainter &painter, int point) const override;
    QString summary() const override { return m_picture.description(); }

private:
    struct Line {
        QList<QPointF> data; ///< (log2 context, size in the axis' unit), cut at the top
        bool cut = false;    ///< it goes on above
        bool bends = false;  ///< somewhere sharply
    };

    Line lineOf(const GrowthCurve &curve) const;
    QList<QPointF> thinned(const QList<QPointF> &whole) const;
    bool bends(const QList<QPointF> &line) const;
    void putLines();
    void placeTexts();
    void paintGhost(QPainter &painter) const;
    QPointF ghostHere() const; ///< on the plot's edge where it lies outside
    void placeNames(class LabelPlacer &placer);
    void holdFree(class LabelPlacer &inside) const;
    double xOf(Tokens context) const;
    double yOf(Bytes bytes) const;
    QPointF toPixel(const QPointF &point) const;
    bool budgetInside() const;
    bool budgetAbove() const;
    bool hereInside() const;

    GrowthPicture m_picture;
    double m_low = 0, m_high = 1e-6; ///< log2 of the picture's contexts
    SteadyAxis m_steady;
    SizeAxis m_axis;
    std::vector<Tokens> m_stops; ///< contexts that can be hovered: those of the present curve
    QList<Line> m_lines;         ///< by curve
    Line m_ghostLine;
    QList<PlacedText> m_texts;
    QList<QLineSeries *> m_series;
    QList<QPen> m_pens;
    QValueAxis *m_contexts = nullptr, *m_sizes = nullptr;
};

} // namespace kv
