// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bubble.h"

#include "ui/charts/chartstyle.h"
#include "ui/charts/labels.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

QStringList wrappedForBubble(const QString &sentence) {
    constexpr qsizetype widest = 60, mostLines = 5;
    QStringList lines;
    for (const QString &word : sentence.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!lines.isEmpty() && lines.last().size() + 1 + word.size() <= widest) {
            lines.last() += QLatin1Char(' ') + word;
        } else if (lines.size() == mostLines) {
            lines.last() += QStringLiteral(" …");
            break;
        } else {
            lines += word.left(widest);
        }
    }
    return lines;
}

void paintBubble(QPainter &painter, const Hover &hover, const QSizeF &area, const ChartStyle &style) {
    const QFontMetricsF metrics(style.smallFont), bold(style.boldFont);
    constexpr double pad = 8, gap = 14;
    const double line = std::ceil(metrics.height() * 1.15), swatch = std::round(metrics.ascent() * 0.75);
    const bool swatches = std::ranges::any_of(hover.lines, [](const HoverLine &l) { return l.swatch.isValid(); });
    const double indent = swatches ? swatch + 6 : 0;
    double names = 0, values = 0;
    for (const HoverLine &l : hover.lines) {
        names = std::max(names, indent + std::max(metrics.horizontalAdvance(l.name), bold.horizontalAdvance(l.name)));
        values = std::max(values, std::max(metrics.horizontalAdvance(l.value), bold.horizontalAdvance(l.value)));
    }
    const double width = std::ceil(std::max(bold.horizontalAdvance(hover.title), names + gap + values) + 2 * pad);
    const double height = std::ceil(line * static_cast<double>(hover.lines.size() + 1) + 2 * pad - 2);
    double x = hover.anchor.x() + gap;
    if (x + width > area.width())
        x = hover.anchor.x() - gap - width;
    x = std::clamp(x, 0.0, std::max(0.0, area.width() - width));
    const double y = std::clamp(hover.anchor.y() - height / 2, 0.0, std::max(0.0, area.height() - height));
    const QRectF box(std::round(x), std::round(y), width, height);

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(style.frame.darker(style.dark ? 80 : 120), 1));
    painter.setBrush(style.surface);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QRectF row(box.left() + pad, box.top() + pad - 1, width - 2 * pad, line);
    paintLabel(painter, row, Qt::AlignLeft | Qt::AlignVCenter, hover.title, style.boldFont, style.text);
    for (const HoverLine &l : hover.lines) {
        row.translate(0, line);
        if (l.swatch.isValid())
            painter.fillRect(QRectF(row.left(), std::round(row.center().y() - swatch / 2), swatch, swatch), l.swatch);
        const QFont &font = l.strong ? style.boldFont : style.smallFont;
        paintLabel(painter, row.adjusted(indent, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, l.name, font, style.text);
        paintLabel(painter, row, Qt::AlignRight | Qt::AlignVCenter, l.value, font, style.text);
    }
}

} // namespace kv
