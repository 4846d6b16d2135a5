// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Further kinds of cards in one machine, beside the first, which the hardware panel itself shows: a line for each with its card, how many of
// it, and a cross to take it out; and under them the way to one more. Only where the engine splits a model over unlike cards.

#include "core/scenario/scenario.h"

#include <QWidget>

class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace kv {

class QuantityEdit;
class SearchList;

class DeviceRows : public QWidget {
    Q_OBJECT

public:
    explicit DeviceRows(QWidget *parent = nullptr);
    /// The kinds from the second on; the first is the panel's.
    void present(const std::vector<Device> &devices);

signals:
    void cardChosen(int device, const QString &id);
    void countEdited(int device, qint64 count, int gesture);
    void removed(int device);
    void added();
    void refused(const QString &sentence);

private:
    struct Row {
        QWidget *line = nullptr;
        SearchList *card = nullptr;
        QuantityEdit *count = nullptr;
    };
    Row makeRow(int device);

    QVBoxLayout *m_lines;
    QList<Row> m_rows;
    const Gpu *m_listed = nullptr; ///< the list that the choosers show
    QPushButton *m_add;
};

} // namespace kv
