// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Kinds of requests as a table: name, share, text and media tokens of the input, output. What is wrong with it is said under the table
// while it is typed, and only a mix that can be read is taken.

#include "core/workload/percentiles.h"

#include <QDialog>

class QPushButton;
class QTableWidget;

namespace kv {

class Label;

class ClassesDialog : public QDialog {
    Q_OBJECT

public:
    explicit ClassesDialog(std::vector<RequestClass> classes, QWidget *parent = nullptr);

signals:
    /// `workload.lengths` of a scenario: {"classes": […]}.
    void chosen(const kv::Json &lengths);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void buildTable();
    void buildButtons();
    void addRow(const RequestClass &one);
    void removeRows();
    void check();
    /// Nothing is wrong with what nobody has typed in yet.
    void checkUntouched();
    /// What the table says, or the first thing wrong with it, by row and column.
    Parsed<std::vector<RequestClass>> read() const;

    QTableWidget *m_table;
    Label *m_said;
    QPushButton *m_take;
    QPushButton *m_remove;
};

} // namespace kv
