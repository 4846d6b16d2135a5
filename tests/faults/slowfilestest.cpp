// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/faultfiles.h"
#include "tests/faults/faultyfiles.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/exporter.h"
#include "ui/filewatch.h"

#include <ctime>
#include <memory>

using namespace kv;
using namespace kv::test;

// Files on a disk that takes long for everything: the window's own thread never waits for one, and is never busy for longer than a person
// feels. How long it is busy is counted in its own processor time, which other programs on the machine do not lengthen.
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
    QVERIFY2(w.message().contains(QStringLiteral("another program")), qPrintable(w.message()));
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

KV_TEST(SlowFilesTest)
#include "slowfilestest.moc"
