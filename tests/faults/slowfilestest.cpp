// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/ownlist.h"
#include "tests/faults/faultfiles.h"
#include "tests/faults/faultyfiles.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/searchlist.h"
#include "ui/exporter.h"
#include "ui/facts.h"
#include "ui/filewatch.h"

#include <ctime>
#include <memory>

using namespace kv;
using namespace kv::test;

// Files on a disk that takes long for everything: the window's own thread never waits for one, and is never busy for longer than a person
// feels. How long it is busy is counted in its own processor time, which other programs on the machine do not lengthen. Longer than other
// files: every way from the window to a disk is a case over the same slow one.
class SlowFilesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void cleanup() { kvDisarmFaults(); }
    void opening_data();
    void opening();
    void exporting_data();
    void exporting();
    void saving();
    void asking();
    void arrivesWhileSaved_data();
    void arrivesWhileSaved();
    void ownSaveIsNobodyElses();
    void closedWhileSaved();
    void recentFiles();
    void dragging();
    void startingFolder();
    void pasting_data();
    void pasting();
    void changedByOthers();
    void otherColumns();
    void ownGpu();
    void hubToken();
};

namespace {

constexpr int slowMilliseconds = 25;
#ifdef __SANITIZE_ADDRESS__
constexpr double mostMilliseconds = 200; // all code runs slower there
#else
constexpr double mostMilliseconds = 50;
#endif

double ownMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Runs the event loop until `done`; the longest that one turn of it kept the thread busy.
template <typename Done>
double longestTurn(Done done) {
    double longest = 0;
    QElapsedTimer patience;
    patience.start();
    while (!done() && patience.elapsed() < 60'000) {
        const double before = ownMilliseconds();
        QCoreApplication::processEvents(QEventLoop::AllEvents);
        longest = std::max(longest, ownMilliseconds() - before);
        QThread::msleep(1);
    }
    return longest;
}

/// While it lives, the folder is slow, and what this thread does there itself is counted.
class Slow {
public:
    explicit Slow(const QString &folder) { kvArmFaults(folder.toUtf8().constData(), 0, 0, slowMilliseconds); }
    ~Slow() { kvDisarmFaults(); }
    Slow(const Slow &) = delete;
    Slow &operator=(const Slow &) = delete;
};

#define NOTHING_WAITED QVERIFY2(kvOwnOperations() == 0, kvLastOwnOperation())

void turn(int milliseconds) {
    QElapsedTimer since;
    since.start();
    longestTurn([&] { return since.elapsed() > milliseconds; });
}

} // namespace

void SlowFilesTest::opening_data() {
    QTest::addColumn<QString>("name");
    for (const char *name : {"config.json", "plan.kvplan", "trace.csv", "server.log", "lesson.json"})
        QTest::newRow(name) << QString::fromLatin1(name);
    QTest::newRow("nothing that is known") << QStringLiteral("notes.json");
}

void SlowFilesTest::opening() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    put(path, name == QLatin1String("notes.json") ? QByteArray("[1, 2, 3]") : fileNamed(name));
    WindowFixture w;
    w.settle();
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, slowMilliseconds);
    w.window->open(path);
    const Scenario before = w.window->document()->scenario();
    const int lessons = w.find<QTabBar>("scenarioTabs")->count();
    const double longest = longestTurn([&] {
        return !w.message().isEmpty() || !(w.window->document()->scenario() == before) || w.find<QTabBar>("scenarioTabs")->count() != lessons ||
               w.window->document()->fileName() == path;
    });
    const double after = longestTurn([turns = 0]() mutable { return ++turns > 40; });
    const long operations = kvOperations(), own = kvOwnOperations();
    const QByteArray last(kvLastOwnOperation());
    kvDisarmFaults();
    QVERIFY2(operations >= 2, "the file was not touched");
    QVERIFY2(own == 0, last.constData());
    QVERIFY2(std::max(longest, after) < mostMilliseconds, qPrintable(QString::number(std::max(longest, after))));
}

