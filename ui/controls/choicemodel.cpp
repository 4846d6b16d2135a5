// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/choicemodel.h"

#include "ui/language/translate.h"
#include "ui/words.h"

#include <algorithm>

namespace kv {

void ChoiceModel::setChoices(const QList<Choice> &choices) {
    if (choices == m_choices)
        return;
    m_choices = choices;
    build();
}

void ChoiceModel::setFilter(const QString &typed) {
    const QStringList typedWords = typed.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (typedWords == m_words)
        return;
    m_words = typedWords;
    build();
}

int ChoiceModel::rowOf(const QString &id) const {
    for (qsizetype i = 0; i < m_rows.size(); ++i)
        if (m_rows.at(i).choice >= 0 && m_choices.at(m_rows.at(i).choice).id == id)
            return static_cast<int>(i);
    return -1;
}

int ChoiceModel::nextChoice(int row, int direction) const {
    for (qsizetype i = row + direction; i >= 0 && i < m_rows.size(); i += direction)
        if (m_rows.at(i).choice >= 0)
            return static_cast<int>(i);
    return -1;
}

int ChoiceModel::choiceCount() const {
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(), [this](const Row &row) { return row.choice >= 0 && !m_choices.at(row.choice).action; }));
}

int ChoiceModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChoiceModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows.at(index.row());
    if (row.choice < 0)
        return role == Qt::DisplayRole ? QVariant(row.group) : role == HeaderRole ? QVariant(true) : QVariant();
    const Choice &choice = m_choices.at(row.choice);
    switch (role) {
    case Qt::DisplayRole:
        return choice.title;
    case Qt::AccessibleTextRole:
        return choice.detail.isEmpty() ? choice.title : listed({choice.title, choice.detail});
    case Qt::ToolTipRole:
        return plainTip(choice.tip);
    case IdRole:
        return choice.id;
    case DetailRole:
        return choice.detail;
    case HeaderRole:
        return false;
    default:
        return {};
    }
}

Qt::ItemFlags ChoiceModel::flags(const QModelIndex &index) const {
    if (!index.isValid() || m_rows.at(index.row()).choice < 0)
        return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

void ChoiceModel::build() {
    beginResetModel();
    m_rows.clear();
    QString group;
    for (qsizetype i = 0; i < m_choices.size(); ++i) {
        const Choice &choice = m_choices.at(i);
        const QString all = QStringList{choice.title, choice.detail, choice.group, choice.more}.join(QLatin1Char(' '));
        const bool stays = std::all_of(m_words.begin(), m_words.end(), [&all](const QString &word) {
            return all.contains(word, Qt::CaseInsensitive);
        });
        if (!stays)
            continue;
        if (!choice.group.isEmpty() && (m_rows.isEmpty() || group != choice.group))
            m_rows.append({-1, choice.group});
        group = choice.group;
        m_rows.append({i, choice.group});
    }
    endResetModel();
}

} // namespace kv
