// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/learn/lessonlist.h"

#include "ui/theme.h"
#include "ui/words.h"

#include <QApplication>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace kv {

namespace {

constexpr int numberPlaces = 2;
constexpr int wrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

int widestDigit(const QFontMetrics &metrics) {
    int widest = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
    return widest;
}

class RowDelegate : public QStyledItemDelegate {
public:
    explicit RowDelegate(LessonList *list) : QStyledItemDelegate(list), m_list(list) {}

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        const int width = m_list->viewport()->width() - 2 * m_list->spacing();
        const QRect room = titleRoom(QRect(0, 0, width, 10'000), option.fontMetrics);
        const int height = option.fontMetrics.boundingRect(room, wrapped, index.data().toString()).height();
        return {em(6), height + 2 * margin()};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        ground.text.clear();
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, m_list);
        const Colors &c = colorsOf(option.palette);
        const bool chosen = option.state & QStyle::State_Selected;
        const int number = index.data(LessonList::NumberRole).toInt();
        painter->save();
        painter->setFont(option.font);
        painter->setPen(chosen ? option.palette.color(QPalette::HighlightedText) : number > 0 ? c.text : c.badText);
        if (number > 0)
            paintNumber(*painter, option.rect, option.fontMetrics, number);
        const QRect mark = markRoom(option.rect, option.fontMetrics);
        if (number == 0 || index.data(LessonList::DoneRole).toBool())
            painter->drawText(mark, Qt::AlignHCenter | Qt::AlignTop, number > 0 ? QString(QChar(0x2713)) : QStringLiteral("!"));
        painter->drawText(titleRoom(option.rect, option.fontMetrics), wrapped, index.data().toString());
        painter->restore();
    }

private:
    static int margin() { return em(0.12); }

    /// From the left: the digits, the tick, the title; from right to left where the language is so.
    QRect placed(const QRect &row, int left, int width) const {
        const QRect there(row.left() + margin() + left, row.top() + margin(), width, row.height() - 2 * margin());
        return QStyle::visualRect(m_list->layoutDirection(), row, there);
    }
    QRect markRoom(const QRect &row, const QFontMetrics &metrics) const { return placed(row, numberPlaces * widestDigit(metrics) + em(0.2), em(1)); }
    QRect titleRoom(const QRect &row, const QFontMetrics &metrics) const {
        const int left = numberPlaces * widestDigit(metrics) + em(1.4);
        return placed(row, left, std::max(em(3), row.width() - left - 2 * margin()));
    }

    void paintNumber(QPainter &painter, const QRect &row, const QFontMetrics &metrics, int number) const {
        const QString digits = QString::number(number);
        const int cell = widestDigit(metrics);
        const QRect room = placed(row, 0, numberPlaces * cell);
        for (qsizetype i = 0; i < digits.size(); ++i)
            painter.drawText(QRect(room.right() + 1 - cell * static_cast<int>(digits.size() - i), room.top(), cell, room.height()), Qt::AlignHCenter | Qt::AlignTop, digits.mid(i, 1));
    }

    LessonList *m_list;
};

} // namespace

LessonList::LessonList(QWidget *parent) : QListWidget(parent) {
    setFrameShape(QFrame::NoFrame);
    setSpacing(em(0.14));
    setResizeMode(QListView::Adjust); // titles break anew
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegate(new RowDelegate(this));
    viewport()->setAutoFillBackground(false);
}

void LessonList::addLesson(int number, bool done, const QString &title, const QString &tip) {
    auto *item = new QListWidgetItem(title, this);
    item->setData(NumberRole, number);
    item->setData(DoneRole, done);
    item->setData(Qt::AccessibleTextRole, done ? tr("%1, done").arg(title) : title);
    item->setToolTip(plainTip(tip));
}

void LessonList::addFault(const QString &sentence) {
    auto *item = new QListWidgetItem(sentence, this);
    item->setToolTip(plainTip(sentence));
}

bool LessonList::isLesson(int row) const { return row >= 0 && row < count() && item(row)->data(NumberRole).toInt() > 0; }

} // namespace kv
