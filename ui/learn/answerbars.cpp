// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/answerbars.h"

#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace kv {

namespace {

QColor colorOf(AnswerBar::Kind kind, const Colors &c) {
    switch (kind) {
    case AnswerBar::Kind::Right:
        return c.good;
    case AnswerBar::Kind::Mistake:
        return c.bad;
    case AnswerBar::Kind::Guess:
        return c.muted;
    case AnswerBar::Kind::Other:
        break;
    }
    return c.accent;
}

constexpr int wrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

} // namespace

AnswerBars::AnswerBars(QWidget *parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void AnswerBars::show(std::vector<AnswerBar> bars) {
    if (bars == m_bars)
        return;
    m_bars = std::move(bars);
    if (m_pointed >= static_cast<int>(m_bars.size()))
        point(-1);
    setAccessibleDescription(plainText());
    updateGeometry();
    update();
}

QString AnswerBars::plainText() const {
    QStringList lines;
    for (const AnswerBar &bar : m_bars)
        lines += bar.label + joint(": ") + bar.value + (bar.detail.isEmpty() ? QString() : joint(" (") + bar.detail + joint(")"));
    return lines.join(QLatin1Char('\n'));
}

std::vector<AnswerBars::Row> AnswerBars::rows(double width) const {
    const QFontMetricsF strong(scaledFont(1, QFont::DemiBold)), small(scaledFont(type::caption));
    const double barHeight = em(0.75), gap = em(0.2), between = em(0.85);
    std::vector<Row> rows;
    double y = 1;
    for (const AnswerBar &bar : m_bars) {
        Row row;
        const double valueWidth = strong.horizontalAdvance(bar.value) + 1, labelWidth = std::max(em(5.0) * 1.0, width - valueWidth - em(0.6));
        const double textHeight = std::max(strong.height(), strong.boundingRect(QRectF(0, 0, labelWidth, 1e4), wrapped, bar.label).height());
        row.label = {0, y, labelWidth, textHeight};
        row.value = {width - valueWidth, y + textHeight - strong.height(), valueWidth, strong.height()};
        y += textHeight + gap;
        row.bar = {0, y, width, barHeight};
        y += barHeight;
        if (!bar.detail.isEmpty()) {
            const double detailHeight = small.boundingRect(QRectF(0, 0, width, 1e4), wrapped, bar.detail).height();
            row.detail = {0, y + gap, width, detailHeight};
            y += gap + detailHeight;
        }
        row.bottom = y + between / 2;
        y += between;
        rows.push_back(row);
    }
    return rows;
}

int AnswerBars::heightForWidth(int width) const {
    const auto all = rows(width);
    return all.empty() ? 0 : static_cast<int>(std::ceil(all.back().bottom)) + 1;
}

QSize AnswerBars::sizeHint() const { return {em(18), heightForWidth(em(18))}; }

QSize AnswerBars::minimumSizeHint() const { return {em(9), heightForWidth(std::max(width(), em(9)))}; }

void AnswerBars::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colors &c = colorsOf(palette());
    double longest = 0;
    for (const AnswerBar &bar : m_bars)
        longest = std::max(longest, bar.length);
    const auto all = rows(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const AnswerBar &bar = m_bars[i];
        painter.setFont(scaledFont(1, QFont::DemiBold));
        painter.setPen(c.text);
        painter.drawText(all[i].label, wrapped, bar.label);
        painter.drawText(all[i].value, Qt::AlignRight | Qt::AlignBottom | Qt::TextSingleLine, bar.value);
        paintBar(painter, bar, all[i], longest);
        painter.setFont(scaledFont(type::caption));
        painter.setPen(c.muted);
        if (!bar.detail.isEmpty())
            painter.drawText(all[i].detail, wrapped, bar.detail);
        if (static_cast<int>(i) == m_pointed && hasFocus()) {
            painter.setPen(QPen(c.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(all[i].bar.adjusted(1, -1.5, -1, 1.5), 4, 4);
        }
    }
}

void AnswerBars::paintBar(QPainter &painter, const AnswerBar &bar, const Row &row, double longest) const {
    const Colors &c = colorsOf(palette());
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.track);
    painter.drawRoundedRect(row.bar, 3, 3);
    if (longest <= 0 || bar.length <= 0)
        return;
    QRectF filled = row.bar;
    filled.setWidth(std::max(2.0, row.bar.width() * bar.length / longest));
    const QColor color = colorOf(bar.kind, c);
    painter.setBrush(color);
    painter.drawRoundedRect(filled, 3, 3);
    if (bar.kind == AnswerBar::Kind::Mistake) { // never by colour alone
        QColor stripe = c.card;
        stripe.setAlphaF(0.45F);
        painter.save();
        painter.setClipRect(filled);
        painter.setPen(QPen(stripe, 1.5));
        for (double x = filled.left() - filled.height(); x < filled.right(); x += em(0.55))
            painter.drawLine(QPointF(x, filled.bottom()), QPointF(x + filled.height(), filled.top()));
        painter.restore();
    }
}

int AnswerBars::barAt(const QPointF &position) const {
    const auto all = rows(width());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (position.y() < all[i].bottom)
            return static_cast<int>(i);
    return -1;
}

void AnswerBars::point(int bar) {
    if (bar == m_pointed)
        return;
    m_pointed = bar;
    update();
    emit pointedAt(bar);
}

bool AnswerBars::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int bar = barAt(help->pos());
        QToolTip::showText(help->globalPos(), bar < 0 ? QString() : plainTip(m_bars[static_cast<std::size_t>(bar)].tip), this);
        return true;
    }
    return QWidget::event(event);
}

void AnswerBars::mouseMoveEvent(QMouseEvent *event) { point(barAt(event->position())); }

void AnswerBars::leaveEvent(QEvent *) { point(-1); }

void AnswerBars::keyPressEvent(QKeyEvent *event) {
    const int last = static_cast<int>(m_bars.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Down:
        return point(std::min(m_pointed + 1, last));
    case Qt::Key_Up:
        return point(std::max(m_pointed - 1, 0));
    case Qt::Key_Home:
        return point(std::min(0, last));
    case Qt::Key_End:
        return point(last);
    case Qt::Key_Escape:
        if (m_pointed >= 0)
            return point(-1);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void AnswerBars::focusOutEvent(QFocusEvent *event) {
    point(-1);
    QWidget::focusOutEvent(event);
}

} // namespace kv
