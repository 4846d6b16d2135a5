// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/gpuview.h"

#include "ui/charts/labels.h"
#include "ui/language/translate.h"

#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double barShare = 0.76; ///< of a row's pitch

/// A bar of a few GPUs does not grow into a wall, unless its words do.
double mostPitch(const QFontMetricsF &metrics) { return std::max(56.0, metrics.height() * 4); }

} // namespace

GpuView::GpuView(QWidget *parent) : ChartView(parent) {
    setRenderHint(QPainter::Antialiasing, false);
    m_series = new QHorizontalStackedBarSeries(this);
    m_series->setBarWidth(barShare);
    m_series->setLabelsVisible(false);
    for (QBarSet *&set : m_sets) {
        set = new QBarSet(QString());
        set->setPen(Qt::NoPen);
        m_series->append(set);
    }
    m_sizes = new QValueAxis(this);
    m_rows = new QValueAxis(this);
    chart()->addSeries(m_series);
    for (QValueAxis *axis : {m_sizes, m_rows}) {
        axis->setVisible(false);
        chart()->addAxis(axis, axis == m_sizes ? Qt::AlignBottom : Qt::AlignLeft);
        m_series->attachAxis(axis);
    }
    setAccessibleName(tr("Memory of each GPU"));
}

void GpuView::show(const GpuBars &bars, const ChartStyle &style) {
    const bool restyled = style != chartStyle();
    if (bars == m_bars && !restyled)
        return;
    if (restyled) {
        setChartStyle(style);
        for (int i = 0; i < memoryKinds; ++i)
            m_sets[static_cast<std::size_t>(i)]->setBrush(style.fill(static_cast<MemoryKind>(i)));
    }
    m_bars = bars;
    relayout();
}

void GpuView::lightShare(double share, const QString &name) {
    if (share == m_share && name == m_shareName)
        return;
    m_share = share;
    m_shareName = name;
    viewport()->update();
}

QList<LegendEntry> GpuView::legend() const {
    QList<LegendEntry> entries;
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        if (!m_bars.holds(kind))
            continue;
        const Swatch swatch = kind == MemoryKind::Reserve ? Swatch::Hatched : kind == MemoryKind::Short ? Swatch::Crossed : Swatch::Plain;
        entries.append({m_bars.nameWithBand(kind), chartStyle().fill(kind), swatch});
    }
    if (m_bars.replicated)
        entries.append({tr("Repeats another's KV"), chartStyle().kv, Swatch::Copies});
    return entries;
}

QSize GpuView::minimumSizeHint() const {
    const QFontMetricsF metrics(chartStyle().smallFont);
    // Up to eight bars have their values and names whatever stands under the chart; more share that.
    constexpr double comfortable = 1.34; // of a line: a bar is then a little higher than its digits
    const auto rows = static_cast<double>(std::clamp<std::size_t>(m_bars.bars.size(), 2, 8));
    return {240, static_cast<int>(std::ceil(metrics.height() * (rows * comfortable + (m_bars.note.isEmpty() ? 1 : 2)) + 10))};
}

QSize GpuView::sizeHint() const {
    const QFontMetricsF metrics(chartStyle().smallFont);
    const auto rows = static_cast<double>(std::clamp<std::size_t>(m_bars.bars.size(), 2, 16));
    return {700, static_cast<int>(std::ceil(rows * metrics.height() * 1.6 + metrics.height() * 2))};
}

int GpuView::tallest() const {
    const QFontMetricsF metrics(chartStyle().smallFont);
    const double rows = std::max(2.0, static_cast<double>(m_bars.bars.size()));
    return static_cast<int>(std::ceil(rows * mostPitch(metrics) + metrics.height() * (m_bars.note.isEmpty() ? 1 : 2) + 10));
}

QRectF GpuView::plotFor(const QSizeF &size) const {
    const QFontMetricsF metrics(chartStyle().smallFont);
    const QFont &font = chartStyle().smallFont;
    double label = labelWidth(font, QStringLiteral("GPU 00"));
    for (const GpuBar &bar : m_bars.bars)
        label = std::max(label, labelWidth(font, bar.label) + (bar.figures.kvReplicated ? std::round(metrics.height()) + 2 : 0));
    const double left = std::ceil(std::min(std::ceil(label) + 12, size.width() * 0.32));
    const double right = std::ceil(labelWidth(font, QStringLiteral("00,000 GiB")) / 2);
    const double bottom = std::ceil(metrics.height() * (m_bars.note.isEmpty() ? 1 : 2) + 8);
    const double rows = std::max(1.0, static_cast<double>(m_bars.bars.size()));
    const double height = std::clamp(size.height() - bottom - 2, 1.0, rows * mostPitch(metrics));
    return {left, 2, std::max(1.0, size.width() - left - right), std::floor(height)};
}

void GpuView::placed() {
    chooseAxis();
    putValues();
}

void GpuView::chooseAxis() {
    const int most = std::clamp(static_cast<int>(plot().width() / 64), 2, 8);
    if (m_bars.largest > m_bars.memory) {
        m_axis = m_steady.update(m_bars.largest, m_bars.unit, most);
        m_max = m_axis.max();
    } else {
        m_steady.forget();
        m_axis = sizeAxis(m_bars.memory, m_bars.unit, most);
        m_max = std::max(m_axis.inUnit(m_bars.memory), 1e-9);
    }
}

