// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/contexttable.h"

#include "ui/charts/charttables.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>
#include <set>

namespace kv {

namespace {

constexpr std::int64_t k = 1024;
constexpr std::int64_t usualContexts[]{4 * k, 8 * k, 16 * k, 32 * k, 64 * k, 128 * k, 256 * k, 512 * k, k * k};

} // namespace

void ContextTable::present(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    beginResetModel();
    m_unit = unit;
    m_sequences = scenario.workload.sequences.value;
    m_context = scenario.workload.context.value;
    std::set<std::int64_t> contexts(std::begin(usualContexts), std::end(usualContexts));
    contexts.insert(m_context);
    std::vector<Tokens> asked;
    asked.reserve(contexts.size());
    for (const std::int64_t context : contexts)
        asked.emplace_back(context);
    m_rows = plan.ok() ? tableAt(scenario, asked) : std::vector<TableRow>{};
    endResetModel();
}

int ContextTable::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int ContextTable::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ContextTable::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TableRow &row = m_rows[static_cast<std::size_t>(index.row())];
    const bool here = row.context.value == m_context;
    switch (role) {
    case Qt::DisplayRole:
        return cell(row, index.column());
    case ChartTable::ExactRole:
        return exact(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == Fits ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole:
        return here ? QVariant(scaledFont(1, QFont::DemiBold)) : QVariant();
    case Qt::ForegroundRole:
        if (index.column() == Fits) {
            const auto *shows = qobject_cast<const QWidget *>(QObject::parent()); // which may be on paper, whatever the desktop is
            const Colors &c = colorsOf(shows ? shows->palette() : QGuiApplication::palette());
            return row.fits ? c.goodText : c.badText;
        }
        return {};
    case Qt::ToolTipRole:
        if (index.column() == PerSequence || index.column() == Total)
            return translated(writeNumber((index.column() == Total ? row.total : row.perSequence).value) + " B");
        return here ? QVariant(tr("The present context")) : QVariant();
    default:
        return {};
    }
}

QVariant ContextTable::exact(const TableRow &row, int column) const {
    switch (column) {
    case ContextColumn:
        return QVariant::fromValue(row.context.value);
    case PerSequence:
        return QVariant::fromValue(row.perSequence.value);
    case Total:
        return QVariant::fromValue(row.total.value);
    case Users:
        return row.maxSequences ? QVariant::fromValue(*row.maxSequences) : QVariant();
    case Fits:
        return row.fits ? QStringLiteral("yes") : QStringLiteral("no"); // for programs
    default:
        return {};
    }
}

QString ContextTable::cell(const TableRow &row, int column) const {
    switch (column) {
    case ContextColumn: {
        const QString exact = translated(writeNumber(row.context.value)), shorter = translated(writeTokensShort(row.context));
        return exact == shorter ? exact : QStringLiteral("%1 · %2").arg(shorter, exact);
    }
    case PerSequence:
        return translated(writeBytes(row.perSequence, m_unit));
    case Total:
        return translated(writeBytes(row.total, m_unit));
    case Users:
        return row.maxSequences ? translated(writeNumber(*row.maxSequences)) : tr("no limit");
    case Fits:
        return row.fits ? tr("✓ fits") : tr("✕ does not fit");
    default:
        return {};
    }
}

QVariant ContextTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(section == Fits ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ContextColumn:
        return tr("Context");
    case PerSequence:
        return tr("Per Sequence");
    case Total:
        return m_sequences == 1 ? tr("1 Sequence") : tr("%1 Sequences").arg(translated(writeNumber(m_sequences)));
    case Users:
        return tr("Most Sequences");
    case Fits:
        return tr("Fit");
    default:
        return {};
    }
}

NumbersView::NumbersView(QWidget *parent) : QTableView(parent) {
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setCornerButtonEnabled(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    viewport()->setAutoFillBackground(false);
    takeFont();
}

void NumbersView::setModel(QAbstractItemModel *model) {
    QTableView::setModel(model);
    if (model)
        connect(model, &QAbstractItemModel::modelReset, this, &NumbersView::shareWidth);
    shareWidth();
}

/// Words take what they need, so that no name is cut; the figures share the rest.
void NumbersView::shareWidth() {
    QHeaderView *header = horizontalHeader();
    const bool any = model() && model()->rowCount() > 0;
    for (int column = 0; column < header->count(); ++column) {
        const QVariant alignment = any ? model()->index(0, column).data(Qt::TextAlignmentRole) : QVariant();
        const bool text = alignment.isValid() && (alignment.toInt() & Qt::AlignLeft);
        header->setSectionResizeMode(column, text ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
    }
}

void NumbersView::copy() {
    if (!model())
        return;
    QStringList lines;
    QStringList cells;
    for (int c = 0; c < model()->columnCount(); ++c)
        cells += model()->headerData(c, Qt::Horizontal).toString();
    lines += cells.join(QLatin1Char('\t'));
    const bool all = !selectionModel() || !selectionModel()->hasSelection();
    for (int r = 0; r < model()->rowCount(); ++r) {
        if (!all && !selectionModel()->isRowSelected(r))
            continue;
        cells.clear();
        for (int c = 0; c < model()->columnCount(); ++c)
            cells += model()->index(r, c).data().toString();
        lines += cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
}

void NumbersView::keyPressEvent(QKeyEvent *event) {
    if (event->matches(QKeySequence::Copy))
        return copy();
    QTableView::keyPressEvent(event);
}

void NumbersView::changeEvent(QEvent *event) {
    if (event->type() == QEvent::ApplicationFontChange)
        takeFont();
    QTableView::changeEvent(event);
}

void NumbersView::takeFont() { verticalHeader()->setDefaultSectionSize(em(1.7)); }

} // namespace kv
