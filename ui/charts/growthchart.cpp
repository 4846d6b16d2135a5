// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/growthchart.h"

#include "ui/charts/charttables.h"
#include "ui/charts/growthpicture.h"
#include "ui/charts/growthview.h"

#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace kv {

GrowthChart::GrowthChart(QWidget *parent) : QWidget(parent), m_title(tr("Growth with context")) {
    m_view = new GrowthView(this);
    m_table = new ChartTable(this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view, 1);
    setFocusProxy(m_view);
    setAccessibleName(m_title);
}

GrowthChart::~GrowthChart() = default;

void GrowthChart::show(const Sweep &sweep, const Plan &plan, SizeUnit unit, const ChartStyle &style, const GhostSweep *ghost) {
    m_style = style;
    GrowthPicture picture = growthPicture(sweep, plan, unit);
    picture.kept = m_kept;
    if (ghost)
        picture.ghost = growthGhost(ghost->name, ghost->sweep);
    m_view->show(picture, style);
    m_table->show(ChartTable::of(m_view->picture()));
    setAccessibleDescription(description());
}

void GrowthChart::paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const {
    GrowthView view;
    view.show(m_view->picture(), style);
    const QFontMetricsF metrics(style.titleFont);
    const double head = std::ceil(metrics.height());
    painter.save();
    painter.fillRect(target, style.surface);
    painter.setFont(style.titleFont);
    painter.setPen(style.text);
    painter.drawText(QRectF(target.topLeft(), QSizeF(target.width(), head)), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(m_title, Qt::ElideRight, target.width()));
    view.paintTo(painter, target.adjusted(0, head + 4, 0, 0));
    painter.restore();
}

QAbstractItemModel *GrowthChart::table() const { return m_table; }
QString GrowthChart::description() const { return m_view->picture().description(); }

} // namespace kv
