// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/growthview.h"

#include "ui/charts/labelplacer.h"
#include "ui/charts/labels.h"
#include "ui/language/translate.h"

#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr int mostTextWidth = 130; ///< of a curve's name beside the plot

double log2Of(Tokens context) { return std::log2(static_cast<double>(std::max<std::int64_t>(1, context.value))); }

} // namespace

GrowthView::GrowthView(QWidget *parent) : ChartView(parent) {
    setRenderHint(QPainter::Antialiasing, true);
    m_contexts = new QValueAxis(this);
    m_sizes = new QValueAxis(this);
    for (QValueAxis *axis : {m_contexts, m_sizes}) {
        axis->setVisible(false);
        chart()->addAxis(axis, axis == m_contexts ? Qt::AlignBottom : Qt::AlignLeft);
    }
    setAccessibleName(tr("Growth with context"));
}

void GrowthView::show(const GrowthPicture &picture, const ChartStyle &style) {
    if (picture == m_picture && style == chartStyle())
        return;
    setChartStyle(style);
    m_picture = picture;
    m_low = log2Of(picture.from);
    m_high = std::max(m_low + 1e-6, log2Of(picture.to));
    m_stops.clear();
    if (const GrowthCurve *present = picture.present())
        for (const SweepPoint &point : present->points)
            if (point.context >= picture.from && point.context <= picture.to)
                m_stops.push_back(point.context);
    relayout();
}

QSize GrowthView::minimumSizeHint() const {
    const QFontMetricsF metrics(chartStyle().smallFont);
    return {300, static_cast<int>(std::ceil(metrics.height() * 8))};
}

void GrowthView::preparing(const QSizeF &size) {
    const QFontMetricsF small(chartStyle().smallFont);
    const int most = std::clamp(static_cast<int>((size.height() - small.height() * 2) / 36), 2, 5);
    m_axis = m_steady.update(m_picture.wanted(), m_picture.unit, most, std::max(m_picture.here, m_picture.budget));
}

QRectF GrowthView::plotFor(const QSizeF &size) const {
    const QFontMetricsF small(chartStyle().smallFont), bold(chartStyle().boldFont);
    double name = 0;
    for (const GrowthCurve &curve : m_picture.curves)
        name = std::max(name, std::min<double>(mostTextWidth, labelWidth(chartStyle().boldFont, curve.label)));
    const double sizes = std::max(labelWidth(chartStyle().smallFont, QStringLiteral("000 GiB")), labelWidth(chartStyle().smallFont, translated(m_axis.labelWithUnit(m_axis.intervals))));
    const double left = std::ceil(sizes + 8);
    const double right = std::ceil(std::max(name + 12, labelWidth(chartStyle().smallFont, QStringLiteral("0,000k")) / 2));
    const double top = std::ceil(bold.height() + 4), bottom = std::ceil(small.height() + 8);
    return {left, top, std::max(1.0, size.width() - left - right), std::max(1.0, size.height() - top - bottom)};
}

void GrowthView::placed() {
    putLines();
    placeTexts();
}

/// Without the points that nobody could see: those within a fifth of a pixel of the line that goes on without them. Qt Charts draws a line
/// from each point to the next.
QList<QPointF> GrowthView::thinned(const QList<QPointF> &whole) const {
    const double tolerance = 0.2 / pixelsPerPoint();
    if (whole.size() < 3)
        return whole;
    QList<QPointF> kept{whole.first()}, pixels(whole.size());
    std::ranges::transform(whole, pixels.begin(), [this](const QPointF &point) { return toPixel(point); });
    qsizetype start = 0;
    for (qsizetype end = 2; end < whole.size(); ++end) {
        const QPointF a = pixels[start], chord = pixels[end] - a;
        const double length = std::max(1e-9, std::hypot(chord.x(), chord.y()));
        for (qsizetype i = start + 1; i < end; ++i) {
            const QPointF off = pixels[i] - a;
            if (std::abs(chord.x() * off.y() - chord.y() * off.x()) > tolerance * length) {
                start = end - 1;
                kept.append(whole[start]);
                break;
            }
        }
    }
    kept.append(whole.last());
    return kept;
}

/// Whether the line turns by more than ten degrees at a point.
bool GrowthView::bends(const QList<QPointF> &line) const {
    constexpr double cosine = 0.985;
    for (qsizetype i = 2; i < line.size(); ++i) {
        const QPointF middle = toPixel(line[i - 1]), a = middle - toPixel(line[i - 2]), b = toPixel(line[i]) - middle;
        if (QPointF::dotProduct(a, b) < cosine * std::hypot(a.x(), a.y()) * std::hypot(b.x(), b.y()))
            return true;
    }
    return false;
}

