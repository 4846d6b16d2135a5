// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "core/workload/percentiles.h"
#include "tests/faults/faultfiles.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/exporter.h"
#include "ui/flightfinder.h"
#include "ui/language/language.h"
#include "ui/language/numbers.h"

#include <QLocale>

#include <atomic>
#include <thread>

using namespace kv;
using namespace kv::test;

// What is counted beside the window is neither counted on its thread nor waited for there, nor for one another; and what a window shares with those that
// count may change meanwhile.
class WaitingTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void largerType();
    void chartsForThoseWhoHaveThem_data();
    void chartsForThoseWhoHaveThem();
    void anotherScenario();
    void marksOnEachThread();
};

namespace {

/// Counts what happens to widgets outside of the window and of dialogs: those that pictures are made of.
class Sheets : public QObject {
public:
    explicit Sheets(const MainWindow *window) : m_window(window) { qApp->installEventFilter(this); }
    bool eventFilter(QObject *object, QEvent *) override {
        const QWidget *top = object->isWidgetType() ? static_cast<QWidget *>(object)->window() : nullptr;
        seen += top && top != m_window && !top->inherits("QDialog") && !top->inherits("QMenu");
        return false;
    }
    int seen = 0;

private:
    const MainWindow *m_window;
};

Scenario withLengths() {
    WindowFixture w;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.csv"));
    put(path, fileNamed(QStringLiteral("trace.csv")));
    w.drop(path);
    return w.window->document()->scenario();
}

} // namespace

void WaitingTest::largerType() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.csv"));
    put(path, fileNamed(QStringLiteral("trace.csv")));
    WindowFixture w;
    w.drop(path);
    QVERIFY(w.window->document()->scenario().workload.distribution);
    w.window->dashboard()->showPage(QStringLiteral("lengths"));
    QTRY_VERIFY(w.window->dashboard()->isSettled());
    std::optional<bool> counted; // when the next one stands there
    connect(w.window->dashboard(), &QObject::destroyed, this, [&] { counted = w.window->dashboard()->isSettled(); }, Qt::QueuedConnection);
    w.program.settings()->setZoom(120);
    QTRY_VERIFY(counted.has_value());
    QVERIFY2(!*counted, "the lengths were waited for");
    QTRY_VERIFY(w.window->dashboard()->isSettled());
}

void WaitingTest::chartsForThoseWhoHaveThem_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("action");
    QTest::addColumn<bool>("charts");
    QTest::newRow("csv") << QStringLiteral("a.csv") << QStringLiteral("exportDataAction") << false;
    QTest::newRow("json") << QStringLiteral("a.json") << QStringLiteral("exportDataAction") << false;
    QTest::newRow("md") << QStringLiteral("a.md") << QStringLiteral("exportReportAction") << false;
    QTest::newRow("html") << QStringLiteral("a.html") << QStringLiteral("exportReportAction") << true;
}

// A dialog opens at once: what it asks for is drawn when it is known, and where it is shown.
void WaitingTest::chartsForThoseWhoHaveThem() {
    QFETCH(QString, name);
    QFETCH(QString, action);
    QFETCH(bool, charts);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    WindowFixture w;
    Sheets sheets(w.window);
    int atDialog = -1;
    const Dialogs before = dialogs();
    dialogs().saveFile = [&](QWidget *, const QString &, const QString &, const QString &) {
        atDialog = sheets.seen;
        return path;
    };
    w.window->findChild<QAction *>(action)->trigger();
    w.window->exporter()->finish();
    dialogs() = before;
    QCOMPARE(atDialog, 0);
    QCOMPARE(sheets.seen > 0, charts);
    QCOMPARE(contentOf(path).contains("<svg"), charts);
    QVERIFY(!contentOf(path).isEmpty());
}

// One window's lengths are added up beside another's.
void WaitingTest::anotherScenario() {
    Scenario large = withLengths(), small = large;
    small.workload.distribution.value = std::make_shared<const Lengths>(lengthsOf({{"alike", 1, 1000, 0}})); // nothing to draw
    FlightFinder slow(nullptr), quick(nullptr);
    QStringList found;
    connect(&slow, &FlightFinder::found, this, [&found] { found += QStringLiteral("large"); });
    connect(&quick, &FlightFinder::found, this, [&found] { found += QStringLiteral("small"); });
    // On a machine with other things to do the small one may not get its turn at once: but not every time.
    for (int round = 0; round < 10 && found.value(0) != QLatin1String("small"); ++round) {
        found.clear();
        large.workload.sequences = Count(211 + round);
        small.workload.sequences = Count(1 + round);
        slow.ask(large, evaluate(large));
        QThread::msleep(10); // it has begun
        quick.ask(small, evaluate(small));
        QTRY_COMPARE_WITH_TIMEOUT(found.size(), 2, 60'000);
    }
    QCOMPARE(found, (QStringList{QStringLiteral("small"), QStringLiteral("large")}));
    // The same is added up once, and both have it.
    FlightFinder again(nullptr);
    again.ask(large, evaluate(large));
    again.finish();
    QVERIFY(again.of(large));
    QCOMPARE(again.of(large)->sequences, slow.of(large)->sequences);
}

void WaitingTest::marksOnEachThread() {
    const auto back = qScopeGuard([] { writeNumbersLike(QLocale::c()); });
    writeNumbersLike(QLocale(QStringLiteral("de_DE")));
    QCOMPARE(localNumbers(QStringLiteral("1,327.5 GB")), QStringLiteral("1.327,5 GB"));
    QLocale::setDefault(QLocale::c()); // what is Qt's own is not asked
    QCOMPARE(localNumbers(QStringLiteral("1,327.5 GB")), QStringLiteral("1.327,5 GB"));
    std::atomic<bool> on = true;
    std::atomic<int> wrong = 0, all = 0;
    const auto word = [&] {
        while (on) {
            const QString text = localNumbers(QStringLiteral("1,327.5 GB"));
            wrong += text != QLatin1String("1.327,5 GB") && text != QLatin1String("1,327.5 GB");
            ++all;
        }
    };
    std::thread one(word), two(word);
    for (int i = 0; i < 2000 || all < 100; ++i)
        writeNumbersLike(i % 2 ? QLocale::c() : QLocale(QStringLiteral("de_DE")));
    on = false;
    one.join();
    two.join();
    QCOMPARE(wrong.load(), 0);
}

KV_TEST(WaitingTest)
#include "waitingtest.moc"
