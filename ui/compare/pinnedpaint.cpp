// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/pinnedpaint.h"

#include "ui/charts/hatch.h"
#include "ui/charts/labels.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPicture>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double pad = 9, barHeight = 9;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(kv::Comparison)
};

void paintBar(QPainter &painter, const QRectF &rect, const GpuBar &bar, Bytes longest, const ChartStyle &style) {
    const double scale = rect.width() / static_cast<double>(longest.value);
    double x = rect.left();
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const double whole = static_cast<double>(bar.length(kind).value) * scale, width = std::min(whole, rect.right() - x);
        if (width <= 0)
            continue;
        const QRectF piece(x, rect.top(), width, rect.height());
        painter.fillRect(piece, style.fill(kind));
        if (kind == MemoryKind::Reserve || kind == MemoryKind::Short)
            paintHatch(painter, piece, kind == MemoryKind::Short ? style.shortPen() : QPen(style.hatch, 1), false);
        x += width;
        if (whole > width) {
            // It goes on beyond the picture.
            const QPointF tip(rect.right(), rect.center().y());
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(style.text);
            painter.drawPolygon(QPolygonF({tip, tip + QPointF(-6, -rect.height() / 2), tip + QPointF(-6, rect.height() / 2)}));
            painter.setRenderHint(QPainter::Antialiasing, false);
            break;
        }
    }
    // The card's own limit: what lies beyond is short.
    const double limit = rect.left() + static_cast<double>(bar.figures.memory.value) * scale;
    painter.setPen(QPen(style.text, 1.5));
    painter.drawLine(QPointF(limit, rect.top() - 2), QPointF(limit, rect.bottom() + 2));
}

/// The table of a picture: names at the left, a column a scenario, the baseline first in the eye by its words alone.
class TablePainter {
public:
    TablePainter(QPainter &painter, const QRectF &target, const Comparison &table, const ChartStyle &style)
        : m_painter(painter), m_target(target), m_table(table), m_style(style), m_line(std::ceil(QFontMetricsF(style.smallFont).height() * 1.4)) {
        const QFontMetricsF bold(style.boldFont);
        for (const ComparedRow &row : table.rows)
            m_name = std::max(m_name, bold.horizontalAdvance(translated(row.name)));
        m_name = std::min(m_name + 16, target.width() * 0.3);
        m_width = (target.width() - m_name) / static_cast<double>(std::max<std::size_t>(1, table.names.size()));
    }

    /// The names, and as many rows as are shown.
    double height(bool allRows) const {
        const auto shown = std::ranges::count_if(m_table.rows, [allRows](const ComparedRow &row) { return allRows || row.differs; });
        return m_line * static_cast<double>(shown + 1);
    }

    void paint(bool allRows) {
        double y = m_target.top();
        double left = height(allRows) - m_line; // of the rows that are still to come
        for (std::size_t i = 0; i < m_table.names.size(); ++i)
            text(i, y, words(m_table.names[i]), m_style.boldFont, m_style.text);
        y += m_line;
        m_painter.setPen(QPen(m_style.frame, 1));
        m_painter.drawLine(QPointF(m_target.left(), y), QPointF(m_target.right(), y));
        for (const ComparedRow &row : m_table.rows) {
            if (!allRows && !row.differs)
                continue;
            if (y + std::min(left, 2 * m_line) > m_target.bottom() + 0.5) {
                paintLabel(m_painter, {m_target.left(), y, m_target.width(), m_line}, Qt::AlignLeft | Qt::AlignVCenter,
                           Words::tr("and %1 more rows").arg(std::lround(left / m_line)), m_style.smallFont, m_style.mutedText);
                break;
            }
            left -= m_line;
            const QColor colour = row.differs ? m_style.text : m_style.mutedText;
            paintLabel(m_painter, {m_target.left(), y, m_name - 8, m_line}, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(m_style.smallFont).elidedText(translated(row.name), Qt::ElideRight, m_name - 8), m_style.smallFont, m_style.mutedText);
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                const ComparedCell &cell = row.cells[i];
                text(i, y, row.names ? words(cell.text) : translated(cell.text + (cell.delta.empty() ? "" : "  " + cell.delta)), m_style.smallFont, colour);
            }
            y += m_line;
        }
    }

private:
    void text(std::size_t column, double y, const QString &words, const QFont &font, const QColor &colour) {
        const QRectF rect(m_target.left() + m_name + static_cast<double>(column) * m_width, y, m_width - 8, m_line);
        paintLabel(m_painter, rect, Qt::AlignRight | Qt::AlignVCenter, QFontMetricsF(font).elidedText(words, Qt::ElideRight, rect.width()), font, colour);
    }

    QPainter &m_painter;
    QRectF m_target;
    const Comparison &m_table;
    const ChartStyle &m_style;
    double m_line, m_name = 0, m_width = 1;
};

} // namespace

