// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/label.h"
#include "ui/controls/searchlist.h"
#include "ui/style.h"
#include "ui/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace kv {

namespace {

class ChoiceDelegate : public QStyledItemDelegate {
public:
    ChoiceDelegate(QString current, QObject *parent) : QStyledItemDelegate(parent), m_current(std::move(current)) {}

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override {
        return {em(10), em(index.data(ChoiceModel::HeaderRole).toBool() ? 1.75 : 1.6)};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        const Colors &c = colorsOf(option.palette);
        const QRect line = option.rect.adjusted(em(0.55), 0, -em(0.55), 0);
        painter->save();
        if (index.data(ChoiceModel::HeaderRole).toBool()) {
            painter->setFont(scaledFont(type::caption, QFont::DemiBold));
            painter->setPen(c.muted);
            painter->drawText(line.adjusted(0, em(0.3), 0, 0), Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        } else {
            paintChoice(*painter, option, line, index, c);
        }
        painter->restore();
    }

private:
    void paintChoice(QPainter &painter, const QStyleOptionViewItem &option, const QRect &line, const QModelIndex &index,
                     const Colors &c) const {
        const bool marked = option.state & QStyle::State_Selected;
        if (marked)
            painter.fillRect(option.rect, c.accent);
        else if (option.state & QStyle::State_MouseOver)
            painter.fillRect(option.rect, c.hover);
        const bool mine = index.data(ChoiceModel::IdRole).toString() == m_current;
        const QFont titleFont = scaledFont(1, mine ? QFont::DemiBold : QFont::Normal), detailFont = scaledFont(type::caption);
        const QString detail = index.data(ChoiceModel::DetailRole).toString();
        const int detailWidth = std::min(QFontMetrics(detailFont).horizontalAdvance(detail) + 2, line.width() * 3 / 5);
        painter.setFont(titleFont);
        painter.setPen(marked ? c.onAccent : c.text);
        const int room = line.width() - detailWidth - em(1.4);
        if (mine)
            painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("✓"));
        painter.drawText(line.adjusted(em(0.85), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(titleFont).elidedText(index.data().toString(), Qt::ElideRight, room));
        painter.setFont(detailFont);
        painter.setPen(marked ? c.onAccent : c.muted);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                         QFontMetrics(detailFont).elidedText(detail, Qt::ElideRight, detailWidth));
    }

    QString m_current;
};

} // namespace

SearchPopup::SearchPopup(ChoiceModel *model, const QString &hint, const QString &current, QWidget *owner)
    : QWidget(owner, Qt::Popup), m_model(model), m_line(new QLineEdit), m_list(new QListView),
      m_nothing(new Label(Label::Voice::Muted, tr("Nothing matches"))), m_current(current) {
    setAttribute(Qt::WA_DeleteOnClose);
    m_model->setFilter({});
    m_line->setPlaceholderText(hint.arg(m_model->choiceCount()));
    m_line->setAccessibleName(m_line->placeholderText());
    m_line->setObjectName(owner->objectName() + QStringLiteral("Search"));
    m_line->setClearButtonEnabled(true);
    m_line->installEventFilter(this);
    m_list->setObjectName(owner->objectName() + QStringLiteral("List"));
    m_list->setAccessibleName(owner->accessibleName());
    m_list->setModel(m_model);
    m_list->setItemDelegate(new ChoiceDelegate(current, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->setAttribute(Qt::WA_Hover);
    static_cast<QLabel *>(m_nothing)->setAlignment(Qt::AlignCenter);
    m_nothing->hide();

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(em(0.4), em(0.4), em(0.4), em(0.4));
    column->setSpacing(em(0.3));
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    column->addWidget(m_nothing, 1);
    connect(m_line, &QLineEdit::textChanged, this, &SearchPopup::narrow);
    connect(m_list, &QListView::clicked, this, &SearchPopup::take);
}

void SearchPopup::openUnder(const QWidget *owner, const QString &typed) {
    const QRect screen = owner->screen()->availableGeometry();
    const int wish = em(1.65) * std::min(m_model->rowCount(), 16) + em(3.2);
    const QPoint below = owner->mapToGlobal(QPoint(0, owner->height() + 2));
    const int roomBelow = screen.bottom() - below.y() - 8;
    const int roomAbove = owner->mapToGlobal(QPoint(0, 0)).y() - screen.top() - 8;
    const bool up = roomBelow < std::min(wish, em(10)) && roomAbove > roomBelow;
    const int h = std::min(wish, up ? roomAbove : roomBelow);
    const int w = std::min(std::max(owner->width(), em(24)), screen.width() - 16);
    const int x = std::clamp(below.x(), screen.left() + 4, std::max(screen.left() + 4, screen.right() - w - 4));
    setGeometry(x, up ? owner->mapToGlobal(QPoint(0, 0)).y() - h - 2 : below.y(), w, h);
    m_line->setText(typed);
    narrow(typed);
    show();
    m_line->setFocus(Qt::PopupFocusReason);
    select(typed.isEmpty() ? m_model->rowOf(m_current) : m_model->nextChoice(-1, 1));
}

bool SearchPopup::eventFilter(QObject *watched, QEvent *event) {
    if (watched == m_line && event->type() == QEvent::KeyPress && walk(static_cast<QKeyEvent *>(event)->key()))
        return true;
    return QWidget::eventFilter(watched, event);
}

void SearchPopup::paintEvent(QPaintEvent *) {
    const Colors &c = colorsOf(palette());
    QPainter painter(this);
    painter.fillRect(rect(), c.card);
    painter.setPen(c.border.darker(c.dark ? 100 : 115));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void SearchPopup::narrow(const QString &typed) {
    m_model->setFilter(typed);
    const bool any = m_model->rowCount() > 0;
    m_list->setVisible(any);
    m_nothing->setVisible(!any);
    if (any)
        select(m_model->nextChoice(-1, 1));
}

void SearchPopup::select(int row) {
    if (row < 0)
        row = m_model->nextChoice(-1, 1);
    if (row < 0)
        return;
    const QModelIndex index = m_model->index(row);
    m_list->setCurrentIndex(index);
    // The first of a group shows its group's name too.
    if (row > 0 && m_model->nextChoice(row, -1) != row - 1)
        m_list->scrollTo(m_model->index(row - 1));
    m_list->scrollTo(index);
}

void SearchPopup::take(const QModelIndex &index) {
    const QString id = index.data(ChoiceModel::IdRole).toString();
    if (!index.isValid() || index.data(ChoiceModel::HeaderRole).toBool())
        return;
    close();
    emit chosen(id);
}

bool SearchPopup::walk(int key) {
    const int row = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
    int next = -1;
    switch (key) {
    case Qt::Key_Down:
        next = m_model->nextChoice(row, 1);
        break;
    case Qt::Key_Up:
        next = m_model->nextChoice(row, -1);
        break;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp: {
        const int direction = key == Qt::Key_PageDown ? 1 : -1;
        next = row;
        for (int i = 0; i < 8; ++i)
            if (const int further = m_model->nextChoice(next, direction); further >= 0)
                next = further;
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        take(m_list->currentIndex());
        return true;
    case Qt::Key_Escape:
        close();
        return true;
    default:
        return false;
    }
    if (next >= 0)
        select(next);
    return true;
}

} // namespace kv
