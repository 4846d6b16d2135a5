// SPDX-License-Identifier: GPL-3.0-or-later
// What a window does with what was read for it: a document, a model, a launch command, a log, or a reason why there is none.
#include "ui/dashboard.h"
#include "ui/language/translate.h"
#include "ui/learn/lessonview.h"
#include "ui/mainwindow.h"
#include "ui/panels/logpanel.h"
#include "ui/panels/messagestrip.h"
#include "ui/program.h"
#include "ui/scenariotabs.h"
#include "ui/words.h"

#include <QFileInfo>

#include <algorithm>

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

void MainWindow::rememberTarget() {
    const ScenarioDocument &document = m_document.value();
    m_target = {std::min(document.current, document.scenarios.size() - 1), document.scenarios.size(), m_document.scenario()};
}

/// Where it is now: tabs are moved and turned to while a file is read. None: it was taken off the table.
std::optional<std::size_t> MainWindow::target() const {
    const std::vector<Scenario> &all = m_document.value().scenarios;
    if (m_target.index < all.size() && all[m_target.index] == m_target.scenario)
        return m_target.index;
    if (const auto found = std::ranges::find(all, m_target.scenario); found != all.end())
        return static_cast<std::size_t>(found - all.begin());
    return all.size() == m_target.count ? std::optional(m_target.index) : std::nullopt; // in its place, and changed meanwhile
}

bool MainWindow::editTarget(const QString &text, const Document::Change &change) {
    const std::optional<std::size_t> at = target();
    if (at)
        m_document.editAll(text, 0, [&](ScenarioDocument &document) { change(document.scenarios[*at]); });
    else
        m_dashboard->messages()->pass({MessageStrip::Kind::Refusal, tr("The scenario that this was meant for is gone; nothing was changed."), {}});
    return at.has_value();
}

/// Its name, where another is shown.
QString MainWindow::targetName() const {
    const std::optional<std::size_t> at = target();
    return at && *at != m_document.value().current ? scenarioTitle(m_document.value(), *at) : QString();
}

void MainWindow::take(const Loaded &loaded) {
    if (holdBack([this, loaded] { take(loaded); }))
        return;
    m_dashboard->messages()->clearPassing();
    if (!loaded.path.isEmpty() && !loaded.kept)
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
    const QString elsewhere = targetName();
    const bool put = editTarget(tr("Paste Command"), [&loaded](Scenario &s) {
        std::string name = std::move(s.name);
        s = *loaded.launch;
        s.name = std::move(name);
    });
    if (!put)
        return;
    if (const QString warned = sentences(loaded.notes, Severity::Warning); !warned.isEmpty())
        m_dashboard->messages()->pass({MessageStrip::Kind::Warning, warned, {}});
    else
        hint(elsewhere.isEmpty() ? tr("The scenario is that of the pasted command now; undo takes it back.")
                                 : tr("“%1” is that of the pasted command now; undo takes it back.").arg(elsewhere));
}

void MainWindow::takeLog(const Loaded &loaded) {
    auto open = std::make_shared<OpenLog>();
    open->log = *loaded.log;
    open->name = loaded.path.isEmpty() ? tr("Pasted log") : QFileInfo(loaded.path).fileName();
    open->notes = loaded.loggedModel.notes;
    // The model that the log names where it is known here; all that the log is silent about stays as it is.
    const std::optional<std::size_t> at = target();
    Scenario base = at ? m_document.value().scenarios[*at] : m_document.scenario();
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
    takeDrafter(open->log, loaded.loggedModel, base);
    const Scenario filled = scenarioFromLog(open->log, base, open->notes);
    if (!editTarget(tr("Fill from Log"), [&filled](Scenario &s) { s = filled; }))
        return;
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
    const bool put = editTarget(tr("Open %1").arg(name), [&choice](Scenario &s) {
        s.model = choice;
        s.weights = {};
    });
    if (!put)
        return;
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