double pinnedHeight(const ChartStyle &style) {
    return std::ceil(QFontMetricsF(style.boldFont).height() + QFontMetricsF(style.smallFont).height() + barHeight + 2 * pad + 4);
}

void paintPinned(QPainter &painter, const QRectF &rect, const ComparedScenario &scenario, Bytes longest, const ChartStyle &style) {
    const QFontMetricsF bold(style.boldFont), small(style.smallFont);
    QRectF line(rect.left() + pad, rect.top() + pad - 2, rect.width() - 2 * pad, std::ceil(bold.height()));
    const QString delta = scenario.deltaText();
    const double beside = delta.isEmpty() ? 0 : bold.horizontalAdvance(delta) + 10;
    const QColor good = style.asText(QColor(0x00, 0x9e, 0x73));
    const QColor colour = !scenario.more || *scenario.more == 0 ? style.mutedText : *scenario.more > 0 ? good : style.limitText;
    paintLabel(painter, line, Qt::AlignRight | Qt::AlignVCenter, delta, style.boldFont, colour);
    paintLabel(painter, line, Qt::AlignLeft | Qt::AlignVCenter, bold.elidedText(scenario.name, Qt::ElideRight, line.width() - beside), style.boldFont, style.text);
    line = QRectF(line.left(), line.bottom() + 1, line.width(), std::ceil(small.height()));
    QStringList marks;
    if (scenario.baseline)
        marks += Words::tr("baseline");
    if (scenario.current)
        marks += Words::tr("present");
    const QString mark = marks.join(QStringLiteral(" · "));
    paintLabel(painter, line, Qt::AlignRight | Qt::AlignVCenter, mark, style.smallFont, style.mutedText);
    paintLabel(painter, line, Qt::AlignLeft | Qt::AlignVCenter, small.elidedText(scenario.figures(), Qt::ElideRight, line.width() - small.horizontalAdvance(mark) - 8), style.smallFont,
               style.text);
    if (scenario.bar)
        paintBar(painter, {line.left(), line.bottom() + 5, line.width(), barHeight}, *scenario.bar, longest, style);
}

QList<LegendEntry> pinnedLegend(const Compared &all, const ChartStyle &style) {
    QList<LegendEntry> entries;
    GpuBars named;
    named.unit = all.unit;
    for (int i = 0; i < memoryKinds; ++i) {
        const auto kind = static_cast<MemoryKind>(i);
        const bool occurs = std::ranges::any_of(all.scenarios, [kind](const ComparedScenario &scenario) { return scenario.bar && scenario.bar->length(kind) > Bytes(0); });
        if (occurs)
            entries.append({named.kindName(kind), style.fill(kind), kind == MemoryKind::Reserve || kind == MemoryKind::Short ? Swatch::Hatched : Swatch::Plain});
    }
    return entries;
}

double comparisonHeight(double width, const Compared &all, bool allRows, const ChartStyle &style) {
    const QFontMetricsF title(style.titleFont);
    const double beside = title.horizontalAdvance(Words::tr("Compare")) + 24;
    const double head = std::max(std::ceil(title.height()), legendHeight(pinnedLegend(all, style), style, width - beside));
    QPicture nowhere;
    QPainter painter(&nowhere);
    return std::ceil(head + 16 + static_cast<double>(all.scenarios.size()) * pinnedHeight(style) + (all.isWhole() ? TablePainter(painter, {0, 0, width, 0}, all.table, style).height(allRows) : 0));
}

void paintComparison(QPainter &painter, const QRectF &target, const Compared &all, bool allRows, const ChartStyle &style) {
    painter.save();
    const QFontMetricsF title(style.titleFont);
    const QString name = Words::tr("Compare");
    const double beside = title.horizontalAdvance(name) + 24;
    const QList<LegendEntry> legend = pinnedLegend(all, style);
    const double head = std::max(std::ceil(title.height()), legendHeight(legend, style, target.width() - beside));
    paintLabel(painter, {target.left(), target.top(), beside, std::ceil(title.height())}, Qt::AlignLeft | Qt::AlignVCenter, name, style.titleFont, style.text);
    paintLegend(painter, {target.left() + beside, target.top(), target.width() - beside, head}, legend, style);
    double y = target.top() + head + 8;
    const double height = pinnedHeight(style);
    for (const ComparedScenario &scenario : all.scenarios) {
        if (y + height > target.bottom())
            break;
        paintPinned(painter, {target.left() - pad, y, target.width() + 2 * pad, height}, scenario, all.longest(), style);
        y += height;
    }
    y += 8;
    if (all.isWhole() && y < target.bottom())
        TablePainter(painter, {target.left(), y, target.width(), target.bottom() - y}, all.table, style).paint(allRows);
    painter.restore();
}

} // namespace kv
