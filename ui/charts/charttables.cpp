// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charttables.h"

#include "core/base/plaintext.h"
#include "core/report/csv.h"
#include "ui/charts/growthpicture.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <algorithm>

namespace kv {

namespace {

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

using Cell = ChartTable::Cell;
using Form = ChartTable::Cell::Form;

Cell sizeCell(Bytes bytes) { return {Form::Size, bytes.value}; }
Cell textCell(const QString &text, std::int64_t number = 0) { return {Form::Text, number, text}; }

QString written(const Cell &cell, SizeUnit unit) {
    switch (cell.form) {
    case Form::Empty: return {};
    case Form::Text: return cell.text;
    case Form::Number: return fromUtf8(writeNumber(cell.number));
    case Form::Size: return fromUtf8(writeBytes(Bytes(cell.number), unit));
    }
    return {};
}

QString escapedMarkdown(const QString &text) {
    QString result;
    for (const QChar c : text) {
        if (QStringLiteral("\\`*_[]<>|&#").contains(c))
            result += QLatin1Char('\\');
        result += c == QLatin1Char('\n') ? QLatin1Char(' ') : c;
    }
    return result;
}

QString escapedTsv(QString text) { return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' ')); }

template <typename Write>
void eachRow(const QAbstractItemModel &model, Write write) {
    const auto row = [&](auto text) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells.append(text(column));
        write(cells);
    };
    row([&](int column) { return model.headerData(column, Qt::Horizontal).toString(); });
    for (int r = 0; r < model.rowCount(); ++r)
        row([&](int column) {
            const QModelIndex index = model.index(r, column);
            const QVariant plain = index.data(ChartTable::PlainRole);
            return (plain.isValid() ? plain : index.data()).toString();
        });
}

} // namespace

void ChartTable::show(Content content) {
    if (content.headers != m_content.headers || content.rows.size() != m_content.rows.size()) {
        beginResetModel();
        m_content = std::move(content);
        endResetModel();
        return;
    }
    const bool all = content.unit != m_content.unit;
    qsizetype first = content.rows.size(), last = -1;
    for (qsizetype row = 0; row < content.rows.size(); ++row)
        if (all || content.rows[row] != m_content.rows[row]) {
            first = std::min(first, row);
            last = row;
        }
    m_content = std::move(content);
    if (last >= first)
        emit dataChanged(index(static_cast<int>(first), 0), index(static_cast<int>(last), columnCount() - 1));
}

QVariant ChartTable::alignment(int column) const {
    const bool text = column == 0 || (!m_content.rows.isEmpty() && m_content.rows.first()[column].form == Form::Text);
    return QVariant((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

int ChartTable::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_content.rows.size()); }

int ChartTable::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_content.headers.size());
}

QVariant ChartTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Cell &cell = m_content.rows[index.row()][index.column()];
    switch (role) {
    case Qt::DisplayRole: return cell.form == Form::Text ? cell.text : translated(utf8(written(cell, m_content.unit)));
    case PlainRole: return written(cell, m_content.unit);
    case WordsRole: return cell.form == Form::Text;
    case ExactRole: return cell.form == Form::Empty ? QVariant() : QVariant::fromValue(cell.number);
    case Qt::TextAlignmentRole: return alignment(index.column());
    default: return {};
    }
}

QVariant ChartTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= m_content.headers.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    if (role != Qt::DisplayRole)
        return {};
    return m_content.headers[section];
}

ChartTable::Content ChartTable::of(const GpuBars &bars) {
    Content content{{tr("GPU"), tr("Card"), tr("Memory")}, {}, bars.unit};
    QList<MemoryKind> kinds;
    for (int i = 0; i < memoryKinds; ++i)
        if (const auto kind = static_cast<MemoryKind>(i); bars.holds(kind)) {
            kinds.append(kind);
            content.headers.append(bars.nameWithBand(kind));
        }
    if (bars.replicated)
        content.headers.append(tr("Repeats another's KV"));
    for (const GpuBar &bar : bars.bars) {
        QList<Cell> row{textCell(bar.label, bar.gpus), textCell(bar.card), bar.host && bar.figures.memory == Bytes(0) ? Cell{} : sizeCell(bar.figures.memory)};
        for (const MemoryKind kind : kinds)
            row.append(sizeCell(GpuBars::figure(bar, kind)));
        if (bars.replicated)
            row.append(textCell(bar.figures.kvReplicated ? tr("yes") : tr("no"), bar.figures.kvReplicated));
        content.rows.append(row);
    }
    return content;
}

ChartTable::Content ChartTable::of(const GrowthPicture &picture) {
    const GrowthCurve *present = picture.present();
    if (!present || !picture.message.isEmpty())
        return {};
    Content content{{tr("Context")}, {}, picture.unit};
    for (const GrowthCurve &curve : picture.curves)
        content.headers.append(curve.label);
    content.headers.append(tr("Left for KV"));
    for (const SweepPoint &point : present->points) {
        if (point.context < picture.from || point.context > picture.to)
            continue;
        QList<Cell> row{{Form::Number, point.context.value}};
        for (const GrowthCurve &curve : picture.curves) {
            const std::optional<Bytes> value = curve.at(point.context);
            row.append(value ? sizeCell(*value) : Cell{});
        }
        row.append(sizeCell(picture.budget));
        content.rows.append(row);
    }
    return content;
}

QString tableAsTsv(const QAbstractItemModel &model) {
    QString text;
    eachRow(model, [&](QStringList cells) {
        for (QString &cell : cells)
            cell = escapedTsv(cell);
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    });
    return text;
}

QString tableAsCsv(const QAbstractItemModel &model) {
    const auto cell = [](const QVariant &exact, const QString &text) {
        const QString shown = exact.isValid() ? exact.toString() : text;
        return fromUtf8(csvCell(oneLine(shown.toStdString())));
    };
    QStringList lines(model.rowCount() + 1);
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString comma = column > 0 ? QStringLiteral(",") : QString();
        lines[0] += comma + cell({}, model.headerData(column, Qt::Horizontal).toString());
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex index = model.index(row, column);
            const bool words = index.data(ChartTable::WordsRole).toBool();
            lines[row + 1] += comma + cell(words ? QVariant() : index.data(ChartTable::ExactRole), index.data().toString());
        }
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString tableAsMarkdown(const QAbstractItemModel &model) {
    QString text;
    eachRow(model, [&](QStringList cells) {
        const bool header = text.isEmpty();
        for (QString &cell : cells)
            cell = escapedMarkdown(cell);
        text += QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
        if (header) {
            text += QStringLiteral("|---|");
            for (qsizetype i = 1; i < cells.size(); ++i)
                text += QStringLiteral("---:|");
            text += QLatin1Char('\n');
        }
    });
    return text;
}

} // namespace kv
