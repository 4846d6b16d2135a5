// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows of a search list: choices in groups, each group under its name, narrowed by the words that are typed. A choice stays when
// each word stands in its title, its detail, its group or its further words, in any case; groups without a choice go.

#include <QAbstractListModel>
#include <QList>

namespace kv {

struct Choice {
    QString id;
    QString group;
    QString title;
    QString detail; ///< at the right, small: "80 GB · 3.35 TB/s"
    QString more;   ///< further words to find it by, never shown
    QString tip;
    bool action = false; ///< leads to a question of its own; not counted among the choices

    bool operator==(const Choice &) const = default;
};

class ChoiceModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Roles { IdRole = Qt::UserRole, DetailRole, HeaderRole };

    using QAbstractListModel::QAbstractListModel;
    void setChoices(const QList<Choice> &choices);
    const QList<Choice> &choices() const { return m_choices; }
    void setFilter(const QString &typed);
    /// The row of an id, or −1 while it is filtered away.
    int rowOf(const QString &id) const;
    /// The next row below (1) or above (−1) `row` that is a choice; −1 when there is none.
    int nextChoice(int row, int direction) const;
    int choiceCount() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Row {
        qsizetype choice = -1; ///< −1: the header of `group`
        QString group;
    };

    void build();

    QList<Choice> m_choices;
    QList<Row> m_rows;
    QStringList m_words;
};

} // namespace kv
