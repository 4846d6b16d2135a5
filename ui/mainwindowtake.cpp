// SPDX-License-Identifier: GPL-3.0-or-later
// What a window does with what was read for it: a document, a model, a launch command, a log, or a reason why there is none.
#include "core/files/hubrecord.h"
#include "ui/dashboard.h"
#include "ui/language/translate.h"
#include "ui/learn/lessonview.h"
#include "ui/mainwindow.h"
#include "ui/panels/logpanel.h"
#include "ui/panels/messagestrip.h"
#include "ui/program.h"
#include "ui/words.h"

#include <QFileInfo>

namespace kv {

namespace {

constexpr std::size_t mostNotes = 3; // in one message; the explanation has them all

QString sentences(const Notes &notes, Severity severity) {
    QStringList texts;
    for (const Note &note : notes)
        if (note.severity == severity && texts.size() < static_cast<qsizetype>(mostNotes))
            texts += translated(note);
    return texts.join(QLatin1Char(' '));
}

} // namespace

void MainWindow::take(const Loaded &loaded) {
    m_dashboard->messages()->clearPassing();
    if (!loaded.path.isEmpty() && !readHubRecord(utf8(loaded.path))) // nobody looks for files in the program’s cache
        m_program->settings()->setFolder(QFileInfo(loaded.path).absolutePath());
    if (loaded.trace || loaded.preview)
        return loaded.preview ? chooseColumns(loaded) : loaded.lengths ? takeTrace(loaded) : refuseTrace(loaded);
    if (hasError(loaded.notes) || (!loaded.document && !loaded.model && !loaded.launch && !loaded.log && !loaded.lesson))
        return refuse(loaded);
    if (!loaded.path.isEmpty() && !loaded.log)
        m_program->settings()->addRecent(loaded.path);
    if (loaded.document)
        takeDocument(loaded);
    else if (loaded.lesson)
        takeLesson(loaded);
    else if (loaded.log)
        takeLog(loaded);
    else if (loaded.launch)
        takeLaunch(loaded);
    else if (loaded.again)
        takeModelAgain(loaded);
    else
        takeModel(loaded);
}

void MainWindow::takeDocument(const Loaded &loaded) {
    // Unsaved work is not pushed aside: the file opens beside it.
    if (!m_document.isPristine() && m_document.isModified()) {
        MainWindow *other = m_program->newWindow();
        other->take(loaded);
        return;
    }
    m_document.replace(*loaded.document, loaded.path, loaded.hash);
    if (loaded.path.isEmpty())
        m_document.setUnsaved();
    if (const QString warned = sentences(loaded.notes, Severity::Warning); !warned.isEmpty())
        m_dashboard->messages()->pass({MessageStrip::Kind::Warning, warned, {}});
}

void MainWindow::takeLesson(const Loaded &loaded) {
    m_dashboard->showPage(QStringLiteral("lesson"));
    if (auto *view = qobject_cast<LessonView *>(m_dashboard->view(QStringLiteral("lesson"))))
        view->open(*loaded.lesson);
    if (const QString warned = sentences(loaded.notes, Severity::Warning); !warned.isEmpty())
        m_dashboard->messages()->pass({MessageStrip::Kind::Warning, warned, {}});
}

void MainWindow::takeLaunch(const Loaded &loaded) {
    m_document.edit(tr("Paste Command"), 0, [&loaded](Scenario &s) {
        std::string name = std::move(s.name);
        s = *loaded.launch;
        s.name = std::move(name);
    });
    if (const QString warned = sentences(loaded.notes, Severity::Warning); !warned.isEmpty())
        m_dashboard->messages()->pass({MessageStrip::Kind::Warning, warned, {}});
    else
        hint(tr("The scenario is that of the pasted command now; undo takes it back."));
}

void MainWindow::takeLog(const Loaded &loaded) {
    auto open = std::make_shared<OpenLog>();
    open->log = *loaded.log;
    open->name = loaded.path.isEmpty() ? tr("Pasted log") : QFileInfo(loaded.path).fileName();
    open->notes = loaded.loggedModel.notes;
    // The model that the log names where it is known here; all that the log is silent about stays as it is.
    Scenario base = m_document.scenario();
    if (loaded.loggedModel.choice.spec) {
        base.model = loaded.loggedModel.choice;
        base.weights = {};
    } else {
        open->notes.push_back(warningNote("log-assumption", "model", utf8(tr("The model of the log is not on this machine and no preset: compared with %1.")
                                                                              .arg(base.model.spec ? words(base.model.spec->name) : QString()))));
    }
    base.hardware.memory.reset();
    base.hardware.devices.clear();
    base.kv = {};
    base.engine = {};
    base.measured = {};
    const Scenario filled = scenarioFromLog(open->log, base, open->notes);
    m_document.edit(tr("Fill from Log"), 0, [&filled](Scenario &s) { s = filled; });
    m_log = std::move(open);
    m_dashboard->showLog(m_log);
    hint(tr("The scenario is that of the log as far as it says; undo takes it back, and the log stays beside it."));
}

void MainWindow::calibrateByLog() {
    if (m_log)
        m_document.edit(tr("Calibrate"), 0, [this](Scenario &s) { s = calibrate(s, m_log->log); });
}

void MainWindow::closeLog() {
    m_log.reset();
    m_dashboard->showLog(nullptr);
}

void MainWindow::takeModel(const Loaded &loaded) {
    const ModelChoice choice{{}, utf8(loaded.path), {}, loaded.model};
    const QString name = loaded.model->name.empty() ? QFileInfo(loaded.path).fileName() : words(loaded.model->name);
    m_document.edit(tr("Open %1").arg(name), 0, [&choice](Scenario &s) {
        s.model = choice;
        s.weights = {};
    });
    if (const QString warned = sentences(loaded.notes, Severity::Warning); !warned.isEmpty())
        m_dashboard->messages()->pass({MessageStrip::Kind::Warning, warned, {}});
}

void MainWindow::refuse(const Loaded &loaded) {
    const Note *error = firstError(loaded.notes);
    m_dashboard->messages()->pass({MessageStrip::Kind::Refusal,
                                   error ? translated(*error) : tr("%1 holds nothing that can be planned.").arg(QFileInfo(loaded.path).fileName()),
                                   {}});
}

} // namespace kv
