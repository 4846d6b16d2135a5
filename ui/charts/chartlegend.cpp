// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chartlegend.h"

#include "ui/charts/hatch.h"
#include "ui/language/translate.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double gapInside = 6, gapBetween = 18;

struct Placed {
    double x, y;
    qsizetype entry;
};

struct Layout {
    QList<Placed> places;
    double lineHeight = 0, swatch = 0, height = 0;
};

Layout layoutLegend(const QList<LegendEntry> &entries, const ChartStyle &style, double width) {
    const QFontMetricsF metrics(style.smallFont);
    Layout layout;
    layout.lineHeight = std::ceil(metrics.height() * 1.3);
    layout.swatch = std::round(metrics.ascent());
    QList<Placed> line;
    double x = 0, y = 0;
    const auto closeLine = [&] {
        const double shift = std::max(0.0, width - (x - gapBetween));
        for (Placed place : std::as_const(line))
            layout.places.append({place.x + shift, y, place.entry});
        line.clear();
    };
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const double needed = layout.swatch + gapInside + std::ceil(metrics.horizontalAdvance(entries[i].name));
        if (!line.isEmpty() && x + needed > width) {
            closeLine();
            x = 0;
            y += layout.lineHeight;
        }
        line.append({x, y, i});
        x += needed + gapBetween;
    }
    closeLine();
    layout.height = entries.isEmpty() ? 0 : y + layout.lineHeight;
    return layout;
}

void paintSwatch(QPainter &painter, const QRectF &rect, const LegendEntry &entry, const ChartStyle &style) {
    if (entry.swatch == Swatch::Copies) {
        paintCopies(painter, rect, style);
        return;
    }
    painter.fillRect(rect, entry.colour);
    if (entry.swatch == Swatch::Hatched)
        paintHatch(painter, rect, QPen(style.hatch, 1), false);
    else if (entry.swatch == Swatch::Crossed)
        paintHatch(painter, rect, style.shortPen(), true);
    if (contrast(entry.colour, style.surface) < 3) {
        painter.setPen(QPen(style.frame, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace

void paintCopies(QPainter &painter, const QRectF &rect, const ChartStyle &style) {
    const double side = std::floor(std::min(rect.width(), rect.height()) * 0.62);
    const QRectF back(std::round(rect.center().x() - side * 0.75) + 0.5, std::round(rect.center().y() - side * 0.75) + 0.5, side, side);
    painter.save();
    painter.setPen(QPen(style.text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(back);
    painter.setBrush(style.kv);
    painter.drawRect(back.translated(std::round(side * 0.45), std::round(side * 0.45)));
    painter.restore();
}

double legendHeight(const QList<LegendEntry> &entries, const ChartStyle &style, double width) {
    return layoutLegend(entries, style, width).height;
}

void paintLegend(QPainter &painter, const QRectF &rect, const QList<LegendEntry> &entries, const ChartStyle &style) {
    const Layout layout = layoutLegend(entries, style, rect.width());
    const QFontMetricsF metrics(style.smallFont);
    painter.save();
    painter.setFont(style.smallFont);
    for (const Placed &place : layout.places) {
        const QPointF corner = rect.topLeft() + QPointF(std::floor(place.x), place.y);
        const double lift = std::round((layout.lineHeight - layout.swatch) / 2);
        paintSwatch(painter, {corner + QPointF(0, lift), QSizeF(layout.swatch, layout.swatch)}, entries[place.entry], style);
        painter.setPen(style.mutedText);
        const double baseline = (layout.lineHeight + metrics.capHeight()) / 2;
        painter.drawText(corner + QPointF(layout.swatch + gapInside, std::round(baseline)), entries[place.entry].name);
    }
    painter.restore();
}

ChartLegend::ChartLegend(QWidget *parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChartLegend::show(const QList<LegendEntry> &entries, const ChartStyle &style) {
    if (entries == m_entries && style == m_style)
        return;
    m_entries = entries;
    m_style = style;
    QStringList names;
    for (const LegendEntry &entry : entries)
        names.append(entry.name);
    setAccessibleName(tr("Legend: %1").arg(listed(names)));
    updateGeometry();
    update();
}

int ChartLegend::heightForWidth(int width) const { return static_cast<int>(legendHeight(m_entries, m_style, width)); }

QSize ChartLegend::sizeHint() const {
    const QFontMetricsF metrics(m_style.smallFont);
    double width = 0;
    for (const LegendEntry &entry : m_entries)
        width += std::round(metrics.ascent()) + gapInside + std::ceil(metrics.horizontalAdvance(entry.name)) + gapBetween;
    return {static_cast<int>(std::ceil(std::max(0.0, width - gapBetween))) + 1, static_cast<int>(legendHeight(m_entries, m_style, 1e6))};
}

QSize ChartLegend::minimumSizeHint() const { return {80, sizeHint().height()}; }

void ChartLegend::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    paintLegend(painter, QRectF(rect()), m_entries, m_style);
}

} // namespace kv
