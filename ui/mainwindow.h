// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One window: a document, the dashboard that shows it, menus, tool bar and status bar. Files come in by dialog, drop, paste or the list
// of recent ones; each is read off this thread, and one that cannot be read leaves everything as it was.

#include "ui/document.h"
#include "ui/loader.h"
#include "ui/session.h"
#include "ui/view.h"

#include <QApplication>
#include <QFont>
#include <QMainWindow>

#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QMimeData;
class QToolButton;

namespace kv {

struct Actions;
class Dashboard;
class Exporter;
class FileWatch;
struct HubFetched;
class Label;
class Latest;
struct OpenLog;
struct PaperOrder;
class Presentation;
class Program;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Program *program, const KeptWindow &kept);
    ~MainWindow() override;

    Document *document() { return &m_document; }
    Exporter *exporter() const { return m_exporter; }
    Dashboard *dashboard() const { return m_dashboard; }
    void open(const QString &path);
    void fitFileName();
    void hint(const QString &sentence);
    /// Whether the window may go, after asking where something would be lost; `quitting`: what is not saved waits for the next start.
    bool mayLeave(bool quitting);
    bool isGone() const { return m_gone; }
    /// All that a window needs to stand here once more; this one is done with, its place on disk goes along.
    KeptWindow handOver();
    /// The same log and the same pages open as in the window that it follows.
    void showLike(const MainWindow &before);

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    // mainwindow.cpp
    void build(const KeptWindow &kept);
    void makeDashboard();
    void connectActions();
    void showState();
    void showCounted();
    void showMind();
    void showTitle();
    void showKeeping();
    bool waitsForNextStart();
    void waitFor(const std::function<void()> &work);
    bool holdBack(std::function<void()> what);

    // mainwindowexport.cpp
    void connectExports();
    ScenarioDocument shownDocument();
    PaperOrder paperOrder(const QString &page);
    QString fileStem() const;
    void exportReport(const QString &title, const QString &filter, const QString &suffix);
    void leave(const ViewExports &exports, PageUse use);

    // mainwindowscenarios.cpp
    void connectScenario();
    void connectScenarios();
    void renameScenario();

    // mainwindowfiles.cpp
    void connectFiles();
    void askForFile();
    void askForLog();
    void askForLesson();
    void sayWhatIsRead(const QString &path);
    void openPasted(const QString &text);
    void takeMime(const QMimeData *mime);
    bool save();
    bool saveAs();
    bool write(const QString &path);
    bool changedOnDisk(const QString &path);
    QString documentName() const;

    // mainwindowtrace.cpp
    void connectTrace();
    void askForTrace();
    void askForColumns();
    void takeTrace(const Loaded &loaded);
    void refuseTrace(const Loaded &loaded);
    void chooseColumns(const Loaded &loaded);
    // mainwindowhub.cpp
    void connectOutside();
    void askForHub(const QString &name);
    void takeFetched(const HubFetched &fetched);
    void watchFiles();
    void sayChanged(const QString &file);
    void sayGone(const QString &file);
    void comparePlan(const QString &path);
    void takeModelAgain(const Loaded &loaded);

    // mainwindowtake.cpp
    void rememberTarget();
    std::optional<std::size_t> target() const;
    bool editTarget(const QString &text, const Document::Change &change);
    QString targetName() const;
    void take(const Loaded &loaded);
    void takeDocument(const Loaded &loaded);
    void takeModel(const Loaded &loaded);
    void takeLesson(const Loaded &loaded);
    void takeLaunch(const Loaded &loaded);
    void takeLog(const Loaded &loaded);
    void refuse(const Loaded &loaded);
    void calibrateByLog();
    void closeLog();

    Program *m_program;
    Document m_document;
    Loader m_loader;
    struct {
        std::size_t index = 0, count = 0;
        Scenario scenario;
    } m_target; ///< what was shown when that was asked for which is being read: what is read is for it
    std::shared_ptr<const OpenLog> m_log; ///< a way to look, not a part of the document
    std::unique_ptr<Actions> m_actions;
    QFont m_builtFor = QApplication::font(); ///< the dashboard's sizes follow this font
    Autosave *m_autosave = nullptr;
    Dashboard *m_dashboard = nullptr;
    Label *m_counted;
    Label *m_file;
    QToolButton *m_mind;
    Presentation *m_presentation;
    Exporter *m_exporter;
    FileWatch *m_watch = nullptr;
    Latest *m_deciding = nullptr; ///< lists a model's folder for the file to watch
    Latest *m_comparing = nullptr; ///< reads the plan's file, which another program may have changed
    QString m_watchedModel, m_watchedFile, m_watchedPlan; ///< the model as it was named, its file, the document's file
    bool m_gone = false;
    int m_waiting = 0; ///< for a file, while the event loop runs
    std::vector<std::function<void()>> m_heldBack; ///< what came meanwhile
};

} // namespace kv
