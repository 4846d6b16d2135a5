// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charttables.h"

#include "ui/charts/growthpicture.h"

#include <array>

namespace kv {

namespace {

QString fromUtf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

ChartTable::Cell sizeCell(Bytes bytes, SizeUnit unit) { return {fromUtf8(writeBytes(bytes, unit)), QVariant::fromValue(bytes.value)}; }

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
        row([&](int column) { return model.index(r, column).data().toString(); });
}

} // namespace

void ChartTable::show(Content content) {
    const auto sameShape = [&] { return content.headers == m_content.headers && content.rows.size() == m_content.rows.size(); };
    if (!sameShape()) {
        beginResetModel();
        m_content = std::move(content);
        endResetModel();
        return;
    }
    for (qsizetype row = 0; row < content.rows.size(); ++row) {
        if (content.rows[row] == m_content.rows[row])
            continue;
        m_content.rows[row] = content.rows[row];
        emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), columnCount() - 1));
    }
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
    case Qt::DisplayRole: return cell.text;
    case ExactRole: return cell.exact;
    case Qt::TextAlignmentRole: return QVariant(index.column() == 0 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant ChartTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= m_content.headers.size())
        return {};
    return m_content.headers[section];
}

ChartTable::Content ChartTable::of(const GpuBars &bars) {
    Content content;
    content.headers = {tr("GPU"), tr("Card"), tr("Memory")};
    QList<MemoryKind> kinds;
    for (int i = 0; i < memoryKinds; ++i)
        if (const auto kind = static_cast<MemoryKind>(i); bars.holds(kind)) {
            kinds.append(kind);
            content.headers.append(bars.kindName(kind));
        }
    if (bars.replicated)
        content.headers.append(tr("Repeats another's KV"));
    for (const GpuBar &bar : bars.bars) {
        QList<Cell> row{{bar.label, QVariant::fromValue(bar.gpus)}, {bar.card, {}}};
        row.append(bar.host ? Cell{} : sizeCell(bar.figures.memory, bars.unit));
        for (const MemoryKind kind : kinds)
            row.append(sizeCell(GpuBars::figure(bar, kind), bars.unit));
        if (bars.replicated)
            row.append({bar.figures.kvReplicated ? tr("yes") : tr("no"), bar.figures.kvReplicated});
        content.rows.append(row);
    }
    return content;
}

ChartTable::Content ChartTable::of(const GrowthPicture &picture) {
    Content content;
    const GrowthCurve *present = picture.present();
    if (!present || !picture.message.isEmpty())
        return content;
    content.headers = {tr("Context")};
    for (const GrowthCurve &curve : picture.curves)
        content.headers.append(curve.label);
    content.headers.append(tr("Left for KV"));
    for (const SweepPoint &point : present->points) {
        if (point.context < picture.from || point.context > picture.to)
            continue;
        QList<Cell> row{{fromUtf8(writeNumber(point.context.value)), QVariant::fromValue(point.context.value)}};
        for (const GrowthCurve &curve : picture.curves) {
            const std::optional<Bytes> value = curve.at(point.context);
            row.append(value ? sizeCell(*value, picture.unit) : Cell{});
        }
        row.append(sizeCell(picture.budget, picture.unit));
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