void SlowFilesTest::exporting_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("action");
    for (const auto &[name, action] : {std::pair{"a.png", "exportAction"}, {"a.svg", "exportAction"}, {"a.pdf", "exportAction"}, {"a.md", "exportReportAction"},
                                       {"a.html", "exportReportAction"}, {"a.csv", "exportDataAction"}})
        QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(action);
}

void SlowFilesTest::exporting() {
    QFETCH(QString, name);
    QFETCH(QString, action);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    const SavesTo answer(path);
    WindowFixture w;
    w.window->findChild<QAction *>(QStringLiteral("pictureSize3Action"))->trigger();
    w.settle();
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, slowMilliseconds);
    const double began = ownMilliseconds();
    w.window->findChild<QAction *>(action)->trigger();
    const double first = ownMilliseconds() - began;
    const double longest = longestTurn([&] { return !w.window->exporter()->isBusy(); });
    const long operations = kvOperations(), own = kvOwnOperations();
    const QByteArray last(kvLastOwnOperation());
    kvDisarmFaults();
    QVERIFY(QFileInfo::exists(path));
    QVERIFY2(operations >= 3, "the file was not written");
    QVERIFY2(own == 0, last.constData());
    QVERIFY2(std::max(first, longest) < mostMilliseconds, qPrintable(QString::number(std::max(first, longest))));
}

void SlowFilesTest::saving() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.kvplan"));
    const SavesTo answer(path);
    WindowFixture w;
    QAction *save = w.window->findChild<QAction *>(QStringLiteral("saveAction"));
    save->trigger();
    w.type("contextEdit", QStringLiteral("12345"));
    int ticks = 0;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&ticks] { ++ticks; });
    beat.start(5);
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, slowMilliseconds);
    save->trigger();
    const long operations = kvOperations(), own = kvOwnOperations();
    const QByteArray last(kvLastOwnOperation());
    kvDisarmFaults();
    QVERIFY(!w.window->isWindowModified());
    QVERIFY2(operations >= 4, "the file was not written");
    QVERIFY2(own == 0, last.constData());
    QVERIFY2(ticks >= 4, qPrintable(QString::number(ticks))); // the window went on meanwhile
}

// Whether a name is taken is looked up beside as well.
void SlowFilesTest::asking() {
    const QTemporaryDir folder;
    put(folder.filePath(QStringLiteral("plan.png")), "theirs");
    const SavesTo answer(folder.filePath(QStringLiteral("plan")));
    int asked = 0;
    dialogs().overwrite = [&asked](QWidget *, const QString &) { return ++asked < 0; };
    WindowFixture w;
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, slowMilliseconds);
    w.window->findChild<QAction *>(QStringLiteral("exportAction"))->trigger();
    const long own = kvOwnOperations();
    const QByteArray last(kvLastOwnOperation());
    kvDisarmFaults();
    QCOMPARE(asked, 1);
    QVERIFY2(own == 0, last.constData());
    QCOMPARE(contentOf(folder.filePath(QStringLiteral("plan.png"))), QByteArray("theirs"));
}

void SlowFilesTest::arrivesWhileSaved_data() {
    QTest::addColumn<bool>("edited");
    QTest::addColumn<QString>("opened");
    QTest::newRow("a model") << true << QStringLiteral("config.json");
    QTest::newRow("a model, to a plan as it was saved") << false << QStringLiteral("config.json");
    QTest::newRow("request lengths") << true << QStringLiteral("trace.csv");
    QTest::newRow("another plan, in the place of one that is saved again") << false << QStringLiteral("plan.kvplan");
    QTest::newRow("an edit") << true << QString();
}

