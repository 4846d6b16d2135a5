// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tracedialog.h"

#include "core/base/quantity.h"
#include "core/workload/columns.h"
#include "core/workload/usageparts.h"
#include "ui/controls/label.h"
#include "ui/language/translate.h"
#include "ui/mnemonic.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>

namespace kv {

TraceDialog::TraceDialog(const QString &path, TracePreview preview, const LengthColumns &chosen, QWidget *parent)
    : QDialog(parent), m_preview(std::move(preview)), m_said(new Label(Label::Voice::Body)) {
    setObjectName(QStringLiteral("traceDialog"));
    setWindowTitle(tr("Columns of %1").arg(QFileInfo(path).fileName()));
    auto *intro = new Label(Label::Voice::Muted, m_preview.guess.given() ? tr("The first rows. What is chosen below was guessed from the names of the columns, unless you chose it.")
                                                                        : tr("The first rows. No column tells by its name that it is a length: choose them."));
    intro->setWordWrap(true);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(em(0.8));
    m_input = addChoice(grid, tr("&Input"), "traceInput", tr("Tokens of the prompt."), chosen.input);
    m_output = addChoice(grid, tr("&Output"), "traceOutput", tr("Tokens of the answer; added to the input."), chosen.output);
    m_total = addChoice(grid, tr("or &total"), "traceTotal", tr("Both in one column, in place of input and output."), chosen.total);
    m_said->setObjectName(QStringLiteral("traceSaid"));
    m_said->setWordWrap(true);
    auto *box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_take = box->button(QDialogButtonBox::Ok);
    m_take->setObjectName(QStringLiteral("traceTake"));
    m_take->setText(tr("&Use"));
    box->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("traceCancel"));
    auto *column = new QVBoxLayout(this);
    column->setSpacing(em(0.6));
    column->addWidget(intro);
    column->addWidget(makeRows(), 1);
    column->addLayout(grid);
    column->addWidget(m_said);
    column->addWidget(box);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(box, &QDialogButtonBox::accepted, this, [this] {
        emit this->chosen(columns());
        accept();
    });
    for (QComboBox *combo : {m_input, m_output, m_total})
        connect(combo, &QComboBox::currentIndexChanged, this, [this, combo] {
            // A total is input and output together: the one chosen last stays.
            if (combo->currentIndex() > 0)
                for (QComboBox *other : combo == m_total ? QList{m_input, m_output} : QList{m_total})
                    other->setCurrentIndex(0);
            check();
        });
    resize(em(42), em(28));
    check();
}

QTableWidget *TraceDialog::makeRows() const {
    auto *table = new QTableWidget(static_cast<int>(m_preview.rows.size()), static_cast<int>(m_preview.names.size()));
    table->setObjectName(QStringLiteral("traceRows"));
    table->setAccessibleName(tr("First rows of the trace"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    for (int column = 0; column < table->columnCount(); ++column) {
        table->setHorizontalHeaderItem(column, new QTableWidgetItem(words(m_preview.names[static_cast<std::size_t>(column)])));
        for (int row = 0; row < table->rowCount(); ++row) {
            const std::string &cell = m_preview.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            auto *item = new QTableWidgetItem(words(cell));
            item->setTextAlignment(readCell(cell).fault == CellNumber::Fault::None ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
            table->setItem(row, column, item);
        }
    }
    table->resizeColumnsToContents();
    for (int column = 0; column < table->columnCount(); ++column)
        table->setColumnWidth(column, std::clamp(table->columnWidth(column), em(4), em(14)));
    return table;
}

QComboBox *TraceDialog::addChoice(QGridLayout *grid, const QString &name, const char *objectName, const QString &tip, const std::string &chosen) {
    auto *label = new Label(Label::Voice::Body, name);
    auto *combo = new QComboBox;
    describeInput(combo, QLatin1String(objectName), withoutMnemonic(name), tip, tip);
    combo->addItem(tr("none"));
    for (const std::string &column : m_preview.names)
        combo->addItem(m_preview.header ? words(column) : tr("column %1").arg(words(column)), words(column));
    combo->setCurrentIndex(std::max(0, chosen.empty() ? 0 : combo->findData(words(chosen))));
    combo->setMinimumContentsLength(12);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    label->setBuddy(combo);
    const int at = grid->columnCount() == 1 && grid->count() == 0 ? 0 : grid->columnCount();
    grid->addWidget(label, 0, at);
    grid->addWidget(combo, 1, at);
    grid->setColumnStretch(at, 1);
    return combo;
}

LengthColumns TraceDialog::columns() const {
    const auto name = [](const QComboBox *combo) { return utf8(combo->currentData().toString()); };
    return {name(m_input), name(m_output), name(m_total)};
}

/// What the first row comes to with these columns.
void TraceDialog::check() {
    const LengthColumns chosen = columns();
    m_take->setEnabled(chosen.given());
    if (!chosen.given()) {
        m_said->setWholeText(tr("Choose the column of the input, of the output, or of both together."));
        return;
    }
    std::int64_t sum = 0;
    bool fine = !m_preview.rows.empty();
    for (const std::string &name : {chosen.input, chosen.output, chosen.total}) {
        if (name.empty() || !fine)
            continue;
        const auto at = std::find(m_preview.names.begin(), m_preview.names.end(), name) - m_preview.names.begin();
        const CellNumber cell = readCell(m_preview.rows.front()[static_cast<std::size_t>(at)]);
        fine = cell.fault == CellNumber::Fault::None;
        sum = checked::add(sum, cell.value);
    }
    for (std::size_t at = 0; fine && at < m_preview.names.size(); ++at)
        if (const UsagePart part = usagePart(m_preview.names[at], chosen.input, chosen.output); part == UsagePart::Input || part == UsagePart::Output)
            sum = checked::add(sum, readCell(m_preview.rows.front()[at]).value);
    m_said->setWholeText(fine ? tr("The first request has %1 tokens.").arg(translated(writeNumber(sum))) : tr("The first row has no number there."));
}

} // namespace kv
