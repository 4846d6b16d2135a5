// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/classesdialog.h"

#include "core/base/quantity.h"
#include "ui/controls/label.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

namespace kv {

namespace {

enum Column { Name, Share, Text, Media, Output, Columns };

QString shareText(double share) {
    return share == std::floor(share) && share < 1e15 ? translated(writeNumber(static_cast<std::int64_t>(share))) : localNumbers(QString::number(share, 'g', 12));
}

/// "70", "70 %", "0.7": the proportions alone count.
std::optional<double> readShare(QString text) {
    text = plainNumber(text.remove(QLatin1Char('%'))).remove(QLatin1Char(',')).trimmed();
    bool fine = false;
    const double share = QLocale::c().toDouble(text, &fine);
    return fine && std::isfinite(share) && share >= 0 ? std::optional(share) : std::nullopt;
}

} // namespace

ClassesDialog::ClassesDialog(std::vector<RequestClass> classes, QWidget *parent)
    : QDialog(parent), m_table(new QTableWidget(0, Columns)), m_said(new Label(Label::Voice::Body)) {
    setObjectName(QStringLiteral("classesDialog"));
    setWindowTitle(tr("Request Classes"));
    auto *intro = new Label(Label::Voice::Muted, tr("Each class has its share of the requests in flight and the tokens of one of them; long answers stay longer, so that their share in flight is larger than of what arrives. A picture or a sound takes tokens of the input too: how many, its model’s processor says."));
    intro->setWordWrap(true);
    buildTable();
    m_said->setObjectName(QStringLiteral("classesSaid"));
    m_said->setWordWrap(true);
    m_said->setMinimumHeight(em(2.6));
    m_said->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *column = new QVBoxLayout(this);
    column->setSpacing(em(0.6));
    column->addWidget(intro);
    column->addWidget(m_table, 1);
    column->addWidget(m_said);
    buildButtons();
    if (classes.empty())
        classes.push_back({});
    for (const RequestClass &one : classes)
        addRow(one);
    m_table->setCurrentCell(0, Name);
    resize(em(40), em(24));
    checkUntouched();
}

void ClassesDialog::buildTable() {
    m_table->setObjectName(QStringLiteral("classesTable"));
    m_table->setAccessibleName(tr("Request classes"));
    m_table->setHorizontalHeaderLabels({tr("Name"), tr("Share"), tr("Text input"), tr("Image, audio"), tr("Output")});
    const QString tips[]{tr("What the requests of this class are."), tr("Of all requests; the proportions count: 70 and 30, or 0.7 and 0.3."), tr("Tokens of the input without images and sound: 1500, 32k."),
                         tr("Tokens that images and sound add to the input."), tr("Tokens of the answer.")};
    for (int i = 0; i < Columns; ++i)
        m_table->horizontalHeaderItem(i)->setToolTip(tips[i]);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->verticalHeader()->hide();
    m_table->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_table->setTabKeyNavigation(false); // Tab leaves the table; arrows walk it, typing edits
    m_table->setEditTriggers(QAbstractItemView::AllEditTriggers);
    connect(m_table, &QTableWidget::itemChanged, this, &ClassesDialog::check);
}

void ClassesDialog::buildButtons() {
    auto *box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_take = box->button(QDialogButtonBox::Ok);
    m_take->setObjectName(QStringLiteral("classesTake"));
    m_take->setText(tr("&Use"));
    box->button(QDialogButtonBox::Cancel)->setObjectName(QStringLiteral("classesCancel"));
    auto *add = new QPushButton(tr("&Add Class"));
    add->setObjectName(QStringLiteral("classesAdd"));
    add->setAutoDefault(false);
    m_remove = new QPushButton(tr("&Remove"));
    m_remove->setObjectName(QStringLiteral("classesRemove"));
    m_remove->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->addWidget(add);
    row->addWidget(m_remove);
    row->addStretch(1);
    row->addWidget(box);
    static_cast<QVBoxLayout *>(layout())->addLayout(row);
    connect(add, &QPushButton::clicked, this, [this] {
        addRow({});
        m_table->setCurrentCell(m_table->rowCount() - 1, Name);
        m_table->setFocus();
        checkUntouched();
    });
    connect(m_remove, &QPushButton::clicked, this, &ClassesDialog::removeRows);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(box, &QDialogButtonBox::accepted, this, [this] {
        const Parsed<std::vector<RequestClass>> classes = read();
        if (!classes)
            return check();
        Json lengths = Json::object();
        lengths.set("classes", classesJson(*classes));
        emit chosen(lengths);
        accept();
    });
}

void ClassesDialog::addRow(const RequestClass &one) {
    const QSignalBlocker quiet(m_table);
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    const bool empty = one == RequestClass{};
    const auto number = [empty](std::int64_t n) { return empty ? QString() : translated(writeNumber(n)); };
    const QString texts[]{words(one.name), empty ? QString() : shareText(one.share), number(one.input - one.media), number(one.media), number(one.output)};
    for (int i = 0; i < Columns; ++i) {
        auto *item = new QTableWidgetItem(texts[i]);
        item->setTextAlignment(i == Name ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, i, item);
    }
}

void ClassesDialog::removeRows() {
    if (m_table->currentRow() >= 0)
        m_table->removeRow(m_table->currentRow());
    check();
}

void ClassesDialog::keyPressEvent(QKeyEvent *event) {
    // Return ends a cell, not the dialog.
    const bool ends = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!ends || !focusWidget() || !(focusWidget() == m_table || m_table->isAncestorOf(focusWidget())))
        QDialog::keyPressEvent(event);
}

