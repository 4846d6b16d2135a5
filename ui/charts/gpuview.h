#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bars of GpuChart on Qt Charts: a horizontal stack for each GpuBar. Included by this folder alone.
// Rows stand from top to bottom; the axis ends at the largest card's memory, or at a round size beyond the longest bar.

#include "ui/charts/chartlegend.h"
#include "ui/charts/chartview.h"
#include "ui/charts/gpubars.h"
#include "ui/charts/niceaxis.h"

#include <array>

class QBarSet;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace kv {

class GpuView : public ChartView {
    Q_OBJECT

public:
    explicit GpuView(QWidget *parent = nullptr);

    void show(const GpuBars &bars, const ChartStyle &style);
    const GpuBars &bars() const { return m_bars; }
    void lightShare(double share, const QString &name);
    QList<LegendEntry> legend() const;
    /// Texts under the bars, from left to right.
    QStringList axisTexts() const;
    double axisMax() const { return m_max; } ///< in axisUnit()
    ScaledUnit axisUnit() const { return m_axis.unit; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;
    int tallest() const; ///< with every bar at its thickest

protected:
    QRectF plotFor(const QSizeF &size) const override;
    void placed() override;
    void paintBehind(QPainter &painter) const override;
    void paintFront(QPainter &painter) const override;
    int points() const override { return static_cast<int>(m_bars.bars.size()); }
    int nearest(const QPointF &position) const override;
    Hover hoverAt(int point) const override;
    void paintHover(QPainter &painter, int point) const override;
    QString summary() const override { return m_bars.description(); }

private:
    struct AxisLabel {
        double x; ///< of its middle
        QString text;
        bool limit;
    };

    void chooseAxis();
    void putValues();
    double xOf(Bytes bytes) const;
    double pitch() const;
    std::size_t fullest() const; ///< the row with the least free
    QRectF rowRect(std::size_t row) const; ///< the bar's own rectangle over the whole plot
    QList<AxisLabel> axisLabels() const;
    void paintPieces(QPainter &painter, std::size_t row) const;
    QRectF shortChip(std::size_t row) const; ///< of the text on what is short; empty: none in this row
    void paintShort(QPainter &painter, std::size_t row) const;
    void paintLimits(QPainter &painter) const;
    void paintShare(QPainter &painter, std::size_t row) const;
    void paintGhost(QPainter &painter) const;
    void paintGhostName(QPainter &painter, std::size_t row) const;

    GpuBars m_bars;
    double m_share = 0; ///< of the KV that is lit
    QString m_shareName;
    SteadyAxis m_steady; ///< for bars that go beyond the card
    SizeAxis m_axis;     ///< unit and step
    double m_max = 1;
    QHorizontalStackedBarSeries *m_series = nullptr;
    QValueAxis *m_sizes = nullptr, *m_rows = nullptr;
    std::array<QBarSet *, memoryKinds> m_sets{};
    std::array<QList<double>, memoryKinds> m_values; ///< as the sets hold them
};

} // namespace kv
