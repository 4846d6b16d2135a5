// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparetable.h"

#include "ui/language/language.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QFontMetrics>
#include <QGuiApplication>

#include <algorithm>

namespace kv {

namespace {

/// Rows that another language may have to tell apart by more than a plural: they are asked for by this context first.
[[maybe_unused]] constexpr const char *alike[]{QT_TRANSLATE_NOOP("core.rows", "GPU"), QT_TRANSLATE_NOOP("core.rows", "GPUs")};

QString rowName(const std::string &english) {
    const QString own = coreTranslation("core.rows", english.c_str());
    return own.isEmpty() ? translated(english) : own;
}

} // namespace

void CompareTable::show(const Compared &all, std::vector<std::size_t> columns, bool allRows) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < all.table.rows.size(); ++i) {
        // Of two scenarios only what differs between these.
        const ComparedRow &row = all.table.rows[i];
        const auto like = [&](std::size_t column) { return row.cells[column].text == row.cells[columns.front()].text && row.cells[column].number == row.cells[columns.front()].number; };
        if (allRows || !std::ranges::all_of(columns, like))
            rows.push_back(i);
    }
    const bool another = columns.size() != m_columns.size() || rows != m_rows;
    if (another)
        beginResetModel();
    m_table = all.table;
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    if (another) {
        endResetModel();
    } else {
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

int CompareTable::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int CompareTable::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()) + 1; }

QString CompareTable::text(const QModelIndex &index, bool lines) const {
    const ComparedRow &row = m_table.rows[m_rows[static_cast<std::size_t>(index.row())]];
    if (index.column() == 0)
        return rowName(row.name);
    const ComparedCell &cell = row.cells[m_columns[static_cast<std::size_t>(index.column() - 1)]];
    if (row.names)
        return words(cell.text);
    if (cell.delta.empty())
        return translated(cell.text);
    return lines ? translated(cell.text) + QLatin1Char('\n') + translated(cell.delta) : tr("%1 (%2)").arg(translated(cell.text), translated(cell.delta));
}

QVariant CompareTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ComparedRow &row = m_table.rows[m_rows[static_cast<std::size_t>(index.row())]];
    switch (role) {
    case Qt::DisplayRole: return text(index, true);
    case Qt::AccessibleTextRole: return text(index, false);
    case Qt::ToolTipRole: return plainTip(text(index, false));
    case Qt::TextAlignmentRole: return QVariant((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return index.column() > 0 && row.differs ? QVariant(scaledFont(type::caption, QFont::DemiBold)) : QVariant(scaledFont(type::caption));
    case Qt::SizeHintRole: { // the difference stands on a line of its own, apart from the next row's
        const QFontMetrics metrics(scaledFont(type::caption, QFont::DemiBold));
        const QSize lines = metrics.size(0, text(index, true));
        return QSize(lines.width() + em(1), lines.height() + em(0.45));
    }
    case Qt::ForegroundRole:
        return index.column() == 0 || !row.differs ? QVariant(colorsOf(QGuiApplication::palette()).muted) : QVariant();
    default: return {};
    }
}

QVariant CompareTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (section == 0)
        return {};
    const std::size_t scenario = m_columns[static_cast<std::size_t>(section - 1)];
    const QString name = words(m_table.names[scenario]);
    if (role == Qt::ToolTipRole)
        return plainTip(name);
    return role == Qt::DisplayRole ? QVariant(name) : QVariant();
}

} // namespace kv
