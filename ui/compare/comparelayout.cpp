// SPDX-License-Identifier: GPL-3.0-or-later
// What a CompareView is made of, and where it stands by the room there is.
#include "ui/charts/chartlegend.h"
#include "ui/compare/comparetable.h"
#include "ui/compare/compareview.h"
#include "ui/compare/pinnedlist.h"
#include "ui/contexttable.h"
#include "ui/controls/flowlayout.h"
#include "ui/controls/label.h"
#include "ui/latest.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/viewexport.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <numeric>

namespace kv {

namespace {

constexpr double wideFrom = 40;     ///< em: list and table side by side, all scenarios in the table
constexpr double leastColumn = 6.2; ///< em: of a scenario in the table; below that it scrolls

} // namespace

CompareView::CompareView(QWidget *parent)
    : View(parent), m_title(new Label(Label::Voice::Strong, tr("Pinned"))), m_hint(new Label(Label::Voice::Muted)), m_list(new PinnedList), m_legend(new ChartLegend),
      m_pin(new QPushButton(tr("&Pin"))), m_open(new QPushButton(tr("Open"))), m_baselineButton(new QPushButton(tr("Baseline"))), m_rename(new QPushButton(tr("Rename…"))),
      m_remove(new QPushButton(tr("Remove"))), m_up(new QPushButton(QStringLiteral("↑"))), m_down(new QPushButton(QStringLiteral("↓"))),
      m_onCharts(new QCheckBox(tr("Baseline on the charts"))), m_allRows(new QCheckBox(tr("All rows"))), m_numbers(new QTableView), m_table(new CompareTable(this)),
      m_halves(new QBoxLayout(QBoxLayout::TopToBottom)), m_latest(new Latest(this)) {
    build();
    connectAll();
}

void CompareView::build() {
    m_list->setObjectName(QStringLiteral("compareList"));
    m_list->setAccessibleName(tr("Scenarios side by side"));
    m_list->setWhatsThis(tr("The scenarios of this plan, each with its users and the memory of its fullest GPU. Double click opens one; drag, or Alt with the arrow keys, orders them."));
    m_hint->setWordWrap(true);
    m_hint->setObjectName(QStringLiteral("compareHint"));
    m_numbers->setObjectName(QStringLiteral("compareTable"));
    m_numbers->setAccessibleName(tr("What differs"));
    m_numbers->setModel(m_table);
    m_numbers->setFrameShape(QFrame::NoFrame);
    m_numbers->setShowGrid(false);
    m_numbers->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_numbers->setTabKeyNavigation(false);
    m_numbers->setCornerButtonEnabled(false);
    m_numbers->setWordWrap(false);
    m_numbers->verticalHeader()->hide();
    m_numbers->verticalHeader()->setMinimumSectionSize(em(1.5));
    m_numbers->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_numbers->horizontalHeader()->setHighlightSections(false);
    m_numbers->horizontalHeader()->setSectionsClickable(false);
    m_numbers->horizontalHeader()->setMinimumSectionSize(em(3));
    m_numbers->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_numbers->viewport()->setAutoFillBackground(false);
    m_numbers->setMinimumHeight(em(6));
    describeInput(m_onCharts, QStringLiteral("compareOnCharts"), tr("Baseline on the charts"), tr("Draw the baseline behind the present scenario on the charts."), {});
    describeInput(m_allRows, QStringLiteral("compareAllRows"), tr("All rows"), tr("Also the rows in which the scenarios are alike."), {});

    auto *head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(new ExportButton(this));
    auto *left = new QVBoxLayout;
    left->setSpacing(em(0.4));
    left->addLayout(head);
    left->addWidget(m_hint);
    left->addWidget(m_list, 100);
    left->addWidget(m_legend);
    buildButtons(left);
    left->addWidget(m_onCharts, 0, Qt::AlignLeft);
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(em(0.4));
    right->addWidget(m_numbers, 3);
    right->addWidget(m_allRows, 0, Qt::AlignLeft);
    right->addStretch(0);
    m_halves->setContentsMargins(0, 0, 0, 0);
    m_halves->setSpacing(em(0.6));
    m_halves->addLayout(left, 2);
    m_halves->addLayout(right, 3);
    setLayout(m_halves);
    setFocusProxy(m_list);
}

void CompareView::buildButtons(QBoxLayout *column) {
    auto *row = new FlowLayout(em(0.35));
    const auto add = [row](QPushButton *button, const char *objectName, const QString &name, const QString &tip) {
        describeInput(button, QLatin1String(objectName), name, tip, tip);
        button->setAutoDefault(false);
        row->addWidget(button);
    };
    add(m_pin, "comparePin", tr("Pin the present scenario"), tr("Put a named copy of the present scenario beside it."));
    add(m_open, "compareOpen", tr("Open the selected scenario"), tr("Work on the selected scenario."));
    add(m_baselineButton, "compareBaseline", tr("Make the selected scenario the baseline"), tr("Take the differences against the selected scenario."));
    add(m_rename, "compareRename", tr("Rename the selected scenario"), tr("Give the selected scenario another name."));
    add(m_remove, "compareRemove", tr("Remove the selected scenario"), tr("Take the selected scenario off the table; undo returns it."));
    add(m_up, "compareUp", tr("Move the selected scenario up"), tr("Put the selected scenario before the one above it."));
    add(m_down, "compareDown", tr("Move the selected scenario down"), tr("Put the selected scenario behind the one below it."));
    for (QPushButton *arrow : {m_up, m_down})
        arrow->setMaximumWidth(em(2.4));
    column->addLayout(row);
}

ViewExports CompareView::exports() {
    return {QStringLiteral("compare"), QStringLiteral("compare"), tr("comparison"), {[this] { return comparisonCsv(m_all.table, true); }, false},
            {[this] { return comparisonMarkdown(m_all.table, m_allRows->isChecked()); }, false}, {}};
}

void CompareView::showTable() {
    std::vector<std::size_t> columns(m_all.scenarios.size());
    std::iota(columns.begin(), columns.end(), std::size_t(0));
    m_hint->setWholeText(tr("Pin the present scenario, then change it: both stand here side by side, with what differs."));
    m_hint->setVisible(columns.size() < 2);
    if (!m_all.isWhole() || columns.size() < 2)
        return m_table->show({}, {}, false);
    const bool all = m_halves->direction() == QBoxLayout::LeftToRight || columns.size() == 2;
    if (!all) {
        const std::size_t other = m_selected != m_all.baseline ? m_selected : m_document.current != m_all.baseline ? m_document.current : m_all.baseline == 0 ? 1 : 0;
        columns = {m_all.baseline, other};
    }
    m_table->show(m_all, columns, m_allRows->isChecked());
    if (m_table->rowCount() == 0) {
        m_hint->setWholeText(tr("Nothing differs between these."));
        m_hint->show();
    }
    arrange();
}

/// Names take what they need, the scenarios share the rest; where each would have too little, the table scrolls.
void CompareView::arrange() {
    QHeaderView *header = m_numbers->horizontalHeader();
    const int scenarios = header->count() - 1;
    if (scenarios < 1)
        return;
    // Stretched ones follow a scroll bar that comes or goes; ones that scroll have a width of their own.
    int names = 0;
    for (int row = 0; row < m_table->rowCount(); ++row)
        names = std::max(names, m_table->index(row, 0).data(Qt::SizeHintRole).toSize().width());
    const int least = em(leastColumn);
    const bool scrolls = m_numbers->viewport()->width() - names < least * scenarios;
    header->setSectionResizeMode(scrolls ? QHeaderView::Fixed : QHeaderView::Stretch);
    header->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    for (int column = 1; scrolls && column <= scenarios; ++column)
        header->resizeSection(column, least);
}

void CompareView::resizeEvent(QResizeEvent *event) {
    View::resizeEvent(event);
    const QBoxLayout::Direction wanted = width() >= em(wideFrom) ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (wanted != m_halves->direction()) {
        m_halves->setDirection(wanted);
        showTable();
    }
    m_halves->activate();
    arrange();
}

} // namespace kv
