#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chart's numbers as a table: for the keyboard, for screen readers and to copy. The texts are those of the chart; the exact
// number (bytes, tokens, GPUs) is under ExactRole. Rows are updated in place, so that a selection survives a slider.

#include "core/plan/sweep.h"
#include "ui/charts/gpubars.h"

#include <QAbstractTableModel>
#include <QVariant>

namespace kv {

struct GrowthPicture;

class ChartTable : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int ExactRole = Qt::UserRole, WordsRole = Qt::UserRole + 1; ///< the exact number; whether the cell is words that only stand for one
    static constexpr int PlainRole = Qt::UserRole + 2; ///< as files have it, whatever the locale's marks are; not every model has it

    /// A number is written only when somebody looks: a slider changes hundreds of cells that nobody sees.
    struct Cell {
        enum class Form : std::uint8_t { Empty, Text, Number, Size } form = Form::Empty;
        std::int64_t number = 0;
        QString text{}; ///< of a Text; the number is then what it stands for
        bool operator==(const Cell &) const = default;
    };
    struct Content {
        QStringList headers;
        QList<QList<Cell>> rows;
        SizeUnit unit = SizeUnit::Decimal;
    };

    using QAbstractTableModel::QAbstractTableModel;
    void show(Content content);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static Content of(const GpuBars &bars);
    static Content of(const GrowthPicture &picture);

private:
    /// Words to the left, figures to the right, a head like its column.
    QVariant alignment(int column) const;

    Content m_content;
};

/// The whole model with its headers, columns parted by tabs.
QString tableAsTsv(const QAbstractItemModel &model);
/// RFC 4180, with the exact number where a cell has one.
QString tableAsCsv(const QAbstractItemModel &model);
/// As a Markdown table; whatever Markdown or HTML would read as markup is escaped.
QString tableAsMarkdown(const QAbstractItemModel &model);

} // namespace kv