// What is being saved is what there was when it was asked for: whatever comes meanwhile is not on disk, and not said to be.
void SlowFilesTest::arrivesWhileSaved() {
    QFETCH(bool, edited);
    QFETCH(QString, opened);
    const QTemporaryDir folder, other;
    const QString path = folder.filePath(QStringLiteral("mine.kvplan"));
    const SavesTo answer(path);
    WindowFixture w;
    QAction *save = w.window->findChild<QAction *>(QStringLiteral("saveAction"));
    save->trigger();
    if (edited)
        w.type("contextEdit", QStringLiteral("12345"));
    const Tokens context = w.window->document()->scenario().workload.context;
    if (!opened.isEmpty()) {
        put(other.filePath(opened), fileNamed(opened));
        w.window->open(other.filePath(opened));
    } else {
        QMetaObject::invokeMethod(w.window, [&w] { w.window->document()->edit(QStringLiteral("Context"), 0, [](Scenario &s) { s.workload.context = Tokens(777); }); }, Qt::QueuedConnection);
    }
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, 4 * slowMilliseconds);
    if (opened.isEmpty())
        w.window->findChild<QAction *>(QStringLiteral("saveAsAction"))->trigger(); // writes at once: what is posted comes while it does
    else
        save->trigger();
    kvDisarmFaults();
    w.waitForFile();
    const auto inFile = [](const QString &file) { return readDocument(contentOf(file).toStdString(), "plan", QFileInfo(file).absolutePath().toStdString()); };
    const auto mine = inFile(path);
    QVERIFY(mine && mine->scenarios.front().workload.context == context);
    const ScenarioDocument shown = w.window->document()->value();
    const auto said = inFile(w.window->document()->fileName());
    QVERIFY(said && (w.window->isWindowModified() || said->scenarios == shown.scenarios));
    QVERIFY2(!(mine->scenarios == shown.scenarios), "nothing came");
}

/// The watch may see the new file while the save is still on its way.
void SlowFilesTest::ownSaveIsNobodyElses() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.kvplan"));
    const SavesTo answer(path);
    WindowFixture w;
    w.window->findChild<QAction *>(QStringLiteral("saveAction"))->trigger();
    w.type("contextEdit", QStringLiteral("12345"));
    auto *watch = w.window->findChild<FileWatch *>();
    auto noticed = std::make_unique<QObject>();
    for (int after = 0; after < 20 * slowMilliseconds; after += slowMilliseconds / 3)
        QTimer::singleShot(after, noticed.get(), [&] { emit watch->changed(path); });
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, slowMilliseconds);
    w.window->findChild<QAction *>(QStringLiteral("saveAsAction"))->trigger(); // writes at once
    kvDisarmFaults();
    noticed.reset();
    w.settle();
    QVERIFY(!w.window->isWindowModified());
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    put(path, fileNamed(QStringLiteral("plan.kvplan"))); // and what is another's is still said
    emit watch->changed(path);
    QTRY_VERIFY2(w.message().contains(QStringLiteral("another program")), qPrintable(w.message()));
}

/// A window manager's wish to close comes at any time.
void SlowFilesTest::closedWhileSaved() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.kvplan"));
    const SavesTo answer(path);
    int asked = 0;
    dialogs().keepChanges = [&asked](QWidget *, const QString &) {
        ++asked;
        return Keep::Cancel;
    };
    WindowFixture w;
    QAction *save = w.window->findChild<QAction *>(QStringLiteral("saveAction"));
    save->trigger();
    w.type("contextEdit", QStringLiteral("12345"));
    QTimer::singleShot(slowMilliseconds / 2, w.window, &QWidget::close);
    kvArmFaults(folder.path().toUtf8().constData(), 0, 0, slowMilliseconds);
    save->trigger();
    kvDisarmFaults();
    QVERIFY(contentOf(path).contains("12345"));
    const QPointer<MainWindow> window(w.window);
    QTRY_VERIFY(!window || !window->isVisible());
    QCOMPARE(asked, 0);
}

