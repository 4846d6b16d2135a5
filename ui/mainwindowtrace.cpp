// SPDX-License-Identifier: GPL-3.0-or-later
// A trace of request lengths on its way into the scenario: asked for, read with progress, its columns shown and changeable.
#include "ui/dashboard.h"
#include "ui/dialogs.h"
#include "ui/language/translate.h"
#include "ui/mainwindow.h"
#include "ui/panels/messagestrip.h"
#include "ui/program.h"
#include "ui/tracedialog.h"
#include "ui/words.h"

#include "core/base/quantity.h"
#include "core/workload/percentiles.h"

#include <QFileInfo>

namespace kv {

namespace {

/// "input from “ContextTokens”, output from “GeneratedTokens”"
QString columnWords(const LengthColumns &columns) {
    const auto quoted = [](const std::string &name) { return QStringLiteral("“%1”").arg(words(name)); };
    if (!columns.total.empty())
        return MainWindow::tr("length from %1").arg(quoted(columns.total));
    if (columns.output.empty())
        return MainWindow::tr("input from %1, no output").arg(quoted(columns.input));
    if (columns.input.empty())
        return MainWindow::tr("output from %1, no input").arg(quoted(columns.output));
    return MainWindow::tr("input from %1, output from %2").arg(quoted(columns.input), quoted(columns.output));
}

QString warningsOf(const Notes &notes) {
    QStringList texts;
    for (const Note &note : notes)
        if (note.severity == Severity::Warning)
            texts += translated(note);
    return texts.join(QLatin1Char(' '));
}

} // namespace

void MainWindow::connectTrace() {
    connect(&m_loader, &Loader::progressed, this, [this](qint64 read, qint64 all) {
        const int percent = all > 0 ? static_cast<int>(100 * static_cast<double>(read) / static_cast<double>(all)) : 0;
        m_dashboard->messages()->pass({MessageStrip::Kind::Hint, tr("Reading the trace: %1 % of %2").arg(percent).arg(translated(writeBytes(Bytes(all), m_dashboard->unit()))),
                                       {{tr("Cancel"), QStringLiteral("messageCancel"), [this] {
                                             m_loader.cancel();
                                             m_dashboard->messages()->clearPassing();
                                         }}}});
    });
}

void MainWindow::askForTrace() {
    const QString path = dialogs().openFile(this, tr("Open Trace"), m_program->settings()->folder(),
                                            tr("Traces of request lengths (*.csv *.tsv *.jsonl *.ndjson *.json);;All files (*)"));
    if (path.isEmpty())
        return;
    m_dashboard->messages()->clearPassing();
    m_loader.loadTrace(path);
}

void MainWindow::askForColumns() {
    const Json *file = m_document.scenario().workload.lengths.find("file");
    const QString path = file && file->isString() ? words(file->text()) : QString();
    const QString gone = tr("Other columns need the trace itself, and %1 is not there any more.").arg(path.isEmpty() ? tr("its file") : path);
    if (!QFileInfo(path).isAbsolute()) {
        m_dashboard->messages()->pass({MessageStrip::Kind::Refusal, gone, {}});
        return;
    }
    m_dashboard->messages()->clearPassing();
    m_loader.preview(path, gone);
}

void MainWindow::takeTrace(const Loaded &loaded) {
    const bool pasted = loaded.path.isEmpty();
    const QString name = pasted ? tr("the clipboard") : QFileInfo(loaded.path).fileName();
    Json lengths = Json::object();
    lengths.set("file", pasted ? std::string("pasted.csv") : utf8(loaded.path));
    lengths.set("columns", columnsJson(loaded.lengths->columns));
    const SharedLengths read{std::make_shared<const Lengths>(*loaded.lengths)};
    const bool elsewhere = !targetName().isEmpty();
    const bool put = editTarget(tr("Lengths of %1").arg(name), [&](Scenario &s) {
        s.workload.lengths = lengths;
        s.workload.distribution = read;
    });
    if (!put)
        return;
    m_document.flush(); // the view has a tab once lengths are there
    if (!elsewhere)
        m_dashboard->showPage(QStringLiteral("lengths"));
    QString said = tr("%1 of %2: %3").arg(read->count == 1 ? tr("1 request") : tr("%1 requests").arg(translated(writeNumber(read->count))), name, columnWords(read->columns));
    said += !read->columns.given() ? tr("one length a line.") : loaded.columnsGiven ? tr(".") : tr(", guessed from their names.");
    const QString warned = warningsOf(loaded.notes);
    QList<MessageStrip::Action> actions;
    if (!pasted)
        actions += {tr("Other Columns…"), QStringLiteral("messageColumns"), [this] { askForColumns(); }};
    m_dashboard->messages()->pass({warned.isEmpty() ? MessageStrip::Kind::Hint : MessageStrip::Kind::Warning, warned.isEmpty() ? said : said + QLatin1Char(' ') + warned, actions});
}

void MainWindow::refuseTrace(const Loaded &loaded) {
    const Note *error = firstError(loaded.notes);
    if (error && error->code == "cancelled")
        return;
    QList<MessageStrip::Action> actions;
    if (error && error->code == "unknown-column" && !loaded.path.isEmpty())
        actions += {tr("Choose Columns…"), QStringLiteral("messageColumns"), [this, path = loaded.path] { m_loader.preview(path); }};
    m_dashboard->messages()->pass({MessageStrip::Kind::Refusal, error ? translated(*error) : tr("No lengths could be read."), actions});
}

void MainWindow::chooseColumns(const Loaded &loaded) {
    const Workload &load = m_document.scenario().workload;
    const Json *file = load.lengths.find("file");
    const bool same = load.distribution && file && file->isString() && words(file->text()) == loaded.path;
    auto *dialog = new TraceDialog(loaded.path, *loaded.preview, same ? load.distribution->columns : loaded.preview->guess, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TraceDialog::chosen, this, [this, path = loaded.path](const LengthColumns &columns) { m_loader.loadTrace(path, columns); });
    dialog->open();
}

} // namespace kv
