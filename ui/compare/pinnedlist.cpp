// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/pinnedlist.h"

#include "ui/compare/pinnedpaint.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QAbstractListModel>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace kv {

class PinnedModel : public QAbstractListModel {
public:
    using QAbstractListModel::QAbstractListModel;

    void show(const Compared &all, const ChartStyle &style) {
        const bool more = all.scenarios.size() != m_all.scenarios.size();
        if (more)
            beginResetModel();
        m_all = all;
        m_style = style;
        if (more)
            endResetModel();
        else if (rowCount({}) > 0)
            emit dataChanged(index(0), index(rowCount({}) - 1));
    }
    const Compared &all() const { return m_all; }
    const ChartStyle &style() const { return m_style; }
    int rowCount(const QModelIndex &parent) const override { return parent.isValid() ? 0 : static_cast<int>(m_all.scenarios.size()); }
    QVariant data(const QModelIndex &at, int role) const override {
        if (!checkIndex(at, CheckIndexOption::IndexIsValid))
            return {};
        const ComparedScenario &scenario = m_all.scenarios[static_cast<std::size_t>(at.row())];
        switch (role) {
        case Qt::DisplayRole: return scenario.name;
        case Qt::AccessibleTextRole: return scenario.sentence();
        case Qt::ToolTipRole: return plainTip(scenario.sentence());
        default: return {};
        }
    }

private:
    Compared m_all;
    ChartStyle m_style;
};

namespace {

class PinnedDelegate : public QStyledItemDelegate {
public:
    explicit PinnedDelegate(PinnedModel *model) : QStyledItemDelegate(model), m_model(model) {}

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, static_cast<int>(pinnedHeight(m_model->style())) + 4}; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &at) const override {
        const Colors &c = colorsOf(option.palette);
        const QRectF rect = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -4.5);
        const bool selected = option.state & QStyle::State_Selected;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, true);
        painter->setPen(QPen(selected ? c.accent : c.border, selected ? 2 : 1));
        painter->setBrush(option.state & QStyle::State_MouseOver ? c.hover : c.field);
        painter->drawRoundedRect(rect, 3, 3);
        painter->setRenderHint(QPainter::Antialiasing, false);
        paintPinned(*painter, rect, m_model->all().scenarios[static_cast<std::size_t>(at.row())], m_model->all().longest(), m_model->style());
        painter->restore();
    }

private:
    PinnedModel *m_model;
};

} // namespace

PinnedList::PinnedList(QWidget *parent) : QListView(parent), m_model(new PinnedModel(this)) {
    setModel(m_model);
    setItemDelegate(new PinnedDelegate(m_model));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setMouseTracking(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    viewport()->setAutoFillBackground(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &now) {
        if (now.isValid())
            emit chosen(static_cast<std::size_t>(now.row()));
    });
}

void PinnedList::show(const Compared &all, const ChartStyle &style) {
    if (m_to >= 0)
        return; // one is being dragged
    const bool more = static_cast<int>(all.scenarios.size()) != m_model->rowCount({});
    const QFont font = m_model->style().font;
    m_model->show(all, style);
    if (more || font != style.font) {
        scheduleDelayedItemsLayout();
        updateGeometry();
    }
}

std::size_t PinnedList::selected() const { return currentIndex().isValid() ? static_cast<std::size_t>(currentIndex().row()) : 0; }

void PinnedList::select(std::size_t index) {
    const QSignalBlocker quiet(selectionModel());
    setCurrentIndex(m_model->index(static_cast<int>(index)));
    viewport()->update();
}

QSize PinnedList::sizeHint() const {
    const int rows = std::max(1, m_model->rowCount({}));
    return {280, rows * (static_cast<int>(pinnedHeight(m_model->style())) + 4) + 2};
}

QSize PinnedList::minimumSizeHint() const { return {180, std::min(sizeHint().height(), 2 * (static_cast<int>(pinnedHeight(m_model->style())) + 4) + 2)}; }

bool PinnedList::event(QEvent *event) {
    // Escape belongs to the drag while there is one, Alt with the arrows and Delete to the list.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if ((key->key() == Qt::Key_Escape && m_from >= 0) || key->key() == Qt::Key_F2 || key->key() == Qt::Key_Delete) {
            event->accept();
            return true;
        }
    }
    return QListView::event(event);
}

void PinnedList::paintEvent(QPaintEvent *event) {
    QListView::paintEvent(event);
    if (m_to < 0)
        return;
    // Where it would fall, between two others.
    const QRect at = visualRect(m_model->index(m_to));
    const int y = m_to > m_from ? at.bottom() - 1 : at.top();
    QPainter painter(viewport());
    painter.fillRect(QRect(0, std::max(0, y - 1), viewport()->width(), 3), colorsOf(palette()).accent);
}

int PinnedList::rowAt(double y) const {
    for (int row = 0; row < m_model->rowCount({}); ++row)
        if (y < visualRect(m_model->index(row)).bottom())
            return row;
    return m_model->rowCount({}) - 1;
}

void PinnedList::mousePressEvent(QMouseEvent *event) {
    QListView::mousePressEvent(event);
    const QModelIndex at = indexAt(event->position().toPoint());
    m_from = event->button() == Qt::LeftButton && at.isValid() ? at.row() : -1;
    m_to = -1;
    m_pressed = event->position().toPoint();
}

void PinnedList::mouseMoveEvent(QMouseEvent *event) {
    if (m_from < 0)
        return QListView::mouseMoveEvent(event);
    if (m_to < 0 && (event->position().toPoint() - m_pressed).manhattanLength() < QApplication::startDragDistance())
        return;
    m_to = rowAt(event->position().y());
    viewport()->update();
}

void PinnedList::mouseReleaseEvent(QMouseEvent *event) {
    const int from = m_from, to = m_to;
    m_from = m_to = -1;
    viewport()->update();
    if (from >= 0 && to >= 0 && from != to)
        emit moveAsked(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    QListView::mouseReleaseEvent(event);
}

void PinnedList::mouseDoubleClickEvent(QMouseEvent *event) {
    if (const QModelIndex at = indexAt(event->position().toPoint()); at.isValid() && event->button() == Qt::LeftButton)
        emit openAsked(static_cast<std::size_t>(at.row()));
}

void PinnedList::keyPressEvent(QKeyEvent *event) {
    const int row = currentIndex().row(), last = m_model->rowCount({}) - 1;
    const bool alt = event->modifiers() & Qt::AltModifier;
    switch (event->key()) {
    case Qt::Key_Escape:
        if (m_from < 0)
            break;
        m_from = m_to = -1;
        return viewport()->update();
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int to = row + (event->key() == Qt::Key_Up ? -1 : 1);
        if (!alt || row < 0)
            break;
        if (to >= 0 && to <= last)
            emit moveAsked(static_cast<std::size_t>(row), static_cast<std::size_t>(to));
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (row >= 0)
            emit openAsked(static_cast<std::size_t>(row));
        return;
    case Qt::Key_F2:
        if (row >= 0)
            emit renameAsked(static_cast<std::size_t>(row));
        return;
    case Qt::Key_Delete:
        if (row >= 0)
            emit removeAsked(static_cast<std::size_t>(row));
        return;
    default: break;
    }
    QListView::keyPressEvent(event);
}

} // namespace kv
