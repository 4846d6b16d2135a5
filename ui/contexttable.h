// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of memory, users and fit at the usual contexts, 4k to 1M and the present one: a model to show, copy and test.

#include "core/base/quantity.h"
#include "core/plan/sweep.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace kv {

class ContextTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { ContextColumn, PerSequence, Total, Users, Fits, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void present(const Scenario &scenario, const Plan &plan, SizeUnit unit);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const TableRow &row, int column) const;
    QVariant exact(const TableRow &row, int column) const;

    std::vector<TableRow> m_rows;
    SizeUnit m_unit = SizeUnit::Decimal;
    std::int64_t m_sequences = 0, m_context = 0;
};

/// A view of numbers that Ctrl+C copies as tab-separated text: what is selected, or all of it.
class NumbersView : public QTableView {
    Q_OBJECT

public:
    explicit NumbersView(QWidget *parent = nullptr);
    void copy();
    void setModel(QAbstractItemModel *model) override;

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void takeFont();
    void shareWidth();
};

} // namespace kv
