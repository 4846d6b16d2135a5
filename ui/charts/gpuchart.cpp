// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/gpuchart.h"

#include "ui/charts/chartlegend.h"
#include "ui/charts/charttables.h"
#include "ui/charts/gpuview.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace kv {

GpuChart::GpuChart(QWidget *parent) : QWidget(parent), m_title(tr("Memory of each GPU")) {
    m_titleLabel = new QLabel(m_title, this);
    m_titleLabel->setTextFormat(Qt::PlainText);
    m_legend = new ChartLegend(this);
    m_view = new GpuView(this);
    m_table = new ChartTable(this);
    m_header = new QHBoxLayout;
    m_header->addWidget(m_titleLabel, 0, Qt::AlignTop);
    m_header->addSpacing(16);
    m_header->addWidget(m_legend, 1, Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(m_header);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);
    setAccessibleName(m_title);
}

GpuChart::~GpuChart() = default;

void GpuChart::setTitle(const QString &title) {
    m_title = title;
    m_titleLabel->setText(title);
    m_view->setAccessibleName(title);
    setAccessibleName(title);
}

void GpuChart::show(const Plan &plan, SizeUnit unit, const ChartStyle &style, const Plan *ghost, const QString &ghostName) {
    if (style != m_style) {
        m_style = style;
        m_titleLabel->setFont(style.titleFont);
        QPalette palette = m_titleLabel->palette();
        palette.setColor(QPalette::WindowText, style.text);
        m_titleLabel->setPalette(palette);
    }
    GpuBars bars = gpuBars(plan, unit);
    bars.kept = m_kept;
    if (ghost && ghost->ok())
        bars.ghost = gpuGhost(ghostName, *ghost, bars);
    m_view->show(bars, style);
    m_legend->show(m_view->legend(), style);
    m_table->show(ChartTable::of(m_view->bars()));
    setAccessibleDescription(description());
}

namespace {

/// Over the bars of a picture: the legend beside the title where that leaves it room, else under it.
struct Head {
    double titleHeight, legendWidth, legendTop, legend, height;
};

Head headOf(const QString &title, const QList<LegendEntry> &entries, const ChartStyle &style, double width) {
    const QFontMetricsF metrics(style.titleFont);
    const double titleWidth = std::ceil(metrics.horizontalAdvance(title)), titleHeight = std::ceil(metrics.height());
    const double beside = width - titleWidth - 24;
    const bool under = beside < width * 0.35;
    const double legendWidth = under ? width : beside, legendTop = under ? titleHeight + 4 : 0;
    const double legend = legendHeight(entries, style, legendWidth);
    return {titleHeight, legendWidth, legendTop, legend, std::max(titleHeight, legendTop + legend) + 8};
}

} // namespace

void GpuChart::paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const {
    GpuView view;
    view.show(m_view->bars(), style);
    const QFontMetricsF metrics(style.titleFont);
    const auto [titleHeight, legendWidth, legendTop, legend, head] = headOf(m_title, view.legend(), style, target.width());
    painter.save();
    painter.fillRect(target, style.surface);
    painter.setFont(style.titleFont);
    painter.setPen(style.text);
    painter.drawText(QRectF(target.topLeft(), QSizeF(target.width(), titleHeight)), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(m_title, Qt::ElideRight, target.width()));
    paintLegend(painter, {target.right() - legendWidth, target.top() + legendTop, legendWidth, legend}, view.legend(), style);
    view.paintTo(painter, target.adjusted(0, head, 0, 0));
    painter.restore();
}

void GpuChart::keepCorner(const QSize &size) {
    m_header->setContentsMargins(0, 0, size.width(), 0);
    m_header->addStrut(size.height());
}

double GpuChart::pictureHeight(double width, const ChartStyle &style) const {
    GpuView view;
    view.show(m_view->bars(), style);
    return headOf(m_title, view.legend(), style, width).height + view.tallest();
}

int GpuChart::tallest() const { return height() - m_view->height() + m_view->tallest(); }

void GpuChart::lightShare(double share, const QString &name) { m_view->lightShare(share, name); }

QAbstractItemModel *GpuChart::table() const { return m_table; }
QString GpuChart::description() const { return m_view->bars().description(); }

} // namespace kv
