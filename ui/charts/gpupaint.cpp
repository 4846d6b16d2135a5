// SPDX-License-Identifier: GPL-3.0-or-later
// What GpuView paints itself: labels, grid, the texts inside the pieces, hatches, limits and what is short.
#include "ui/charts/gpuview.h"

#include "ui/charts/hatch.h"
#include "ui/charts/labels.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double leastHatch = 2; ///< narrower pieces get none

} // namespace

void GpuView::paintBehind(QPainter &painter) const {
    const ChartStyle &style = chartStyle();
    if (m_bars.bars.empty()) {
        const QFontMetricsF metrics(style.font);
        paintLabel(painter, QRectF({}, area()), Qt::AlignCenter,
                   metrics.elidedText(m_bars.message, Qt::ElideRight, area().width() - 16), style.font, style.mutedText);
        return;
    }
    const QFontMetricsF metrics(style.smallFont);
    painter.setPen(style.gridPen);
    for (int tick = 0; m_axis.step * tick <= m_max * (1 + 1e-9); ++tick) {
        const double x = std::round(plot().left() + m_axis.step * tick / m_max * plot().width()) + 0.5;
        painter.drawLine(QPointF(x, plot().top()), QPointF(x, plot().bottom()));
    }
    const double below = plot().bottom() + 6;
    for (const AxisLabel &label : axisLabels())
        paintLabel(painter, {label.x - 60, below, 120, metrics.height()}, Qt::AlignHCenter | Qt::AlignTop, label.text,
                   label.limit ? style.boldFont : style.smallFont, label.limit ? style.limitText : style.mutedText);
    if (!m_bars.note.isEmpty())
        paintLabel(painter, {plot().left(), below + metrics.height(), plot().width(), metrics.height()}, Qt::AlignLeft | Qt::AlignTop,
                   m_bars.note, style.smallFont, style.mutedText);
    // Thin rows cannot each have a label: every so many do.
    const int every = std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.95 / pitch())));
    for (std::size_t row = 0; row < m_bars.bars.size(); row += static_cast<std::size_t>(every)) {
        const GpuBar &bar = m_bars.bars[row];
        QRectF rect(0, rowRect(row).center().y() - metrics.height() / 2, plot().left() - 10, metrics.height());
        if (bar.figures.kvReplicated) {
            const double side = std::round(metrics.height());
            paintCopies(painter, {rect.right() - side, std::round(rect.top()), side, side}, style);
            rect.setRight(rect.right() - side - 2);
        }
        paintLabel(painter, rect, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(bar.label, Qt::ElideMiddle, rect.width()),
                   style.smallFont, style.mutedText);
    }
}

void GpuView::paintFront(QPainter &painter) const {
    for (std::size_t row = 0; row < m_bars.bars.size(); ++row)
        paintPieces(painter, row);
    paintLimits(painter);
    if (m_share > 0)
        for (std::size_t row = 0; row < m_bars.bars.size(); ++row)
            paintShare(painter, row);
    for (std::size_t row = 0; row < m_bars.bars.size(); ++row)
        paintShort(painter, row);
    if (m_bars.ghost)
        paintGhost(painter);
}