// Recent files lie wherever they lie: neither a window that comes up nor its menu waits for them.
void SlowFilesTest::recentFiles() {
    const QTemporaryDir folder;
    const QString there = folder.filePath(QStringLiteral("plan.kvplan")), gone = folder.filePath(QStringLiteral("gone.kvplan")), model = folder.filePath(QStringLiteral("tiny"));
    put(there, fileNamed(QStringLiteral("plan.kvplan")));
    QDir().mkdir(model);
    {
        Settings settings;
        for (const QString &path : {model, gone, there})
            settings.addRecent(path);
    }
    const Slow slow(folder.path());
    WindowFixture w;
    NOTHING_WAITED;
    auto *menu = w.window->findChild<QMenu *>(QStringLiteral("recentMenu"));
    QVERIFY(menu);
    emit menu->aboutToShow();
    NOTHING_WAITED;
    QCOMPARE(menu->actions().size(), 5);
    for (int i = 0; i < 3; ++i) // not known yet
        QVERIFY(menu->actions().at(i)->isEnabled());
    QCOMPARE(menu->actions().at(0)->text(), QStringLiteral("&1 plan.kvplan"));
    QTRY_VERIFY(!menu->actions().at(1)->isEnabled());
    QVERIFY(menu->actions().at(1)->statusTip().contains(QStringLiteral("not there any more")));
    QTRY_COMPARE(menu->actions().at(2)->text(), QStringLiteral("&3 %1/tiny").arg(QFileInfo(folder.path()).fileName()));
    QVERIFY(menu->actions().at(0)->isEnabled());
    NOTHING_WAITED;
    menu->actions().at(0)->trigger();
    QTRY_COMPARE(w.window->document()->fileName(), there);
    turn(600); // it is watched from now on
    NOTHING_WAITED;
}

void SlowFilesTest::dragging() {
    const QTemporaryDir folder;
    QDir(folder.path()).mkdir(QStringLiteral("Llama-3.1-8B"));
    WindowFixture w;
    const Slow slow(folder.path());
    const auto isTaken = [&](const char *name) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(folder.filePath(QLatin1String(name)))});
        QDragEnterEvent enter(w.window->rect().center(), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(w.window, &enter);
        return enter.isAccepted();
    };
    QVERIFY(isTaken("Llama-3.1-8B"));
    QVERIFY(isTaken("model"));
    QVERIFY(isTaken("plan.kvplan"));
    QVERIFY(isTaken("trace.CSV"));
    QVERIFY(!isTaken("letter.docx"));
    NOTHING_WAITED;
}

void SlowFilesTest::startingFolder() {
    const QTemporaryDir folder;
    const Dialogs before = dialogs();
    const auto back = qScopeGuard([&before] { dialogs() = before; });
    QStringList begun;
    dialogs().openFile = [&begun](QWidget *, const QString &, const QString &where, const QString &) {
        begun += where;
        return QString();
    };
    dialogs().saveFile = [&begun](QWidget *, const QString &, const QString &where, const QString &) {
        begun += QFileInfo(where).absolutePath();
        return QString();
    };
    WindowFixture w;
    w.program.settings()->setFolder(folder.path());
    const Slow slow(folder.path());
    for (const char *action : {"openAction", "openLogAction", "openLessonAction", "saveAsAction", "exportDataAction", "exportAction"}) {
        w.window->findChild<QAction *>(QLatin1String(action))->trigger();
        QVERIFY2(!begun.isEmpty() && begun.takeLast() == folder.path(), action);
        NOTHING_WAITED;
    }
}

void SlowFilesTest::pasting_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("a path") << QStringLiteral("plan.kvplan");
    QTest::newRow("a path to nothing") << QStringLiteral("nothing.kvplan");
}

void SlowFilesTest::pasting() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    put(folder.filePath(QStringLiteral("plan.kvplan")), fileNamed(QStringLiteral("plan.kvplan")));
    WindowFixture w;
    QGuiApplication::clipboard()->setText(folder.filePath(name));
    const Slow slow(folder.path());
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    NOTHING_WAITED;
    if (name == QLatin1String("plan.kvplan"))
        QTRY_COMPARE(w.window->document()->fileName(), folder.filePath(name));
    else
        QTRY_VERIFY(!w.message().isEmpty());
    turn(300);
    NOTHING_WAITED;
}

