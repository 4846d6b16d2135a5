// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A GPU by hand: adds one to the user's own list, changes or removes one of it. What cannot be read is said under the entries in core's
// sentences, and nothing is written until all of it can be.

#include "core/hardware/gpu.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace kv {

class Label;

class OwnGpuDialog : public QDialog {
    Q_OBJECT

public:
    /// Shows the own GPU of this id, where there is one, to change it; else a new one.
    OwnGpuDialog(const std::string &id, QWidget *parent);

signals:
    /// It was added or changed, and is in the list now.
    void saved(const QString &id);
    void removed(const QString &id);

private:
    void addRow(int row, const QString &label, QWidget *entry, const QString &hint);
    QLineEdit *addLine(int row, const char *name, const QString &label, const QString &example, const QString &hint);
    void fillChoice(const std::string &id);
    void show(int index);
    void save();
    void removeShown();
    void say(const QString &sentence);

    QComboBox *m_choice;
    QLineEdit *m_name = nullptr, *m_memory = nullptr, *m_usable = nullptr, *m_bandwidth = nullptr, *m_perNode = nullptr, *m_maker = nullptr;
    QComboBox *m_kind;
    Label *m_fault;
    QPushButton *m_remove, *m_save;
};

} // namespace kv
