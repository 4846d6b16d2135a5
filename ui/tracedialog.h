// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which columns of a trace are the lengths of its requests, beside its first rows: an input, an output, both, or a total.

#include "core/workload/trace.h"

#include <QDialog>

class QComboBox;
class QGridLayout;
class QPushButton;
class QTableWidget;

namespace kv {

class Label;

class TraceDialog : public QDialog {
    Q_OBJECT

public:
    TraceDialog(const QString &path, TracePreview preview, const LengthColumns &chosen, QWidget *parent = nullptr);

signals:
    void chosen(const kv::LengthColumns &columns);

private:
    QTableWidget *makeRows() const;
    QComboBox *addChoice(QGridLayout *grid, const QString &name, const char *objectName, const QString &tip, const std::string &chosen);
    void check();
    LengthColumns columns() const;

    TracePreview m_preview;
    QComboBox *m_input, *m_output, *m_total;
    Label *m_said;
    QPushButton *m_take;
};

} // namespace kv