GrowthView::Line GrowthView::lineOf(const GrowthCurve &curve) const {
    std::vector<SweepPoint> shown;
    const auto add = [&](Tokens context) {
        if (const auto total = curve.at(context))
            shown.push_back({context, *total});
    };
    add(m_picture.from);
    std::ranges::copy_if(curve.points, std::back_inserter(shown),
                         [&](const SweepPoint &p) { return p.context > m_picture.from && p.context < m_picture.to; });
    add(m_picture.to);
    Line line;
    const double top = m_axis.max();
    for (const SweepPoint &point : shown) {
        const QPointF now(log2Of(point.context), m_axis.inUnit(point.total));
        if (now.y() <= top) {
            line.data.append(now);
            continue;
        }
        // A cache never shrinks as the context grows: what leaves at the top does not come back.
        line.cut = true;
        if (!line.data.isEmpty()) {
            const QPointF before = line.data.last();
            line.data.append({before.x() + (now.x() - before.x()) * (top - before.y()) / (now.y() - before.y()), top});
        }
        break;
    }
    line.data = thinned(line.data);
    line.bends = bends(line.data);
    return line;
}

void GrowthView::putLines() {
    const double top = std::max(m_axis.max(), 1e-9);
    if (m_contexts->min() != m_low || m_contexts->max() != m_high)
        m_contexts->setRange(m_low, m_high);
    if (m_sizes->min() != 0 || m_sizes->max() != top)
        m_sizes->setRange(0, top);
    const auto count = static_cast<qsizetype>(m_picture.curves.size());
    while (m_series.size() < count) {
        auto *series = new QLineSeries(this);
        chart()->addSeries(series);
        series->attachAxis(m_contexts);
        series->attachAxis(m_sizes);
        m_series.append(series);
        m_pens.append(QPen());
    }
    m_lines.resize(m_series.size());
    m_ghostLine = m_picture.ghost ? lineOf(m_picture.ghost->curve) : Line();
    for (qsizetype i = 0; i < m_series.size(); ++i) {
        Line line = i < count ? lineOf(m_picture.curves[static_cast<std::size_t>(i)]) : Line();
        if (line.data != m_lines[i].data)
            m_series[i]->replace(line.data);
        // Qt Charts draws a line from point to point: square ends close the gaps of a smooth curve as round ones do, in a fifth of the time.
        const Qt::PenCapStyle ends = line.bends ? Qt::RoundCap : Qt::SquareCap;
        m_lines[i] = std::move(line);
        if (i >= count)
            continue;
        const GrowthCurve &curve = m_picture.curves[static_cast<std::size_t>(i)];
        const QPen pen(chartStyle().line(curve.type, curve.current), curve.current ? 3 : 2, Qt::SolidLine, ends, Qt::RoundJoin);
        if (pen != m_pens[i]) {
            m_series[i]->setPen(pen);
            m_pens[i] = pen;
        }
    }
}

double GrowthView::xOf(Tokens context) const { return plot().left() + (log2Of(context) - m_low) / (m_high - m_low) * plot().width(); }

double GrowthView::yOf(Bytes bytes) const { return plot().bottom() - m_axis.inUnit(bytes) / m_axis.max() * plot().height(); }

QPointF GrowthView::toPixel(const QPointF &point) const {
    return {plot().left() + (point.x() - m_low) / (m_high - m_low) * plot().width(), plot().bottom() - point.y() / m_axis.max() * plot().height()};
}

QPointF GrowthView::ghostHere() const {
    const QRectF p = plot();
    return {std::clamp(xOf(m_picture.ghost->context), p.left(), p.right()), std::clamp(yOf(m_picture.ghost->here), p.top(), p.bottom())};
}

bool GrowthView::budgetInside() const { return m_picture.budget > Bytes{0} && m_axis.holds(m_picture.budget); }
bool GrowthView::budgetAbove() const { return !m_axis.holds(m_picture.budget); }
bool GrowthView::hereInside() const {
    return m_picture.context >= m_picture.from && m_picture.context <= m_picture.to && m_axis.holds(m_picture.here);
}

int GrowthView::nearest(const QPointF &position) const {
    if (position.x() < plot().left() - 8 || position.x() > plot().right() + 8)
        return -1;
    const auto distance = [&](Tokens stop) { return std::abs(xOf(stop) - position.x()); };
    const auto found = std::ranges::min_element(m_stops, {}, distance);
    return static_cast<int>(found - m_stops.begin());
}

Hover GrowthView::hoverAt(int point) const {
    const Tokens context = m_stops[static_cast<std::size_t>(point)];
    Hover hover;
    hover.title = tr("%1 tokens").arg(translated(writeNumber(context.value)));
    double y = plot().bottom();
    std::vector<std::pair<Bytes, HoverLine>> values;
    for (const GrowthCurve &curve : m_picture.curves)
        if (const auto value = curve.at(context)) {
            values.push_back({*value, {chartStyle().line(curve.type, curve.current), curve.label, translated(writeBytes(*value, m_picture.unit)), curve.current}});
            if (m_axis.holds(*value))
                y = std::min(y, yOf(*value));
        }
    if (m_picture.ghost)
        if (const auto value = m_picture.ghost->curve.at(context))
            values.push_back({*value, {chartStyle().text, m_picture.ghost->name, translated(writeBytes(*value, m_picture.unit)), false}});
    std::ranges::stable_sort(values, [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[value, line] : values)
        hover.lines.append(line);
    if (m_picture.budget > Bytes{0})
        hover.lines.append({chartStyle().limit, tr("Left for KV"), translated(writeBytes(m_picture.budget, m_picture.unit)), false});
    hover.anchor = {xOf(context), y};
    return hover;
}

} // namespace kv
