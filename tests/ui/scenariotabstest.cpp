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

KV_TEST(ScenarioTabsTest)
#include "scenariotabstest.moc"
