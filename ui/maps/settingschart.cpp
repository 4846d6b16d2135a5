// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/settingschart.h"

#include "ui/charts/labels.h"
#include "ui/language/translate.h"
#include "ui/maps/settingsgrid.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace kv {

SettingsChart::SettingsChart(QWidget *parent) : QWidget(parent), m_table(new ChartTable(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Map of settings: GPUs against types"));
    setWhatsThis(tr("Every cell is a number of GPUs with a type of weights and of cache, and says how many sequences fit. Click one, or walk there with the arrow keys "
                    "and press Enter, to plan with it."));
}

void SettingsChart::show(const SettingsPicture &picture, const ChartStyle &style) {
    m_picture = picture;
    m_style = style;
    if (m_picture.isEmpty() || (m_current && *m_current >= m_picture.map->cells.size()))
        m_current.reset();
    m_table->show(picture.table());
    setCurrent(m_current);
    update();
}

QRectF SettingsChart::cellRect(std::size_t index) const {
    const SettingsGrid grid(m_picture, m_style, QSizeF(size()));
    return grid.rectOf(grid.rowOf(index), grid.columnOf(index));
}

std::optional<std::size_t> SettingsChart::cellAt(const QPointF &position) const {
    if (m_picture.isEmpty())
        return std::nullopt;
    const SettingsGrid grid(m_picture, m_style, QSizeF(size()));
    for (std::size_t row = 0; row < m_picture.rows(); ++row)
        for (std::size_t column = 0; column < m_picture.columns(); ++column)
            if (grid.rectOf(row, column).contains(position))
                return grid.indexAt(row, column);
    return std::nullopt;
}

void SettingsChart::paintTo(QPainter &painter, const QRectF &target, const ChartStyle &style) const {
    const double head = std::ceil(QFontMetricsF(style.titleFont).height());
    const QString name = m_picture.isEmpty() ? tr("GPUs × types") : tr("GPUs × types, for %1").arg(m_picture.loadText());
    paintLabel(painter, {target.topLeft(), QSizeF(target.width(), head)}, Qt::AlignLeft | Qt::AlignVCenter, name, style.titleFont, style.text);
    painter.save();
    painter.translate(target.left(), target.top() + head + 6);
    SettingsGrid(m_picture, style, {target.width(), target.height() - head - 6}).paint(painter);
    painter.restore();
}

QSize SettingsChart::minimumSizeHint() const { return {300, static_cast<int>(std::ceil(QFontMetricsF(m_style.smallFont).height() * 10))}; }

void SettingsChart::setCurrent(std::optional<std::size_t> index) {
    m_current = index;
    QString text = m_picture.description();
    if (index) {
        const Hover hover = m_picture.hoverAt(*index);
        QStringList parts{hover.title};
        for (const HoverLine &line : hover.lines)
            parts += QStringLiteral("%1 %2").arg(line.name, line.value).trimmed();
        text = listed(parts);
    }
    if (text != accessibleDescription())
        setAccessibleDescription(text);
    update();
}

void SettingsChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    SettingsGrid(m_picture, m_style, QSizeF(size())).paint(painter);
    painter.setBrush(Qt::NoBrush);
    if (m_current) {
        const QRectF rect = cellRect(*m_current);
        painter.setPen(QPen(m_style.focus, 2));
        painter.drawRect(rect.adjusted(-1, -1, 1, 1));
        Hover hover = m_picture.hoverAt(*m_current);
        hover.anchor = {rect.right() - 8, rect.center().y()};
        if (rect.center().x() > width() / 2.0)
            hover.anchor.setX(rect.left() + 8);
        paintBubble(painter, hover, QSizeF(size()), m_style);
    }
    if (m_showFocus) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_style.focus, 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void SettingsChart::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_pressed = cellAt(event->position());
}

void SettingsChart::mouseMoveEvent(QMouseEvent *event) {
    const auto cell = cellAt(event->position());
    setCursor(cell && m_picture.cell(*cell).taken ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (cell != m_current)
        setCurrent(cell);
}

void SettingsChart::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && m_pressed && m_pressed == cellAt(event->position()))
        take(*m_pressed);
    m_pressed.reset();
}

void SettingsChart::leaveEvent(QEvent *event) {
    setCurrent(std::nullopt);
    QWidget::leaveEvent(event);
}

void SettingsChart::take(std::size_t index) {
    if (m_picture.cell(index).taken && m_picture.present != index)
        emit taken(index);
}

void SettingsChart::step(int down, int across) {
    const SettingsGrid grid(m_picture, m_style, QSizeF(size()));
    if (!m_current)
        return setCurrent(m_picture.present ? m_picture.present : m_picture.map->cheapest ? m_picture.map->cheapest : std::optional<std::size_t>(0));
    const auto moved = [](std::size_t at, int by, std::size_t count) {
        return static_cast<std::size_t>(std::clamp(static_cast<std::ptrdiff_t>(at) + by, std::ptrdiff_t(0), static_cast<std::ptrdiff_t>(count) - 1));
    };
    setCurrent(grid.indexAt(moved(grid.rowOf(*m_current), down, m_picture.rows()), moved(grid.columnOf(*m_current), across, m_picture.columns())));
}

void SettingsChart::keyPressEvent(QKeyEvent *event) {
    if (m_picture.isEmpty() || (event->modifiers() & ~Qt::KeypadModifier))
        return event->ignore();
    switch (event->key()) {
    case Qt::Key_Left: return step(0, -1);
    case Qt::Key_Right: return step(0, 1);
    case Qt::Key_Up: return step(-1, 0);
    case Qt::Key_Down: return step(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current)
            return take(*m_current);
        break;
    case Qt::Key_Escape:
        if (m_current)
            return setCurrent(std::nullopt);
        break;
    default: break;
    }
    event->ignore();
}

void SettingsChart::focusInEvent(QFocusEvent *event) {
    m_showFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void SettingsChart::focusOutEvent(QFocusEvent *event) {
    m_showFocus = false;
    setCurrent(std::nullopt);
    QWidget::focusOutEvent(event);
}

} // namespace kv
