// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"
#include "ui/facts.h"
#include "ui/panels/tile.h"

#include <random>

using namespace kv;
using namespace kv::test;

// A thousand things that a person may do, drawn from a seed; after each the window must say what its scenario says, and at the end
// undo must lead back to the first scenario.
class MonkeyTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void thousandActions_data();
    void thousandActions();

private:
    void act(const WindowFixture &w, std::mt19937 &random);
    void check(const WindowFixture &w, int action);
};

namespace {

const char *const entries[]{"contextEdit", "sequencesEdit", "prefixEdit", "gpuCountEdit", "tpEdit", "ppEdit", "dpEdit", "reserveEdit"};
const char *const sliders[]{"contextSlider", "sequencesSlider", "prefixSlider"};
const char *const texts[]{"1", "0", "128k", "0.5M", "7", "12", "999999999", "9223372036854775807", "1e30", "-3", "", "many", "25 %", "4096", "100 %"};
const Qt::Key keys[]{Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End};

template <typename T, std::size_t n>
T pick(T const (&from)[n], std::mt19937 &random) {
    return from[random() % n];
}

} // namespace

void MonkeyTest::thousandActions_data() {
    QTest::addColumn<unsigned>("seed");
    for (const unsigned seed : {1U, 20U, 300U})
        QTest::addRow("seed %u", seed) << seed;
}

void MonkeyTest::act(const WindowFixture &w, std::mt19937 &random) {
    switch (random() % 14) {
    case 0:
    case 1:
        return w.type(pick(entries, random), QLatin1String(pick(texts, random)));
    case 2:
    case 3:
        QTest::keyClick(w.find<QWidget>(pick(sliders, random)), pick(keys, random));
        break;
    case 4: {
        auto *slider = w.find<LogSlider>(pick(sliders, random));
        QTest::mousePress(slider, Qt::LeftButton, {}, {static_cast<int>(random() % static_cast<unsigned>(slider->width())), 9});
        QTest::mouseMove(slider, {static_cast<int>(random() % static_cast<unsigned>(slider->width())), 9});
        QTest::mouseRelease(slider, Qt::LeftButton, {}, {9, 9});
        break;
    }
    case 5: {
        auto segments = w.find<QWidget>("kvTypes")->findChildren<QRadioButton *>();
        segments.removeIf([](const QRadioButton *segment) { return segment->isHidden(); });
        segments.at(static_cast<qsizetype>(random() % static_cast<unsigned>(segments.size())))->click();
        break;
    }
    case 6: {
        auto *combo = w.find<QComboBox>(random() % 2 ? "weightsCombo" : "engineCombo");
        emit combo->activated(static_cast<int>(random() % static_cast<unsigned>(combo->count())));
        break;
    }
    case 7: {
        const QList<Choice> models = modelChoices(), cards = gpuChoices();
        const bool model = random() % 2;
        const QList<Choice> &from = model ? models : cards;
        auto *list = w.find<QObject>(model ? "modelChooser" : "gpuChooser");
        QMetaObject::invokeMethod(list, "chosen", Q_ARG(QString, from.at(static_cast<qsizetype>(random() % static_cast<unsigned>(from.size()))).id));
        break;
    }
    case 8:
    case 9:
        w.window->findChild<QAction *>(random() % 3 ? QStringLiteral("undoAction") : QStringLiteral("redoAction"))->trigger();
        break;
    case 10:
        w.click(random() % 2 ? "unitGb" : "unitGib");
        break;
    case 11:
        w.window->findChild<QAction *>(random() % 2 ? QStringLiteral("fillSequencesAction") : QStringLiteral("longestContextAction"))->trigger();
        break;
    case 12:
    case 13: {
        const char *const turns[]{"duplicateAction", "nextAction", "previousAction", "removeAction", "nextAction"};
        w.window->findChild<QAction *>(QLatin1String(pick(turns, random)))->trigger();
        break;
    }
    default:
        break;
    }
    w.settle();
}

void MonkeyTest::check(const WindowFixture &w, int action) {
    Document *document = w.window->document();
    const Plan fresh = evaluate(document->scenario());
    QCOMPARE(document->plan().ok(), fresh.ok());
    QCOMPARE(w.find<QTabBar>("scenarioTabs")->count(), static_cast<int>(document->value().scenarios.size()));
    QCOMPARE(w.find<QTabBar>("scenarioTabs")->currentIndex(), static_cast<int>(document->value().current));
    if (!document->goodPlan().ok()) { // turned to a scenario that never could be planned: there is nothing to show of it
        QVERIFY(!fresh.ok() && w.find<QWidget>("veil")->isVisible() && !w.message().isEmpty());
        QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("–"));
        return;
    }
    const Plan &good = document->goodPlan();
    const SizeUnit unit = w.window->dashboard()->unit();
    QCOMPARE(w.shown("tileKvTotal"), QString::fromStdString(writeBytes(good.kv.total, unit)));
    QCOMPARE(w.shown("tileKvPerToken"), QString::fromStdString(writeBytes(good.kv.perToken, unit)));
    QCOMPARE(w.find<LogSlider>("contextSlider")->value(), document->scenario().workload.context.value);
    QCOMPARE(w.find<LogSlider>("sequencesSlider")->value(), document->scenario().workload.sequences.value);
    QVERIFY2(w.find<QWidget>("veil")->isVisible() != fresh.ok(), qPrintable(QString::number(action)));
    if (!fresh.ok())
        QVERIFY(!w.message().isEmpty());
}

void MonkeyTest::thousandActions() {
    QFETCH(unsigned, seed);
    WindowFixture w;
    std::mt19937 random(seed);
    QUndoStack *undo = w.window->document()->undoStack();
    undo->setUndoLimit(0); // a step forgotten for being old would be a start lost
    for (int action = 0; action < 1000; ++action) {
        act(w, random);
        check(w, action);
        if (QTest::currentTestFailed())
            return;
    }
    while (undo->canUndo())
        undo->undo();
    w.settle();
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t(1));
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    check(w, -1);
}

KV_TEST(MonkeyTest)
#include "monkeytest.moc"
