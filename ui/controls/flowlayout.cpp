// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/flowlayout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace kv {

FlowLayout::FlowLayout(int spacing, QWidget *parent) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem *item) { m_items.append(item); }

int FlowLayout::count() const { return static_cast<int>(m_items.size()); }

QLayoutItem *FlowLayout::itemAt(int index) const { return m_items.value(index); }

QLayoutItem *FlowLayout::takeAt(int index) { return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr; }

int FlowLayout::heightForWidth(int width) const { return flow({0, 0, width, 0}, false); }

QSize FlowLayout::sizeHint() const {
    QSize size;
    for (const QLayoutItem *item : m_items) {
        size.rwidth() += item->sizeHint().width() + (size.width() > 0 ? spacing() : 0);
        size.setHeight(std::max(size.height(), item->sizeHint().height()));
    }
    return size;
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem *item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect &rect) {
    QLayout::setGeometry(rect);
    flow(rect, true);
}

int FlowLayout::flow(const QRect &rect, bool place) const {
    int x = rect.left(), y = rect.top(), line = 0;
    for (QLayoutItem *item : m_items) {
        const QSize size = item->sizeHint().boundedTo({std::max(1, rect.width()), QWIDGETSIZE_MAX});
        if (x > rect.left() && x + size.width() > rect.left() + rect.width()) {
            x = rect.left();
            y += line + spacing();
            line = 0;
        }
        if (place)
            item->setGeometry(QStyle::visualRect(parentWidget() ? parentWidget()->layoutDirection() : Qt::LeftToRight, rect, {{x, y}, size}));
        x += size.width() + spacing();
        line = std::max(line, size.height());
    }
    return y + line - rect.top();
}

} // namespace kv