void GpuView::putValues() {
    const auto rows = static_cast<qsizetype>(m_bars.bars.size());
    if (m_sizes->min() != 0 || m_sizes->max() != m_max)
        m_sizes->setRange(0, m_max);
    const double top = std::max<double>(1, static_cast<double>(rows)) - 0.5;
    if (m_rows->min() != -0.5 || m_rows->max() != top)
        m_rows->setRange(-0.5, top);
    // Qt Charts lays all bars out at each value that is put in, unless the plot has no width meanwhile.
    chart()->setPlotArea({plot().topLeft(), QSizeF(0, plot().height())});
    for (std::size_t kind = 0; kind < m_sets.size(); ++kind) {
        QList<double> values(rows);
        for (qsizetype i = 0; i < rows; ++i) // the axis grows upwards, rows go down
            values[i] = m_axis.inUnit(m_bars.bars[static_cast<std::size_t>(rows - 1 - i)].drawn[kind]);
        QList<double> &shown = m_values[kind];
        if (values == shown)
            continue;
        if (values.size() == shown.size() && rows <= 16) {
            for (qsizetype i = 0; i < rows; ++i)
                if (values[i] != shown[i])
                    m_sets[kind]->replace(static_cast<int>(i), values[i]);
        } else {
            m_sets[kind]->remove(0, static_cast<int>(shown.size()));
            m_sets[kind]->append(values);
        }
        shown = values;
    }
    chart()->setPlotArea(plot());
}

double GpuView::xOf(Bytes bytes) const { return plot().left() + m_axis.inUnit(bytes) / m_max * plot().width(); }

double GpuView::pitch() const { return plot().height() / std::max(1.0, static_cast<double>(m_bars.bars.size())); }

std::size_t GpuView::fullest() const {
    const auto most = std::ranges::max_element(m_bars.bars, {}, &GpuBar::shortBy);
    return static_cast<std::size_t>(most - m_bars.bars.begin());
}

QRectF GpuView::rowRect(std::size_t row) const {
    const double height = pitch() * barShare;
    return {plot().left(), plot().top() + pitch() * (static_cast<double>(row) + 0.5) - height / 2, plot().width(), height};
}

QList<GpuView::AxisLabel> GpuView::axisLabels() const {
    const QFont &font = chartStyle().smallFont;
    QList<AxisLabel> labels;
    const auto put = [&](double value, const QString &text, bool limit) {
        const double x = plot().left() + value / m_max * plot().width(), half = labelWidth(font, text) / 2 + 5;
        for (const AxisLabel &other : std::as_const(labels))
            if (std::abs(other.x - x) < half + labelWidth(font, other.text) / 2 + 5)
                return;
        labels.append({x, text, limit});
    };
    const bool beyond = m_bars.largest > m_bars.memory;
    if (beyond)
        put(m_max, translated(m_axis.labelWithUnit(m_axis.intervals)), false);
    // The largest card first: where two limits lie close, it is the one that ends the axis.
    std::vector<Bytes> limits;
    for (const GpuBar &bar : m_bars.bars)
        if (!bar.host)
            limits.push_back(bar.figures.memory);
    std::ranges::sort(limits, std::greater<>());
    limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
    for (const Bytes limit : limits)
        put(m_axis.inUnit(limit), translated(writeBytes(limit, m_bars.unit)), beyond || limits.size() > 1);
    put(0, QStringLiteral("0"), false);
    for (int tick = 1; m_axis.step * tick < m_max; ++tick)
        put(m_axis.step * tick, translated(m_axis.label(tick)), false);
    std::ranges::sort(labels, {}, &AxisLabel::x);
    return labels;
}

QStringList GpuView::axisTexts() const {
    QStringList texts;
    for (const AxisLabel &label : axisLabels())
        texts.append(label.text);
    return texts;
}

int GpuView::nearest(const QPointF &position) const {
    if (position.y() < 0 || position.y() > plot().bottom())
        return -1;
    return std::clamp(static_cast<int>((position.y() - plot().top()) / pitch()), 0, points() - 1);
}

Hover GpuView::hoverAt(int point) const {
    const GpuBar &bar = m_bars.bars[static_cast<std::size_t>(point)];
    Hover hover;
    const QRectF row = rowRect(static_cast<std::size_t>(point));
    hover.anchor = {std::min(xOf(bar.end()), plot().center().x()), row.center().y()};
    hover.title = bar.label.contains(bar.card) ? bar.label : bar.label + QStringLiteral(" · ") + bar.card;
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const Bytes size = GpuBars::figure(bar, kind);
        if (size > Bytes{0})
            hover.lines.append({chartStyle().fill(kind), m_bars.kindName(kind), m_bars.figureText(bar, kind), kind == MemoryKind::Short});
    }
    if (bar.figures.memory > Bytes(0))
        hover.lines.append({QColor(), tr("Memory"), translated(writeBytes(bar.figures.memory, m_bars.unit)), true});
    if (bar.figures.kvReplicated)
        hover.lines.append({QColor(), tr("Its KV repeats another GPU's"), QString(), false});
    return hover;
}

} // namespace kv
