// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/distributionchart.h"

#include "core/plan/inflight.h"
#include "ui/charts/chartview.h"
#include "ui/charts/labelplacer.h"
#include "ui/charts/labels.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <QPainter>
#include <QVBoxLayout>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <cmath>

namespace kv {

namespace {

double crisp(double at) { return std::floor(at) + 0.5; }

/// A share as an axis shows it: "5 %".
QString percentText(double share) { return localNumbers(QString::number(100 * share, 'g', 3)) + QStringLiteral(" %"); }

} // namespace

class DistributionChart::View : public ChartView {
public:
    explicit View(QWidget *parent) : ChartView(parent), m_x(new QValueAxis(this)), m_y(new QValueAxis(this)) {
        for (QValueAxis *axis : {m_x, m_y}) {
            axis->setVisible(false);
            chart()->addAxis(axis, axis == m_x ? Qt::AlignBottom : Qt::AlignLeft);
        }
        for (QAreaSeries **area : {&m_within, &m_beyond}) {
            *area = new QAreaSeries(new QLineSeries(this));
            chart()->addSeries(*area);
            (*area)->attachAxis(m_x);
            (*area)->attachAxis(m_y);
        }
        m_ghost = new QLineSeries(this);
        chart()->addSeries(m_ghost);
        m_ghost->attachAxis(m_x);
        m_ghost->attachAxis(m_y);
    }

    void show(const DistributionPicture &picture, const ChartStyle &style) {
        if (picture == m_picture && style == chartStyle())
            return;
        setChartStyle(style);
        m_picture = picture;
        setAccessibleName(m_picture.title);
        relayout();
    }
    const DistributionPicture &picture() const { return m_picture; }
    QSize minimumSizeHint() const override {
        return {220, static_cast<int>(std::ceil(QFontMetricsF(chartStyle().smallFont).height() * 8))};
    }

protected:
    void preparing(const QSizeF &) override {
        // Steps of 1, 2 and 5: the axis stays while the highest bar moves inside it.
        const double most = std::max(m_picture.highest(), 1e-6);
        if (most <= m_top && most >= 0.45 * m_top)
            return;
        const double power = std::pow(10.0, std::floor(std::log10(most)));
        m_top = 10 * power;
        for (const double factor : {1.0, 2.0, 5.0})
            if (factor * power >= most * 1.02) {
                m_top = factor * power;
                break;
            }
        m_top = std::min(m_top, 1.0);
    }
    QRectF plotFor(const QSizeF &size) const override {
        const QFontMetricsF small(chartStyle().smallFont);
        const double left = std::ceil(std::max(small.horizontalAdvance(percentText(m_top)), small.horizontalAdvance(QStringLiteral("00 %"))) + 8);
        const double right = std::ceil(small.horizontalAdvance(QStringLiteral("0,000")) / 2 + 6), row = std::ceil(small.height());
        const double top = 3 * row + 8, bottom = row + 8;
        return {left, top, std::max(1.0, size.width() - left - right), std::max(1.0, size.height() - top - bottom)};
    }
    void placed() override {
        const double high = std::max(m_picture.high, m_picture.low + 1e-9);
        if (m_x->min() != m_picture.low || m_x->max() != high)
            m_x->setRange(m_picture.low, high);
        if (m_y->min() != 0 || m_y->max() != m_top)
            m_y->setRange(0, m_top);
        QList<QPointF> within, beyond;
        for (const DistributionBar &bar : m_picture.bars) {
            QList<QPointF> &line = bar.beyond ? beyond : within;
            if (line.isEmpty())
                line.append({bar.from, 0});
            line.append({bar.from, bar.share});
            line.append({bar.to, bar.share});
        }
        for (const auto &[area, points, colour] : {std::tuple(m_within, &within, chartStyle().kv), {m_beyond, &beyond, chartStyle().limit}}) {
            if (!points->isEmpty())
                points->append({points->last().x(), 0});
            area->upperSeries()->replace(*points);
            area->setVisible(!points->isEmpty());
            area->setPen(Qt::NoPen);
            area->setBrush(colour);
        }
        QList<QPointF> ghost;
        for (const QPointF &point : m_picture.ghost)
            ghost.append({point.x(), std::min(point.y(), m_top)});
        m_ghost->replace(ghost);
        m_ghost->setPen(QPen(chartStyle().mutedText, 1.2, Qt::DotLine));
    }
    void paintBehind(QPainter &painter) const override;
    void paintFront(QPainter &painter) const override;
    int points() const override { return m_picture.message.isEmpty() ? static_cast<int>(m_picture.bars.size()) : 0; }
    int nearest(const QPointF &position) const override {
        if (position.x() < plot().left() || position.x() >= plot().right())
            return -1;
        return std::clamp(static_cast<int>((position.x() - plot().left()) / plot().width() * points()), 0, points() - 1);
    }
    Hover hoverAt(int point) const override {
        const DistributionBar &bar = m_picture.bars[static_cast<std::size_t>(point)];
        double below = 0;
        for (int i = 0; i <= point; ++i)
            below += m_picture.bars[static_cast<std::size_t>(i)].share;
        Hover hover;
        hover.title = bar.title;
        hover.anchor = {xOf((bar.from + bar.to) / 2), yOf(bar.share)};
        hover.lines.append({bar.beyond ? chartStyle().limit : chartStyle().kv, m_picture.of, translated(casesOf(bar.share)), true});
        hover.lines.append({QColor(), DistributionPicture::tr("up to here"), translated(casesOf(std::min(below, 1.0))), false});
        return hover;
    }
    QString summary() const override { return m_picture.message.isEmpty() ? m_picture.description : m_picture.message; }

private:
    double xOf(double at) const { return plot().left() + (at - m_picture.low) / std::max(1e-12, m_picture.high - m_picture.low) * plot().width(); }
    double yOf(double share) const { return plot().bottom() - std::min(share / m_top, 1.0) * plot().height(); }
    void paintMarks(QPainter &painter, bool percentiles, double top) const;

