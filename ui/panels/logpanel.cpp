// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/logpanel.h"

#include "core/engine/engines.h"
#include "core/scenario/measured.h"
#include "ui/controls/label.h"
#include "ui/language/numbers.h"
#include "ui/language/translate.h"
#include "ui/panels/panel.h"
#include "ui/theme.h"
#include "ui/words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

namespace kv {

namespace {

QTextCharFormat formatOf(const QFont &font, const QColor &color) {
    QTextCharFormat format;
    format.setFont(font);
    format.setForeground(color);
    return format;
}

/// "136,080", "15.3 GB", "33.04×"; a dash where there is none.
QString amountText(const std::optional<std::int64_t> &value, LoggedUnit kind, SizeUnit unit) {
    if (!value)
        return QStringLiteral("–");
    switch (kind) {
    case LoggedUnit::Size:
        return translated(writeBytes(Bytes(*value), unit));
    case LoggedUnit::Times:
        return localNumbers(QString::number(static_cast<double>(*value) / 100, 'f', 2)) + QStringLiteral("×");
    case LoggedUnit::Length:
    case LoggedUnit::Number:
        break;
    }
    return translated(writeNumber(*value));
}

/// "+43,212,800 B", "−16": exact, with its sign.
QString differenceText(const LogDifference &row) {
    const auto off = row.difference();
    if (!off)
        return QStringLiteral("–");
    if (*off == 0)
        return QStringLiteral("0");
    const QString exact = row.unit == LoggedUnit::Times ? amountText(off, row.unit, SizeUnit::Decimal) : translated(writeNumber(*off));
    const QString signedText = *off > 0 ? QLatin1Char('+') + exact : QChar(0x2212) + exact.mid(1);
    return row.unit == LoggedUnit::Size ? signedText + QStringLiteral(" B") : signedText;
}

} // namespace

LogPanel::LogPanel(QWidget *parent)
    : QWidget(parent), m_title(new Label(Label::Voice::Strong)), m_text(new QTextBrowser), m_calibrate(new QPushButton(tr("Calibrate"))),
      m_close(new QPushButton(tr("Close Log"))) {
    setObjectName(QStringLiteral("logPanel"));
    m_title->setObjectName(QStringLiteral("logTitle"));
    m_title->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("logText"));
    m_text->setAccessibleName(tr("The log beside the plan"));
    m_text->setWhatsThis(tr("Each figure that the log prints, beside the planned one, with the difference and its cause."));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->setUndoRedoEnabled(false);
    m_text->viewport()->setAutoFillBackground(false);
    m_text->document()->setDocumentMargin(0);
    describeInput(m_calibrate, QStringLiteral("logCalibrate"), tr("Calibrate"), tr("Take over what the log measured in place of the estimates."),
                  tr("Weights, overhead and memory of the GPU become what this server measured, marked as measured. Undo takes them back."));
    describeInput(m_close, QStringLiteral("logClose"), tr("Close the log"), tr("Put the log away; the scenario stays as it is."),
                  tr("The log is a way to look: what was taken over from it stays in the scenario."));
    connect(m_calibrate, &QPushButton::clicked, this, &LogPanel::calibrateAsked);
    connect(m_close, &QPushButton::clicked, this, &LogPanel::closeAsked);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_calibrate);
    buttons->addWidget(m_close);
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(em(0.4));
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    column->addLayout(buttons);
    setFocusProxy(m_text);
}

void LogPanel::present(const std::shared_ptr<const OpenLog> &log, const Scenario &scenario, SizeUnit unit) {
    if (!log || (log == m_log && m_scenario == scenario && unit == m_unit))
        return;
    m_log = log;
    m_scenario = scenario;
    m_unit = unit;
    m_beside = compareWithLog(log->log, scenario);
    const Engine *engine = findEngine(log->log.engine);
    const QString name = engine ? translated(engine->name()) : words(log->log.engine);
    m_title->setWholeText(tr("%1 · a start of %2").arg(log->name, log->log.version ? name + QLatin1Char(' ') + words(*log->log.version) : name));
    m_calibrate->setEnabled(m_beside.plan && m_beside.plan->ok() && calibrate(scenario, log->log) != scenario);
    write();
}

