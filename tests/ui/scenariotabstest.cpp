// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/testmain.h"
#include "tests/ui/charts/textrecorder.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"
#include "ui/controls/quantityedit.h"
#include "ui/dialogs.h"

using namespace kv;
using namespace kv::test;

namespace {

void trigger(const WindowFixture &w, const char *name) {
    w.window->findChild<QAction *>(QLatin1String(name))->trigger();
    w.settle();
}

} // namespace

// Several scenarios in one document, as tabs over the verdict.
class ScenarioTabsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void severalScenarios();
    void oneSliderTwoScenarios();
    void ordered();
    void namedAndOffered();
    void typedStaysWithItsScenario();
    void optionStaysWithItsScenario();
    void refusedKeepsItsFigures();
    void alikeNamesAreNumbered();
    void pastedForTheOneItWasPastedFor();
    void ampersands();
    void longName();
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

void ScenarioTabsTest::typedStaysWithItsScenario() {
    WindowFixture w;
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    auto *entry = w.find<QuantityEdit>("sequencesEdit");
    const QString wrong = QStringLiteral("999999999999999999999");
    trigger(w, "duplicateAction");
    w.type("sequencesEdit", wrong);
    const QString sentence = w.message();
    QVERIFY(!sentence.isEmpty());
    const auto turn = [&](int index) {
        tabs->setCurrentIndex(index);
        w.settle();
    };
    turn(0);
    QCOMPARE(entry->text(), QStringLiteral("10"));
    QVERIFY(!entry->isWrong());
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
    w.type("sequencesEdit", QStringLiteral("7"));
    turn(1);
    QCOMPARE(entry->text(), wrong);
    QVERIFY(entry->isWrong());
    QCOMPARE(w.message(), sentence);
    // It goes along with its scenario.
    trigger(w, "moveLeftAction");
    QCOMPARE(tabs->currentIndex(), 0);
    QCOMPARE(entry->text(), wrong);
    turn(1);
    QCOMPARE(entry->text(), QStringLiteral("7"));
    turn(0);
    QCOMPARE(w.message(), sentence);
    QTest::keyClick(entry, Qt::Key_Escape);
    w.settle();
    QCOMPARE(entry->text(), QStringLiteral("10"));
    QVERIFY(w.message().isEmpty());
    // What can be read is taken for the scenario that it was typed for, before another is looked at.
    entry->setFocus(Qt::TabFocusReason);
    entry->selectAll();
    QTest::keyClicks(entry, QStringLiteral("25"));
    turn(1);
    QCOMPARE(entry->text(), QStringLiteral("7"));
    const auto count = [&w](std::size_t i) { return w.window->document()->value().scenarios[i].workload.sequences; };
    QCOMPARE(count(0), Count(25));
    QCOMPARE(count(1), Count(7));
    // Taking back a step takes the sentence about its entry along.
    w.type("sequencesEdit", QStringLiteral("8"));
    w.type("sequencesEdit", wrong);
    trigger(w, "undoAction");
    w.settle();
    QCOMPARE(entry->text(), QStringLiteral("7"));
    QVERIFY2(w.message().isEmpty(), qPrintable(w.message()));
}

void ScenarioTabsTest::optionStaysWithItsScenario() {
    WindowFixture w;
    w.choose("engineCombo", QStringLiteral("vllm"));
    w.click("engineOptionsFold");
    trigger(w, "duplicateAction");
    auto *line = w.find<QLineEdit>("option_max_num_seqs");
    line->setFocus(Qt::TabFocusReason);
    QTest::keyClicks(line, QStringLiteral("64"));
    w.find<QTabBar>("scenarioTabs")->setCurrentIndex(0);
    w.settle();
    line = w.find<QLineEdit>("option_max_num_seqs");
    QCOMPARE(line->text(), QString());
    const auto option = [&w](std::size_t i) { return w.window->document()->value().scenarios[i].engine.options.find("max_num_seqs"); };
    QVERIFY(!option(0));
    QVERIFY(option(1) && option(1)->integer() == 64);
}

void ScenarioTabsTest::refusedKeepsItsFigures() {
    WindowFixture w;
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    trigger(w, "duplicateAction");
    w.click("kvFp8");
    w.window->document()->edit(QStringLiteral("Break"), 0, [](Scenario &s) { s.parallel.tp = Count(7); });
    w.settle();
    QVERIFY(w.window->document()->isRefused());
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("214.7 GB"));
    const QString sentence = w.message();
    tabs->setCurrentIndex(0);
    w.settle();
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    QVERIFY(w.message().isEmpty());
    tabs->setCurrentIndex(1);
    w.settle();
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("214.7 GB")); // its own last good ones, not those of the other, nor none
    QCOMPARE(w.message(), sentence);
}