// Another program's change is no wish of the person at the window: nothing is held up by the look at it.
void SlowFilesTest::changedByOthers() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.kvplan"));
    put(path, fileNamed(QStringLiteral("plan.kvplan")));
    WindowFixture w;
    w.window->open(path);
    QTRY_VERIFY(w.window->findChild<FileWatch *>()->files().contains(path) && w.window->findChild<FileWatch *>()->isSettled());
    put(path, fileNamed(QStringLiteral("plan.kvplan")) + '\n');
    const Slow slow(folder.path());
    int deepest = 0;
    QTimer beat;
    connect(&beat, &QTimer::timeout, this, [&deepest] { deepest = std::max(deepest, QThread::currentThread()->loopLevel()); });
    beat.start(2);
    QTRY_VERIFY(w.message().contains(QStringLiteral("changed by another program")));
    NOTHING_WAITED;
    QCOMPARE(deepest, 0); // no loop within, which takes no input
}

void SlowFilesTest::otherColumns() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.csv"));
    put(path, "ContextTokens,GeneratedTokens\n100,20\n300,40\n");
    WindowFixture w;
    w.drop(path);
    QVERIFY(w.window->document()->scenario().workload.distribution);
    QFile::remove(path);
    const Slow slow(folder.path());
    w.click("messageColumns");
    QTRY_VERIFY(w.message().contains(QStringLiteral("not there any more")));
    NOTHING_WAITED;
}

void SlowFilesTest::ownGpu() {
    const QString home = QFileInfo(QString::fromStdString(ownGpusPath())).path();
    QDir().mkpath(home);
    const auto back = qScopeGuard([] {
        QFile::remove(QString::fromStdString(ownGpusPath()));
        reloadGpus();
    });
    WindowFixture w;
    emit w.find<SearchList>("gpuChooser")->chosen(ownGpuId);
    auto *dialog = w.window->findChild<QDialog *>(QStringLiteral("ownGpuDialog"));
    QVERIFY(dialog);
    dialog->findChild<QLineEdit *>(QStringLiteral("ownGpuName"))->setText(QStringLiteral("Bench card"));
    dialog->findChild<QLineEdit *>(QStringLiteral("ownGpuMemory"))->setText(QStringLiteral("96 GB"));
    const Slow slow(home);
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("ownGpuSave")), Qt::LeftButton);
    QTRY_COMPARE(w.window->document()->scenario().hardware.gpu, std::string("bench-card"));
    QVERIFY(kvOperations() >= 4);
    NOTHING_WAITED;
    w.settle(); // the panel knows of it
    emit w.find<SearchList>("gpuChooser")->chosen(ownGpuId);
    dialog = w.window->findChildren<QDialog *>(QStringLiteral("ownGpuDialog")).constLast();
    QTest::mouseClick(dialog->findChild<QPushButton *>(QStringLiteral("ownGpuRemove")), Qt::LeftButton);
    QTRY_VERIFY(findGpu("bench-card") && findGpu("bench-card")->origin == GpuOrigin::Guest);
    QVERIFY(!dialog->findChild<QPushButton *>(QStringLiteral("ownGpuRemove"))->isEnabled());
    NOTHING_WAITED;
}

// The token may be kept in a file: that is read once for the sentence about it, and when something is fetched, never for a letter typed.
void SlowFilesTest::hubToken() {
    const QTemporaryDir folder;
    put(folder.filePath(QStringLiteral("token")), "hf_abc");
    qputenv("HF_HOME", folder.path().toUtf8());
    const auto back = qScopeGuard([] { qunsetenv("HF_HOME"); });
    WindowFixture w;
    const Slow slow(folder.path());
    w.click("fromHubButton");
    NOTHING_WAITED;
    QTRY_VERIFY(w.shown("hubWhat").contains(QStringLiteral("Your access token is sent")));
    const long before = kvOperations();
    QTest::keyClicks(w.find<QComboBox>("hubName")->lineEdit(), QStringLiteral("acme/tiny"));
    QVERIFY(w.shown("hubWhat").contains(QStringLiteral("Your access token is sent")));
    turn(100);
    QCOMPARE(kvOperations(), before);
    NOTHING_WAITED;
    w.click("hubCancel");
    // Pasting asks where the Hub is.
    QGuiApplication::clipboard()->setText(QStringLiteral("good morning"));
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    QTRY_VERIFY(!w.message().isEmpty());
    NOTHING_WAITED;
}

KV_TEST(SlowFilesTest)
#include "slowfilestest.moc"
