// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"
#include "ui/dialogs.h"

using namespace kv;
using namespace kv::test;

// Several scenarios in one document, as tabs over the verdict.
class ScenarioTabsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void severalScenarios();
    void oneSliderTwoScenarios();
    void ordered();
    void namedAndOffered();
};

void ScenarioTabsTest::severalScenarios() {
    WindowFixture w;
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    QVERIFY(!tabs->isVisible());
    const auto trigger = [&w](const char *name) {
        w.window->findChild<QAction *>(QLatin1String(name))->trigger();
        w.settle();
    };
    trigger("duplicateAction");
    QCOMPARE(tabs->count(), 2);
    QVERIFY(tabs->isVisible());
    QCOMPARE(tabs->currentIndex(), 1);
    w.click("kvFp8");
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("214.7 GB"));
    tabs->setCurrentIndex(0);
    w.settle();
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    QCOMPARE(w.window->document()->undoStack()->count(), 2); // looking is no step
    const Dialogs before = dialogs();
    dialogs().askText = [](QWidget *, const QString &, const QString &, const QString &) { return std::optional(QStringLiteral("as today & <b>")); };
    trigger("renameAction");
    dialogs() = before;
    QCOMPARE(tabs->tabText(0), QStringLiteral("as today && <b>"));
    trigger("nextAction");
    QCOMPARE(tabs->currentIndex(), 1);
    // Taking back what was done to the other scenario shows that one.
    trigger("undoAction");
    QCOMPARE(tabs->currentIndex(), 0);
    trigger("undoAction");
    QCOMPARE(tabs->currentIndex(), 1);
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    trigger("removeAction");
    QVERIFY(!tabs->isVisible());
    trigger("undoAction");
    QCOMPARE(tabs->count(), 2);
}

void ScenarioTabsTest::oneSliderTwoScenarios() {
    WindowFixture w;
    const auto trigger = [&w](const char *name) {
        w.window->findChild<QAction *>(QLatin1String(name))->trigger();
        w.settle();
    };
    trigger("duplicateAction");
    auto *slider = w.find<LogSlider>("sequencesSlider");
    slider->setFocus(Qt::TabFocusReason);
    QTest::keyClick(slider, Qt::Key_PageUp);
    w.settle();
    // The focus stays in the slider while the scenario under it becomes another: that one is meant now.
    trigger("previousAction");
    QCOMPARE(slider->value(), 10);
    QTest::keyClick(slider, Qt::Key_Right);
    w.settle();
    const auto count = [&w](std::size_t i) { return w.window->document()->value().scenarios[i].workload.sequences; };
    QCOMPARE(count(0), Count(11));
    QCOMPARE(count(1), Count(20));
    QCOMPARE(w.window->document()->undoStack()->count(), 3);
    trigger("undoAction");
    QCOMPARE(count(0), Count(10));
    QCOMPARE(count(1), Count(20));
    trigger("undoAction");
    QCOMPARE(count(1), Count(10));
}

void ScenarioTabsTest::ordered() {
    WindowFixture w;
    const auto trigger = [&w](const char *name) {
        w.window->findChild<QAction *>(QLatin1String(name))->trigger();
        w.settle();
    };
    for (int i = 0; i < 2; ++i)
        trigger("duplicateAction");
    w.type("sequencesEdit", QStringLiteral("3"));
    const auto order = [&w] {
        QList<std::int64_t> counts;
        for (const Scenario &s : w.window->document()->value().scenarios)
            counts += s.workload.sequences.value;
        return counts;
    };
    using Counts = QList<std::int64_t>;
    QVERIFY(!w.window->findChild<QAction *>(QStringLiteral("moveRightAction"))->isEnabled());
    trigger("moveLeftAction");
    QCOMPARE(order(), Counts({10, 3, 10}));
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    QCOMPARE(tabs->currentIndex(), 1);
    const int steps = w.window->document()->undoStack()->count();

    // Dragged to the front, and put back by Escape: nothing has happened.
    const QPoint from = tabs->tabRect(1).center();
    const auto drag = [&](const QPoint &to) {
        QTest::mousePress(tabs, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 8; ++i)
            QTest::mouseMove(tabs, from + (to - from) * i / 8);
    };
    drag({2, from.y()});
    QCOMPARE(order(), Counts({10, 3, 10})); // a step comes with the release
    QTest::keyClick(tabs, Qt::Key_Escape);
    w.settle();
    QTest::mouseRelease(tabs, Qt::LeftButton, {}, {2, from.y()});
    w.settle();
    QCOMPARE(order(), Counts({10, 3, 10}));
    QCOMPARE(tabs->currentIndex(), 1);
    QCOMPARE(w.window->document()->undoStack()->count(), steps);
    drag({2, from.y()});
    QTest::mouseRelease(tabs, Qt::LeftButton, {}, {2, from.y()});
    w.settle();
    QCOMPARE(order(), Counts({3, 10, 10}));
    QCOMPARE(w.window->document()->undoStack()->count(), steps + 1);
    trigger("undoAction");
    QCOMPARE(order(), Counts({10, 3, 10}));
}

void ScenarioTabsTest::namedAndOffered() {
    WindowFixture w;
    w.window->findChild<QAction *>(QStringLiteral("duplicateAction"))->trigger();
    w.settle();
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    const Dialogs before = dialogs();
    dialogs().askText = [](QWidget *, const QString &, const QString &, const QString &) { return std::optional(QStringLiteral("two nodes")); };
    QTest::mouseDClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    dialogs() = before;
    w.settle();
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("two nodes"));
    QCOMPARE(tabs->contextMenuPolicy(), Qt::ActionsContextMenu);
    QStringList offered;
    for (const QAction *action : tabs->actions())
        offered += action->objectName();
    QVERIFY2(offered.contains(QStringLiteral("duplicateAction")) && offered.contains(QStringLiteral("removeAction")), qPrintable(offered.join(QLatin1Char(' '))));
}

KV_TEST(ScenarioTabsTest)
#include "scenariotabstest.moc"
