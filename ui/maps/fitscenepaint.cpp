// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/labels.h"
#include "ui/charts/niceaxis.h"
#include "ui/language/translate.h"
#include "ui/maps/fitscene.h"
#include "ui/words.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

double crisp(double at) { return std::floor(at) + 0.5; }

QPen dashed(const QColor &colour, double width, const QList<double> &pattern) {
    QPen pen(colour, width, Qt::CustomDashLine, Qt::FlatCap, Qt::RoundJoin);
    pen.setDashPattern(pattern);
    return pen;
}

} // namespace

void FitScene::paint(QPainter &painter) const {
    painter.save();
    if (m_picture.isEmpty()) {
        paintLabel(painter, QRectF({}, m_size), Qt::AlignCenter, FitPicture::tr("The map is being counted …"), m_style.font, m_style.mutedText);
    } else {
        paintGround(painter);
        paintAxes(painter);
        paintPoints(painter);
        paintTexts(painter);
    }
    painter.restore();
}

void FitScene::paintGround(QPainter &painter) const {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.fillRect(m_plot, headroomColour(Headroom::FarOver, m_style));
    for (int step = headroomSteps - 2; step >= 0; --step) {
        painter.setBrush(headroomColour(static_cast<Headroom>(step), m_style));
        painter.drawPolygon(m_areas[step]);
    }
    painter.setPen(QPen(headroomHatch(m_style), 1));
    painter.drawLines(m_hatch);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_refusedFrom < m_plot.right()) {
        painter.fillRect(QRectF(m_refusedFrom, m_plot.top(), m_plot.right() - m_refusedFrom, m_plot.height()), m_style.free);
        painter.setPen(QPen(m_style.mutedText, 1));
        painter.drawLine(QPointF(crisp(m_refusedFrom), m_plot.top()), QPointF(crisp(m_refusedFrom), m_plot.bottom()));
    } else if (const auto limit = m_picture.modelLimit; limit && *limit >= m_picture.ground.range.from && *limit < m_picture.ground.range.to) {
        const double x = xOf(*limit);
        QColor veil = m_style.surface;
        veil.setAlphaF(m_style.dark ? 0.4F : 0.45F);
        painter.fillRect(QRectF(x, m_plot.top(), m_plot.right() - x, m_plot.height()), veil);
        painter.setPen(QPen(m_style.mutedText, 1));
        painter.drawLine(QPointF(crisp(x), m_plot.top()), QPointF(crisp(x), m_plot.bottom()));
    }
}

void FitScene::paintAxes(QPainter &painter) const {
    const QFontMetricsF metrics(m_style.smallFont);
    const FitRange &range = m_picture.ground.range;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_style.frame, 1));
    painter.drawRect(QRectF(QPointF(crisp(m_plot.left()), crisp(m_plot.top())), QPointF(crisp(m_plot.right()), crisp(m_plot.bottom()))));
    const double widest = metrics.horizontalAdvance(QStringLiteral("0,000k")) + 8;
    for (const Tokens context : tokenTicks(range.from, range.to, std::clamp(static_cast<int>(m_plot.width() / widest), 2, 12))) {
        const double x = xOf(context);
        painter.setPen(QPen(m_style.frame, 1));
        painter.drawLine(QPointF(crisp(x), m_plot.bottom()), QPointF(crisp(x), m_plot.bottom() + 4));
        paintLabel(painter, {x - 40, m_plot.bottom() + 5, 80, metrics.height()}, Qt::AlignHCenter | Qt::AlignTop, translated(writeTokensShort(context)), m_style.smallFont,
                   m_style.mutedText);
    }
    paintLabel(painter, {m_plot.left(), m_plot.bottom() + 6 + metrics.height(), m_plot.width(), metrics.height()}, Qt::AlignHCenter | Qt::AlignTop,
               FitPicture::tr("context per sequence, against sequences at once"), m_style.smallFont, m_style.mutedText);
    for (std::int64_t decade = 1; decade <= range.top; decade *= 10) {
        const double y = yOf(static_cast<double>(decade));
        painter.setPen(QPen(m_style.frame, 1));
        painter.drawLine(QPointF(m_plot.left() - 4, crisp(y)), QPointF(m_plot.left(), crisp(y)));
        const QString text = decade >= 1'000'000'000 ? QStringLiteral("%1G").arg(decade / 1'000'000'000)
                             : decade >= 1'000'000   ? QStringLiteral("%1M").arg(decade / 1'000'000)
                             : decade >= 1000        ? QStringLiteral("%1k").arg(decade / 1000)
                                                     : QString::number(decade);
        paintLabel(painter, {0, y - metrics.height() / 2, m_plot.left() - 8, metrics.height()}, Qt::AlignRight | Qt::AlignVCenter, text, m_style.smallFont, m_style.mutedText);
        if (decade > range.top / 10)
            break;
    }
}

void FitScene::paintPoints(QPainter &painter) const {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(dashed(m_style.text, 1.5, {4, 3}));
    painter.drawPolyline(m_ghost);
    painter.setPen(QPen(m_style.text, 2.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(m_boundary);
    const QPointF here = at(m_picture.here);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(dashed(m_style.text, 1, {3, 3}));
    painter.drawLine(QPointF(crisp(here.x()), m_plot.top()), QPointF(crisp(here.x()), m_plot.bottom()));
    painter.drawLine(QPointF(m_plot.left(), crisp(here.y())), QPointF(m_plot.right(), crisp(here.y())));
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (m_picture.ghost) {
        painter.setPen(dashed(m_style.text, 1.5, {2, 1.5}));
        painter.setBrush(m_style.surface);
        painter.drawEllipse(at(*m_picture.ghost), 6, 6);
    }
    painter.setPen(QPen(m_style.dark ? QColor(Qt::white) : m_style.text, 2));
    painter.setBrush(m_style.kv);
    painter.drawEllipse(here, 7, 7);
}

void FitScene::paintTexts(QPainter &painter) const {
    QColor plate = m_style.surface;
    plate.setAlphaF(0.8F);
    for (const Text &text : m_texts) {
        if (text.plate)
            painter.fillRect(text.rect.adjusted(-3, 0, 3, 0), plate);
        if (!text.upright) {
            paintLabel(painter, text.rect, Qt::AlignCenter, text.text, text.font, text.colour);
            continue;
        }
        painter.save();
        painter.translate(text.rect.center());
        painter.rotate(-90);
        paintLabel(painter, QRectF(QPointF(-text.rect.height() / 2, -text.rect.width() / 2), text.rect.size().transposed()), Qt::AlignCenter, text.text, text.font, text.colour);
        painter.restore();
    }
}

} // namespace kv