/// Under each bar a thin one of what the other scenario would put there, and a line where it would end; the axis stays.
void GpuView::paintGhost(QPainter &painter) const {
    const ChartStyle &style = chartStyle();
    const double gap = pitch() * (1 - rowRect(0).height() / pitch()), thin = std::clamp(std::round(gap - 4), 2.0, 4.0);
    std::optional<std::size_t> first;
    for (std::size_t row = 0; row < m_bars.ghost->rows.size(); ++row) {
        const std::optional<GpuGhost::Row> &ghost = m_bars.ghost->rows[row];
        if (!ghost)
            continue;
        first = first.value_or(row);
        const QRectF bar = rowRect(row);
        const auto x = [this](Bytes at) { return std::round(std::min(xOf(at), plot().right())); };
        Bytes from;
        for (const auto &[size, color] : {std::pair(ghost->weights, style.weights), {ghost->overhead, style.overhead}, {ghost->kv, style.kv}}) {
            painter.fillRect(QRectF(x(from), std::round(bar.bottom()) + 2, x(from + size) - x(from), thin), color);
            from += size;
        }
        const double end = x(ghost->end());
        painter.setPen(QPen(style.surface, 4));
        painter.drawLine(QPointF(end, bar.top()), QPointF(end, bar.bottom() + 2 + thin));
        QPen dashes(style.text, 2, Qt::CustomDashLine, Qt::FlatCap);
        dashes.setDashPattern({2, 1.5});
        painter.setPen(dashes);
        painter.drawLine(QPointF(end, bar.top()), QPointF(end, bar.bottom() + 2 + thin));
    }
    if (first)
        paintGhostName(painter, *first);
}

void GpuView::paintGhostName(QPainter &painter, std::size_t row) const {
    const ChartStyle &style = chartStyle();
    const QFontMetricsF metrics(style.boldFont);
    const GpuGhost::Row &ghost = *m_bars.ghost->rows[row];
    const QString beyond = xOf(ghost.end()) > plot().right() ? QStringLiteral(" →") : QString();
    const QString text = metrics.elidedText(m_bars.ghostText(ghost) + beyond, Qt::ElideLeft, plot().width() - 20);
    const double width = std::ceil(metrics.horizontalAdvance(text)) + 12, height = std::ceil(metrics.height()) + 4;
    const double end = std::min(xOf(ghost.end()), plot().right());
    double left = end + 6;
    if (left + width > area().width())
        left = std::max(plot().left() + 2, end - width - 6);
    const QRectF bar = rowRect(row);
    const QRectF chip(std::round(left), std::max(0.0, std::round(bar.center().y() - height / 2)), width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(style.text, 1));
    painter.setBrush(style.surface);
    painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.restore();
    paintLabel(painter, chip, Qt::AlignCenter, text, style.boldFont, style.text);
}

void GpuView::paintPieces(QPainter &painter, std::size_t row) const {
    const ChartStyle &style = chartStyle();
    const QFontMetricsF metrics(style.smallFont);
    const QRectF rect = rowRect(row);
    const GpuBar &bar = m_bars.bars[row];
    const bool tall = rect.height() >= metrics.capHeight() + 1;
    const QRectF chip = shortChip(row);
    Bytes from;
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const Bytes size = bar.length(kind);
        if (size <= Bytes{0})
            continue;
        const double x0 = xOf(from), x1 = xOf(from + size);
        from += size;
        const QRectF piece(x0, rect.top(), x1 - x0, rect.height());
        if (kind == MemoryKind::Reserve && piece.width() > leastHatch)
            paintHatch(painter, piece, QPen(style.hatch, 1), false);
        if (kind == MemoryKind::Short) {
            if (piece.width() > leastHatch)
                paintHatch(painter, piece, style.shortPen(), true);
            continue;
        }
        const QString text = m_bars.pieceText(bar, kind, m_axis.unit);
        const double width = labelWidth(style.smallFont, text);
        const QRectF words(piece.center().x() - width / 2 - 3, piece.center().y() - metrics.capHeight() / 2 - 3, width + 6, metrics.capHeight() + 6);
        if (!tall || width + 8 > piece.width() || words.intersects(chip))
            continue;
        if (kind == MemoryKind::Reserve) // a plain spot, so that the hatch does not cross the digits
            painter.fillRect(words, style.reserve);
        const QColor ink = kind == MemoryKind::Reserve || kind == MemoryKind::Free ? style.text : textOn(style.fill(kind));
        paintLabel(painter, piece, Qt::AlignCenter, text, style.smallFont, ink);
    }
}