Parsed<std::vector<RequestClass>> ClassesDialog::read() const {
    Parsed<std::vector<RequestClass>> out{std::vector<RequestClass>(), {}};
    for (int row = 0; row < m_table->rowCount() && out.notes.empty(); ++row) {
        const auto text = [this, row](int column) { return m_table->item(row, column)->text().trimmed(); };
        const QString who = text(Name).isEmpty() ? tr("Class %1").arg(row + 1) : text(Name);
        RequestClass one;
        one.name = utf8(text(Name));
        if (const std::optional<double> share = readShare(text(Share)))
            one.share = *share;
        else
            out.notes.push_back(errorNote("bad-value", "share", utf8(tr("%1: the share is a number of 0 or more, such as 70; found “%2”.").arg(who, text(Share)))));
        std::int64_t parts[3]{};
        for (int i = 0; i < 3 && out.notes.empty(); ++i) {
            const QString cell = text(Text + i);
            const Parsed<Tokens> tokens = readTokens(cell.isEmpty() && i == 1 ? "0" : utf8(cell), utf8(m_table->horizontalHeaderItem(Text + i)->text()));
            if (tokens && tokens->value >= 0)
                parts[i] = tokens->value;
            else
                out.notes.push_back(errorNote("bad-value", "tokens", utf8(who + QStringLiteral(": ")) + (firstError(tokens.notes) ? firstError(tokens.notes)->text : utf8(tr("a length is 0 or more.")))));
        }
        one.media = parts[1];
        one.input = checked::add(parts[0], parts[1]);
        one.output = parts[2];
        if (one.input == outOfRangeValue && out.notes.empty())
            out.notes.push_back(errorNote("out-of-range", "tokens", utf8(tr("%1: the input is out of range.").arg(who))));
        out.value->push_back(std::move(one));
    }
    if (out.notes.empty())
        out.notes = readClasses(classesJson(*out), utf8(tr("The classes"))).notes;
    if (!out.notes.empty())
        out.value.reset();
    return out;
}

void ClassesDialog::checkUntouched() {
    check();
    if (!m_take->isEnabled())
        m_said->setWholeText({});
}

void ClassesDialog::check() {
    const Parsed<std::vector<RequestClass>> classes = read();
    m_take->setEnabled(classes.value.has_value());
    m_remove->setEnabled(m_table->rowCount() > 1);
    if (!classes) {
        m_said->setWholeText(translated(*firstError(classes.notes)));
        return;
    }
    const Lengths lengths = lengthsOf(*classes);
    double all = 0;
    for (const RequestClass &one : *classes)
        all += one.share;
    QStringList parts;
    for (const RequestClass &one : *classes)
        parts += QStringLiteral("%1 %").arg(localNumbers(QString::number(100 * one.share / all, 'g', 3)));
    m_said->setWholeText(tr("Of all requests: %1. Mean %2 tokens, p99 %3.").arg(parts.join(QStringLiteral(" + ")), translated(writeNumber(std::llround(lengths.mean))), translated(writeNumber(lengths.p99))));
}

} // namespace kv