void ScenarioTabsTest::alikeNamesAreNumbered() {
    WindowFixture w;
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    trigger(w, "duplicateAction");
    trigger(w, "duplicateAction");
    w.window->document()->editAll(QStringLiteral("Rename"), 0, [](ScenarioDocument &document) {
        for (Scenario &scenario : document.scenarios)
            scenario.name = "R&D";
    });
    w.settle();
    QCOMPARE(tabs->tabText(0), QStringLiteral("R&&D"));
    QCOMPARE(tabs->tabText(1), QStringLiteral("R&&D (2)"));
    QCOMPARE(tabs->tabText(2), QStringLiteral("R&&D (3)"));
    trigger(w, "compareAction");
    w.window->dashboard()->settle();
    const auto *list = w.find<QAbstractItemView>("compareList");
    for (int i = 0; i < 3; ++i)
        QCOMPARE(list->model()->index(i, 0).data().toString(), QString(tabs->tabText(i)).replace(QLatin1String("&&"), QLatin1String("&")));
    QCOMPARE(w.find<QTableView>("compareTable")->model()->headerData(1, Qt::Horizontal).toString(), list->model()->index(0, 0).data().toString());
    QVERIFY(w.window->document()->value().scenarios[2].name == "R&D"); // shown so, not renamed
}

void ScenarioTabsTest::pastedForTheOneItWasPastedFor() {
    WindowFixture w;
    trigger(w, "duplicateAction");
    const Scenario other = w.window->document()->value().scenarios[0];
    QGuiApplication::clipboard()->setText(QStringLiteral("vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768"));
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    w.find<QTabBar>("scenarioTabs")->setCurrentIndex(0); // before it is read
    w.waitForFile();
    QVERIFY(w.window->document()->value().scenarios[0] == other);
    QCOMPARE(w.window->document()->value().scenarios[1].engine.id, std::string("vllm"));
    QVERIFY2(w.message().contains(QStringLiteral("Scenario 2")), qPrintable(w.message())); // which is not the one in front
    // Taken off the table meanwhile, nothing takes its place.
    w.find<QTabBar>("scenarioTabs")->setCurrentIndex(1);
    w.settle();
    w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
    w.window->findChild<QAction *>(QStringLiteral("removeAction"))->trigger();
    w.waitForFile();
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t(1));
    QVERIFY(w.window->document()->value().scenarios[0] == other);
    QVERIFY2(w.message().contains(QStringLiteral("gone")), qPrintable(w.message()));
}

/// A name's & is neither a key to press nor doubled, wherever it stands.
void ScenarioTabsTest::ampersands() {
    WindowFixture w;
    trigger(w, "duplicateAction");
    w.window->document()->editAll(QStringLiteral("Take R&D"), 0, [](ScenarioDocument &document) {
        document.scenarios[0].name = "R&D";
        document.scenarios[1].name = "Q&A";
    });
    w.settle();
    trigger(w, "compareAction");
    w.window->dashboard()->settle();
    QCOMPARE(w.window->findChild<QAction *>(QStringLiteral("undoAction"))->text(), QStringLiteral("&Undo Take R&&D"));
    const auto *list = w.find<QAbstractItemView>("compareList");
    const QString tip = list->model()->index(0, 0).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("R&amp;D")) && !tip.contains(QStringLiteral("amp;amp")), qPrintable(tip));
    QVERIFY(Qt::mightBeRichText(tip));
    for (const QWidget *widget : w.window->findChildren<QWidget *>())
        QVERIFY2(!widget->toolTip().contains(QStringLiteral("amp;amp")), qPrintable(widget->objectName()));
}

// The longest gives way; the others are whole, also the one in front in its heavier face.
void ScenarioTabsTest::longName() {
    WindowFixture w;
    for (int i = 0; i < 3; ++i)
        trigger(w, "duplicateAction");
    const QStringList names{QStringLiteral("begins ") + QString(120, QLatin1Char('m')) + QStringLiteral(" ends"), QStringLiteral("with an FP8 cache"), QStringLiteral("hybrid"), QStringLiteral("as today")};
    const Dialogs before = dialogs();
    auto *tabs = w.find<QTabBar>("scenarioTabs");
    for (int i = 0; i < 4; ++i) {
        tabs->setCurrentIndex(i);
        w.settle();
        dialogs().askText = [&](QWidget *, const QString &, const QString &, const QString &) { return std::optional(names[i]); };
        trigger(w, "renameAction");
    }
    dialogs() = before;
    for (int front = 0; front < 4; ++front) {
        tabs->setCurrentIndex(front);
        w.settle();
        TextRecorder recorder(tabs->size());
        QPainter painter(&recorder);
        tabs->render(&painter);
        painter.end();
        for (int i = 1; i < 4; ++i)
            QVERIFY2(recorder.texts().has(names[i]), qPrintable(recorder.texts().texts().join(QLatin1Char('|'))));
        const auto has = [drawn = recorder.texts().texts()](auto is) { return std::ranges::any_of(drawn, is); };
        QVERIFY(has([](const QString &text) { return text.startsWith(QStringLiteral("begins")); }) && has([](const QString &text) { return text.endsWith(QStringLiteral("ends")); }));
        QVERIFY(tabs->tabRect(3).right() < tabs->width());
        QVERIFY(tabs->tabToolTip(0).contains(names[0]));
    }
}

KV_TEST(ScenarioTabsTest)
#include "scenariotabstest.moc"
