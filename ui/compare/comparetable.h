// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of a comparison as a model: a row a setting or a figure, a column a scenario. Where there is no room for all scenarios it
// shows two, the baseline and the one selected. Rows that are alike are left out unless they are asked for, and then muted.

#include "ui/compare/compared.h"

#include <QAbstractTableModel>

namespace kv {

class CompareTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    /// `columns`: the scenarios shown, in their order.
    void show(const Compared &all, std::vector<std::size_t> columns, bool allRows);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const QModelIndex &index, bool lines) const; ///< the difference below the figure, or behind it

    Comparison m_table;
    std::vector<std::size_t> m_columns;
    std::vector<std::size_t> m_rows; ///< of the table
};

} // namespace kv
