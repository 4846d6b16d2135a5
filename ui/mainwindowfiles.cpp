// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/savefile.h"
#include "ui/actions.h"
#include "ui/aside.h"
#include "ui/dashboard.h"
#include "ui/dialogs.h"
#include "ui/hub/hubname.h"
#include "ui/hub/hubsettings.h"
#include "ui/learn/lessontab.h"
#include "ui/mainwindow.h"
#include "ui/panels/messagestrip.h"
#include "ui/program.h"
#include "ui/recentfiles.h"
#include "ui/words.h"

#include <QClipboard>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QTimer>

namespace kv {

namespace {

/// The files of a drop that are on this machine.
QStringList filesOf(const QMimeData *mime) {
    QStringList files;
    for (const QUrl &url : mime->urls())
        if (url.isLocalFile())
            files += url.toLocalFile();
    return files;
}

} // namespace

void MainWindow::connectFiles() {
    const Actions &a = *m_actions;
    connect(a.open, &QAction::triggered, this, &MainWindow::askForFile);
    connect(a.openLog, &QAction::triggered, this, &MainWindow::askForLog);
    connect(a.openLesson, &QAction::triggered, this, &MainWindow::askForLesson);
    connect(a.save, &QAction::triggered, this, &MainWindow::save);
    connect(a.saveAs, &QAction::triggered, this, &MainWindow::saveAs);
    connect(a.paste, &QAction::triggered, this, [this] { takeMime(QGuiApplication::clipboard()->mimeData()); });
    connect(new RecentFiles(a.recent, m_program->settings()), &RecentFiles::chosen, this, &MainWindow::open);
    connect(&m_loader, &Loader::begun, this, &MainWindow::rememberTarget);
    connect(&m_loader, &Loader::loaded, this, &MainWindow::take);
    connectTrace();
}

void MainWindow::askForFile() {
    const QString path = dialogs().openFile(this, tr("Open"), m_program->settings()->folder(),
                                            tr("Plans and models (*.kvplan *.json *.gguf *.safetensors);;Traces of request lengths (*.csv *.tsv *.jsonl *.ndjson *.json);;Pictures with their plan (*.png *.pdf);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::askForLog() {
    const QString path = dialogs().openFile(this, tr("Open Log"), m_program->settings()->folder(), tr("Logs (*.log *.txt *.out *.err);;All files (*)"));
    if (path.isEmpty())
        return;
    m_dashboard->messages()->clearPassing();
    m_loader.loadLog(path);
    sayWhatIsRead(path);
}

void MainWindow::askForLesson() {
    const QString path = dialogs().openFile(this, tr("Open Lesson"), m_program->settings()->folder(), tr("Lessons (*.json);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::open(const QString &path) {
    m_dashboard->messages()->clearPassing();
    m_loader.load(path);
    sayWhatIsRead(path);
}

void MainWindow::sayWhatIsRead(const QString &path) {
    constexpr int patience = 400; // milliseconds; most files are read within a few
    QTimer::singleShot(patience, this, [this, path] {
        if (m_loader.isBusy())
            m_dashboard->messages()->pass({MessageStrip::Kind::Hint, tr("Reading %1…").arg(path),
                                           {{tr("Cancel"), QStringLiteral("messageCancel"), [this] { m_loader.cancel(); }}}});
    });
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event) {
    const QStringList files = filesOf(event->mimeData());
    if (std::any_of(files.begin(), files.end(), mayBeLoaded) || (files.isEmpty() && event->mimeData()->hasText()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event) {
    takeMime(event->mimeData());
    event->acceptProposedAction();
}

/// What looks like a path is one where something is there, which is looked at where it is read.
void MainWindow::openPasted(const QString &text) {
    m_dashboard->messages()->clearPassing();
    m_loader.loadPasted(text, m_document.scenario());
    sayWhatIsRead(tr("the clipboard"));
}

void MainWindow::takeMime(const QMimeData *mime) {
    if (!mime)
        return;
    const QStringList files = filesOf(mime);
    const QString text = mime->text().trimmed();
    if (!files.isEmpty())
        open(files.first());
    else if (QFileInfo(text).isAbsolute())
        openPasted(text);
    else if (isHubAddress(text, hubSettings(systemEnvironment()).endpoint))
        askForHub(text); // which asks; nothing is fetched for a drop alone
    else if (!text.isEmpty())
        m_loader.loadPasted(text, m_document.scenario());
    else
        m_dashboard->messages()->pass({MessageStrip::Kind::Refusal, tr("The clipboard holds no text and no file."), {}});
}

bool MainWindow::save() {
    const QString path = m_document.fileName();
    if (path.isEmpty())
        return saveAs();
    if (!changedOnDisk(path))
        return write(path);
    m_dashboard->messages()->pass({MessageStrip::Kind::Warning,
                                   tr("%1 was changed by another program since it was opened here; nothing was saved.").arg(QFileInfo(path).fileName()),
                                   {{tr("Save As…"), QStringLiteral("messageSaveAs"), [this] { saveAs(); }},
                                    {tr("Overwrite"), QStringLiteral("messageOverwrite"), [this, path] { write(path); }},
                                    {tr("Open Theirs"), QStringLiteral("messageReload"), [this, path] { open(path); }}}});
    return false;
}

bool MainWindow::saveAs() {
    QString start = m_document.fileName();
    if (start.isEmpty()) {
        const QString folder = m_program->settings()->folder();
        start = (folder.isEmpty() ? QDir::homePath() : folder) + QStringLiteral("/plan.kvplan");
    }
    const QString path = askSaveName(this, tr("Save As"), start, tr("Plans (*.kvplan)"), QStringLiteral("kvplan"));
    return !path.isEmpty() && write(path);
}

/// Waits for a disk. What comes from elsewhere in the meantime is taken when that is done: a save is of what was there when it began.
void MainWindow::waitFor(const std::function<void()> &work) {
    ++m_waiting;
    aside(work);
    if (--m_waiting > 0 || m_heldBack.empty())
        return;
    QMetaObject::invokeMethod(this, [this] {
            for (const auto &what : std::exchange(m_heldBack, {}))
                if (!m_gone)
                    what();
        }, Qt::QueuedConnection);
}

/// True: not now, it will be done later.
bool MainWindow::holdBack(std::function<void()> what) {
    if (m_waiting > 0)
        m_heldBack.push_back(std::move(what));
    return m_waiting > 0;
}

bool MainWindow::write(const QString &path) {
    const QFileInfo file(path);
    const ScenarioDocument whole = m_document.value();
    ScenarioDocument kept = whole;
    takeLessonOut(kept);
    const QByteArray bytes = QByteArray::fromStdString(writeDocument(kept, utf8(file.absolutePath())));
    std::string reason;
    waitFor([&] { reason = replaceFile(utf8(path), {bytes.constData(), static_cast<std::size_t>(bytes.size())}); });
    if (!reason.empty()) {
        m_dashboard->messages()->pass({MessageStrip::Kind::Refusal, tr("%1 could not be saved: %2. Nothing was changed there.").arg(path, words(reason)),
                                       {{tr("Save As…"), QStringLiteral("messageSaveAs"), [this] { saveAs(); }}}});
        return false;
    }
    m_document.setFile(file.absoluteFilePath(), Document::hashOf(bytes));
    if (m_document.value().scenarios == whole.scenarios)
        m_document.setSaved();
    else
        m_document.setUnsaved(); // a step that was made meanwhile is not in the file
    m_program->settings()->addRecent(path);
    m_program->settings()->setFolder(file.absolutePath());
    if (kept.scenarios.size() < whole.scenarios.size())
        hint(tr("The lesson is not part of the file; a tab with another name is yours, and saved."));
    return true;
}

bool MainWindow::changedOnDisk(const QString &path) {
    bool changed = false;
    waitFor([&, known = m_document.fileHash()] {
        QFile file(path);
        changed = file.open(QIODevice::ReadOnly) && Document::hashOf(file.readAll()) != known;
    });
    return changed;
}

QString MainWindow::documentName() const {
    return m_document.fileName().isEmpty() ? tr("Untitled plan") : QFileInfo(m_document.fileName()).fileName();
}

} // namespace kv