/// A frame around the lit share of the KV, with its name where there is room.
void GpuView::paintShare(QPainter &painter, std::size_t row) const {
    const GpuBar &bar = m_bars.bars[row];
    Bytes before;
    for (const MemoryKind kind : {MemoryKind::Weights, MemoryKind::Extra, MemoryKind::Overhead, MemoryKind::Display})
        before += bar.length(kind);
    const double left = xOf(before), right = left + (xOf(before + bar.length(MemoryKind::Kv)) - left) * m_share;
    const QRectF rect = rowRect(row);
    const QRectF frame(std::round(left), rect.top(), std::max(2.0, std::round(right - left)), rect.height());
    painter.setPen(QPen(chartStyle().text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame.adjusted(1, 1, -1, -1));
    const QString text = QStringLiteral("%1 %").arg(std::round(m_share * 100)) + QLatin1Char(' ') + m_shareName;
    if (const QFontMetricsF metrics(chartStyle().boldFont); row == 0 && metrics.horizontalAdvance(text) + 8 < frame.width()) {
        painter.fillRect(frame.adjusted(3, 3, -3, -3), chartStyle().kv);
        paintLabel(painter, frame, Qt::AlignCenter, text, chartStyle().boldFont, textOn(chartStyle().kv));
    }
}

void GpuView::paintLimits(QPainter &painter) const {
    QPen pen(chartStyle().limit, 2, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({3, 2});
    painter.setPen(pen);
    const std::size_t rows = m_bars.bars.size();
    for (std::size_t first = 0; first < rows;) {
        std::size_t last = first;
        const auto same = [&](std::size_t row) {
            return m_bars.bars[row].figures.memory == m_bars.bars[first].figures.memory && m_bars.bars[row].host == m_bars.bars[first].host;
        };
        while (last + 1 < rows && same(last + 1))
            ++last;
        if (!m_bars.bars[first].host) {
            const double x = std::round(xOf(m_bars.bars[first].figures.memory));
            const double half = pitch() / 2;
            painter.drawLine(QPointF(x, rowRect(first).center().y() - half), QPointF(x, rowRect(last).center().y() + half));
        }
        first = last + 1;
    }
}

QRectF GpuView::shortChip(std::size_t row) const {
    const QFontMetricsF metrics(chartStyle().boldFont);
    const GpuBar &bar = m_bars.bars[row];
    // Where rows are thinner than a line of text, one row speaks for all.
    const bool everyRow = pitch() >= metrics.height() * 0.9;
    if (bar.shortBy() <= Bytes{0} || (!everyRow && row != fullest()))
        return {};
    const double width = std::ceil(labelWidth(chartStyle().boldFont, m_bars.pieceText(bar, MemoryKind::Short, m_axis.unit))) + 10;
    const double height = std::min(metrics.height() + 2, std::max(pitch() - 1, metrics.capHeight() + 4));
    const double x0 = xOf(bar.end() - bar.shortBy()), x1 = xOf(bar.end());
    double x = (x0 + x1 - width) / 2;
    if (width + 8 > x1 - x0)
        x = x1 + 6 + width <= area().width() ? x1 + 6 : x0 - width - 6;
    return {std::round(x), std::round(rowRect(row).center().y() - height / 2), width, height};
}

void GpuView::paintShort(QPainter &painter, std::size_t row) const {
    const ChartStyle &style = chartStyle();
    const QRectF chip = shortChip(row);
    if (chip.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(style.limit, 1));
    painter.setBrush(style.surface);
    painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.restore();
    paintLabel(painter, chip, Qt::AlignCenter, m_bars.pieceText(m_bars.bars[row], MemoryKind::Short, m_axis.unit), style.boldFont, style.limitText);
}

void GpuView::paintHover(QPainter &painter, int point) const {
    const auto row = static_cast<std::size_t>(point);
    const QRectF rect = rowRect(row);
    painter.setPen(QPen(chartStyle().text, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(std::round(rect.left()) - 0.5, std::round(rect.top()) - 0.5, std::round(xOf(m_bars.bars[row].end()) - rect.left()) + 1,
                            std::round(rect.height()) + 1));
}

} // namespace kv
