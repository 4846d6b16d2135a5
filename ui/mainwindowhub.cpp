// SPDX-License-Identifier: GPL-3.0-or-later
// What comes to a window from outside while it is open: models from the Hub, and files that another program changed.
#include "core/files/folder.h"
#include "core/files/hubrecord.h"
#include "core/files/modelfolder.h"
#include "ui/actions.h"
#include "ui/dashboard.h"
#include "ui/filewatch.h"
#include "ui/hubdialog.h"
#include "ui/latest.h"
#include "ui/mainwindow.h"
#include "ui/panels/messagestrip.h"
#include "ui/program.h"
#include "ui/words.h"

#include <QDir>
#include <QFileInfo>

namespace kv {

namespace {

/// The file in whose content a change means another model: of a folder its config, or its only GGUF.
QString decidingFile(const QString &path) {
    const QFileInfo info(path);
    if (!info.isDir())
        return info.isFile() ? info.absoluteFilePath() : QString();
    for (const QString &name : {QStringLiteral("config.json"), QStringLiteral("params.json")})
        if (const QFileInfo config(QDir(path), name); config.isFile())
            return config.absoluteFilePath();
    const std::vector<std::string> ggufs = ggufModels(folderNames(utf8(path)));
    return ggufs.size() == 1 ? QFileInfo(QDir(path), words(ggufs.front())).absoluteFilePath() : QString();
}

} // namespace

void MainWindow::connectOutside() {
    connect(m_actions->fromHub, &QAction::triggered, this, [this] { askForHub({}); });
    m_watch = new FileWatch(this);
    m_deciding = new Latest(this);
    m_comparing = new Latest(this);
    connect(m_watch, &FileWatch::changed, this, &MainWindow::sayChanged);
    connect(m_watch, &FileWatch::gone, this, &MainWindow::sayGone);
    connect(&m_document, &Document::changed, this, &MainWindow::watchFiles);
    connect(&m_document, &Document::fileChanged, this, &MainWindow::watchFiles);
    watchFiles();
}

void MainWindow::askForHub(const QString &name) {
    auto *dialog = findChild<HubDialog *>();
    if (!dialog) {
        dialog = new HubDialog(m_program->settings(), this);
        connect(dialog, &HubDialog::fetched, this, &MainWindow::takeFetched);
    }
    if (!name.isEmpty())
        dialog->setName(name);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::takeFetched(const HubFetched &fetched) {
    m_dashboard->messages()->clearPassing();
    m_loader.load(fetched.folder, fetched.notes);
    sayWhatIsRead(fetched.name.repository);
}

void MainWindow::watchFiles() {
    // Looked up again only where another model or file is shown: this runs at every change of a slider.
    const QString model = words(m_document.scenario().model.path);
    if (m_watchedModel == model && m_watchedPlan == m_document.fileName())
        return;
    m_watchedModel = model;
    m_watchedPlan = m_document.fileName();
    m_watchedFile.clear();
    m_deciding->ask([this, model](const Latest::GoOn &) -> Latest::Answer {
        return [this, file = model.isEmpty() ? QString() : decidingFile(model)] {
            m_watchedFile = file;
            QStringList files;
            for (const QString &one : {m_watchedPlan, m_watchedFile})
                if (!one.isEmpty())
                    files += one;
            m_watch->watch(files);
        };
    });
}

void MainWindow::sayChanged(const QString &file) {
    if (holdBack([this, file] { sayChanged(file); }))
        return; // it may be what this window is writing
    if (file == m_watchedPlan) {
        comparePlan(file);
    } else if (file == m_watchedFile) {
        m_dashboard->messages()->pass({MessageStrip::Kind::Warning, tr("%1, from which the model was read, was changed by another program.").arg(file),
                                       {{tr("Reload"), QStringLiteral("messageReload"), [this, path = m_watchedModel] { m_loader.loadAgain(path); }}}});
    }
}

/// What is nowhere on disk is not saved, whatever was written once.
void MainWindow::sayGone(const QString &file) {
    if (file != m_watchedPlan || holdBack([this, file] { sayGone(file); }))
        return;
    m_document.setUnsaved();
    showTitle();
    m_dashboard->messages()->pass({MessageStrip::Kind::Warning, tr("%1 is not there any more. Save writes it anew.").arg(file),
                                   {{tr("Save"), QStringLiteral("messageSave"), [this] { save(); }}}});
}

/// Says that the plan's file has another content, unless it was a save of this window.
void MainWindow::comparePlan(const QString &path) {
    m_comparing->ask([this, path, known = m_document.fileHash()](const Latest::GoOn &) -> Latest::Answer {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly) || Document::hashOf(file.readAll()) == known)
            return {};
        return [this, path, known] {
            if (path != m_watchedPlan || known != m_document.fileHash())
                return; // saved or opened meanwhile, which is seen in its turn
            m_dashboard->messages()->pass({MessageStrip::Kind::Warning, tr("%1 was changed by another program. What is shown here is as it was before.").arg(QFileInfo(path).fileName()),
                                           {{tr("Reload"), QStringLiteral("messageReload"), [this, path] { open(path); }}}});
        };
    });
}

void MainWindow::takeModelAgain(const Loaded &loaded) {
    m_document.editAll(tr("Reload %1").arg(words(loaded.model->name)), 0, [&](ScenarioDocument &document) {
        for (Scenario &scenario : document.scenarios)
            if (!scenario.model.path.empty() && QFileInfo(words(scenario.model.path)).absoluteFilePath() == loaded.path)
                scenario.model.spec = loaded.model;
    });
}

} // namespace kv