    DistributionPicture m_picture;
    double m_top = 0;
    QValueAxis *m_x, *m_y;
    QAreaSeries *m_within = nullptr, *m_beyond = nullptr;
    QLineSeries *m_ghost = nullptr;
};

void DistributionChart::View::paintBehind(QPainter &painter) const {
    const ChartStyle &style = chartStyle();
    const QFontMetricsF small(style.smallFont), bold(style.boldFont);
    paintLabel(painter, {0, 0, area().width(), bold.height()}, Qt::AlignLeft | Qt::AlignVCenter, bold.elidedText(m_picture.title, Qt::ElideRight, area().width()), style.boldFont, style.text);
    if (!m_picture.message.isEmpty()) {
        painter.setFont(style.font);
        painter.setPen(style.mutedText);
        painter.drawText(QRectF({}, area()).adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap, m_picture.message);
        return;
    }
    const QRectF p = plot();
    for (const double share : {0.0, m_top / 2, m_top}) {
        const double y = yOf(share);
        painter.setPen(style.gridPen);
        if (share > 0)
            painter.drawLine(QPointF(p.left(), crisp(y)), QPointF(p.right(), crisp(y)));
        paintLabel(painter, {0, y - small.height() / 2, p.left() - 6, small.height()}, Qt::AlignRight | Qt::AlignVCenter, percentText(share), style.smallFont, style.mutedText);
    }
    painter.setPen(QPen(style.frame, 1));
    painter.drawLine(QPointF(p.left(), crisp(p.bottom())), QPointF(p.right(), crisp(p.bottom())));
    double last = -1e9;
    for (const DistributionTick &tick : m_picture.ticks) {
        const double x = xOf(tick.at), width = small.horizontalAdvance(tick.label);
        painter.setPen(QPen(style.frame, 1));
        painter.drawLine(QPointF(crisp(x), p.bottom()), QPointF(crisp(x), p.bottom() + 4));
        const double left = std::clamp(x - width / 2, 0.0, std::max(0.0, area().width() - width));
        if (left < last + 8)
            continue;
        last = left + width;
        paintLabel(painter, {left, p.bottom() + 6, width, small.height()}, Qt::AlignLeft | Qt::AlignTop, tick.label, style.smallFont, style.mutedText);
    }
}

void DistributionChart::View::paintFront(QPainter &painter) const {
    if (!m_picture.message.isEmpty())
        return;
    const double row = std::ceil(QFontMetricsF(chartStyle().smallFont).height());
    paintMarks(painter, true, row + 2);
    paintMarks(painter, false, 2 * row + 3);
}

/// The percentiles' names stand in one row over the plot, those of the mean and the limit in another; each row is spread where they are near.
void DistributionChart::View::paintMarks(QPainter &painter, bool percentiles, double top) const {
    const ChartStyle &style = chartStyle();
    const QFontMetricsF small(style.smallFont);
    QList<double> wanted, sizes, shortSizes;
    QList<const DistributionMark *> marks;
    for (const DistributionMark &mark : m_picture.marks) {
        if ((mark.kind == DistributionMark::Kind::Percentile) != percentiles || mark.at < m_picture.low || mark.at > m_picture.high)
            continue;
        marks.append(&mark);
        wanted.append(xOf(mark.at));
        sizes.append(std::ceil(small.horizontalAdvance(mark.name + QLatin1Char(' ') + mark.value)));
        shortSizes.append(std::ceil(small.horizontalAdvance(mark.name)));
    }
    constexpr double gap = 8;
    double all = 0;
    for (const double size : std::as_const(sizes))
        all += size + gap;
    const bool whole = all - gap <= area().width();
    const QList<double> &used = whole ? sizes : shortSizes;
    const QList<double> xs = spread(wanted, used, gap, 0, area().width());
    for (qsizetype i = 0; i < marks.size(); ++i) {
        const DistributionMark &mark = *marks[i];
        const bool limit = mark.kind == DistributionMark::Kind::Limit;
        QPen pen(limit ? style.limit : mark.kind == DistributionMark::Kind::Mean ? style.weights : style.text, limit ? 2 : 1, Qt::CustomDashLine, Qt::FlatCap);
        pen.setDashPattern(limit ? QList<qreal>{4, 2} : mark.kind == DistributionMark::Kind::Mean ? QList<qreal>{1, 2} : QList<qreal>{3, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(crisp(wanted[i]), plot().top()), QPointF(crisp(wanted[i]), plot().bottom()));
        const QString text = whole ? mark.name + QLatin1Char(' ') + mark.value : mark.name;
        const QColor colour = limit ? style.limitText : mark.kind == DistributionMark::Kind::Mean ? style.asText(style.weights) : style.text;
        paintLabel(painter, {xs[i] - used[i] / 2, top, used[i], small.height()}, Qt::AlignCenter, text, style.smallFont, colour);
    }
}

DistributionChart::DistributionChart(const QString &objectName, QWidget *parent) : QWidget(parent), m_view(new View(this)) {
    setObjectName(objectName);
    m_view->setObjectName(objectName + QStringLiteral("View"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setFocusProxy(m_view);
}

void DistributionChart::show(const DistributionPicture &picture, const ChartStyle &style) {
    m_view->show(picture, style);
    setAccessibleName(picture.title);
    setAccessibleDescription(picture.message.isEmpty() ? picture.description : picture.message);
}

const DistributionPicture &DistributionChart::picture() const { return m_view->picture(); }

void DistributionChart::paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const {
    View view(nullptr);
    view.show(m_view->picture(), style);
    view.paintTo(painter, target);
}

} // namespace kv