void LogPanel::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (m_log && (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange))
        write();
}

void LogPanel::write() {
    const int scrolled = m_text->verticalScrollBar()->value();
    m_text->document()->clear();
    QTextCursor cursor(m_text->document());
    cursor.beginEditBlock();
    for (const LogDifference &row : m_beside.differences)
        writeDifference(cursor, row);
    writeNotes(cursor);
    cursor.endEditBlock();
    m_text->moveCursor(QTextCursor::Start);
    m_text->verticalScrollBar()->setValue(scrolled);
}

void LogPanel::writeDifference(QTextCursor &cursor, const LogDifference &row) {
    const Colors &c = colorsOf(m_text->palette());
    const QTextCharFormat name = formatOf(scaledFont(1, QFont::DemiBold), c.text), small = formatOf(scaledFont(type::caption), c.muted),
                          figure = formatOf(scaledFont(1), c.text);
    QTextBlockFormat block;
    block.setTopMargin(cursor.atStart() ? 0 : em(0.6));
    if (cursor.atStart())
        cursor.setBlockFormat(block);
    else
        cursor.insertBlock(block);
    cursor.insertText(translated(row.name), name);
    if (row.agrees)
        cursor.insertText(QStringLiteral("  ✓ ") + tr("as logged"), formatOf(scaledFont(type::caption), c.goodText));
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(em(0.08));
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    const QTextLength third(QTextLength::PercentageLength, 33);
    format.setColumnWidthConstraints({third, third, third});
    QTextTable *table = cursor.insertTable(2, 3, format);
    const QString heads[]{tr("Logged"), tr("Planned"), tr("Difference")};
    const QString cells[]{amountText(row.logged, row.unit, m_unit), amountText(row.planned, row.unit, m_unit), differenceText(row)};
    for (int column = 0; column < 3; ++column) {
        table->cellAt(0, column).firstCursorPosition().insertText(heads[column], small);
        table->cellAt(1, column).firstCursorPosition().insertText(cells[column], figure);
    }
    cursor = table->lastCursorPosition();
    cursor.movePosition(QTextCursor::NextBlock);
    cursor.setBlockFormat({});
    QString why = translated(row.text);
    if (row.plannedFromLogged)
        why = tr("From the memory that the log prints: %1. ").arg(amountText(row.plannedFromLogged, row.unit, m_unit)) + why;
    if (!why.isEmpty())
        cursor.insertText(why.trimmed(), small);
}

void LogPanel::writeNotes(QTextCursor &cursor) {
    const Colors &c = colorsOf(m_text->palette());
    const QTextCharFormat title = formatOf(scaledFont(1, QFont::DemiBold), c.text), text = formatOf(scaledFont(type::caption), c.muted);
    QStringList sentences;
    if (m_beside.noPlan)
        sentences += tr("No plan beside it: %1").arg(translated(*m_beside.noPlan));
    if (m_log->log.refusal)
        sentences += tr("This start failed: %1").arg(translated(*m_log->log.refusal));
    for (const Notes *notes : std::initializer_list<const Notes *>{&m_log->notes, &m_log->log.notes, &m_beside.notes})
        for (const Note &note : *notes)
            if (!sentences.contains(translated(note)))
                sentences += translated(note);
    if (const std::optional<Note> measured = m_scenario ? measuredNote(*m_scenario) : std::nullopt)
        sentences += translated(measured->text);
    if (sentences.isEmpty())
        return;
    QTextBlockFormat block;
    block.setTopMargin(em(0.9));
    cursor.insertBlock(block);
    cursor.insertText(tr("Mind"), title);
    block.setTopMargin(em(0.3));
    for (const QString &sentence : sentences) {
        cursor.insertBlock(block);
        cursor.insertText(sentence, text);
    }
}

} // namespace kv
