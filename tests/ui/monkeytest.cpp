// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"
#include "ui/dialogs.h"
#include "ui/facts.h"
#include "ui/panels/tile.h"

#include <ctime>
#include <random>

using namespace kv;
using namespace kv::test;

// A thousand things that a person may do, drawn from a seed; after each the window must say what its scenario says, and at the end
// undo must lead back to the first scenario. KV_MONKEY_ACTIONS makes it more than a thousand, KV_MONKEY_SEED is another seed to start from;
// what it did last is said where it fails, and the same seed does the same again.
class MonkeyTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void thousandActions_data();
    void thousandActions();

private:
    void act(const WindowFixture &w, std::mt19937 &random);
    void actElsewhere(const WindowFixture &w, std::mt19937 &random);
    void check(const WindowFixture &w, int action);
};

namespace {

const char *const entries[]{"contextEdit", "sequencesEdit", "prefixEdit", "gpuCountEdit", "tpEdit", "ppEdit", "dpEdit", "reserveEdit"};
const char *const sliders[]{"contextSlider", "sequencesSlider", "prefixSlider"};
const char *const texts[]{"1", "0", "128k", "0.5M", "7", "12", "999999999", "9223372036854775807", "1e30", "-3", "", "many", "25 %", "4096", "100 %"};
const Qt::Key keys[]{Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End};

// Each leaves the plan's scenarios alone or is a step that undo takes back.
const char *const turns[]{"fitMapAction", "lengthsAction", "mistakesAction", "capacityAction", "leversAction", "compareAction", "lessonAction", "explainAction", "gpuTableAction",
                          "growthTableAction", "themeLightAction", "themeDarkAction", "themeSystemAction", "largerAction", "smallerAction", "usualAction", "presentAction",
                          "copySummaryAction", "copyExplanationAction", "copyLaunchAction", "copyLatexAction", "copyReportAction", "fewestGpusAction", "moveLeftAction", "moveRightAction",
                          "pinAction", "exportAction", "exportReportAction", "exportDataAction", "saveAction", "keysAction"};
const char *const pasted[]{"vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768 --kv-cache-dtype fp8", "llama-server -m model.gguf -c 32768 -np 4 -ctk q8_0", "{\"model_type\": \"llama\"",
                           "[]", "nothing that anybody knows", "<b>markup</b> & more", "ContextTokens,GeneratedTokens\n100,20\n4000,300\n", "\xff\xfe\x00"};
const QSize sizes[]{{1024, 700}, {1440, 900}, {700, 500}, {2200, 1300}};

double ownSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

#ifdef __SANITIZE_ADDRESS__
constexpr double frozen = 10; // seconds of this thread's own processor time
#else
constexpr double frozen = 1;
#endif

template <typename T, std::size_t n>
T pick(T const (&from)[n], std::mt19937 &random) {
    return from[random() % n];
}

} // namespace

void MonkeyTest::thousandActions_data() {
    QTest::addColumn<unsigned>("seed");
    const unsigned first = qEnvironmentVariableIntValue("KV_MONKEY_SEED") > 0 ? static_cast<unsigned>(qEnvironmentVariableIntValue("KV_MONKEY_SEED")) : 1U;
    for (const unsigned seed : {first, first + 19, first + 299})
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
        const char *const scenarioTurns[]{"duplicateAction", "nextAction", "previousAction", "removeAction", "nextAction"};
        w.window->findChild<QAction *>(QLatin1String(pick(scenarioTurns, random)))->trigger();
        break;
    }
    default:
        return actElsewhere(w, random);
    }
    w.settle();
}

// The pages, the size, the look, what is pasted, a click or a key somewhere.
void MonkeyTest::actElsewhere(const WindowFixture &w, std::mt19937 &random) {
    switch (random() % 6) {
    case 0:
        w.window->findChild<QAction *>(QLatin1String(pick(turns, random)))->trigger();
        break;
    case 1:
        w.window->resize(pick(sizes, random));
        break;
    case 2:
        QGuiApplication::clipboard()->setText(QString::fromUtf8(pick(pasted, random)));
        w.window->findChild<QAction *>(QStringLiteral("pasteAction"))->trigger();
        return w.waitForFile();
    case 3: {
        const QList<QWidget *> all = w.window->findChildren<QWidget *>();
        QWidget *somewhere = all.at(static_cast<qsizetype>(random() % static_cast<unsigned>(all.size())));
        if (somewhere->isVisible() && !qobject_cast<QAbstractButton *>(somewhere)) // a button may open a menu, which waits for an answer
            QTest::mouseMove(somewhere, {static_cast<int>(random() % static_cast<unsigned>(somewhere->width() + 1)), static_cast<int>(random() % static_cast<unsigned>(somewhere->height() + 1))});
        break;
    }
    case 4:
        if (QWidget *focused = w.window->focusWidget(); focused && !qobject_cast<QAbstractButton *>(focused) && !qobject_cast<QComboBox *>(focused))
            QTest::keyClick(focused, random() % 3 ? pick(keys, random) : Qt::Key_Tab);
        break;
    default: {
        QList<QAbstractButton *> buttons = w.window->findChildren<QAbstractButton *>();
        buttons.removeIf([](QAbstractButton *button) {
            const auto *tool = qobject_cast<QToolButton *>(button);
            const auto *push = qobject_cast<QPushButton *>(button);
            return !button->isVisible() || !button->isEnabled() || (tool && (tool->menu() || tool->popupMode() == QToolButton::InstantPopup)) || (push && push->menu());
        });
        if (!buttons.isEmpty())
            buttons.at(static_cast<qsizetype>(random() % static_cast<unsigned>(buttons.size())))->click();
        break;
    }
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
    const Dialogs before = dialogs();
    dialogs().openFile = [](QWidget *, const QString &, const QString &, const QString &) { return QString(); };
    dialogs().saveFile = dialogs().openFile;
    dialogs().askText = [](QWidget *, const QString &, const QString &, const QString &text) { return std::optional(text); };
    const int actions = std::max(1000, qEnvironmentVariableIntValue("KV_MONKEY_ACTIONS"));
    for (int action = 0; action < actions; ++action) {
        const double start = ownSeconds();
        act(w, random);
        const double took = ownSeconds() - start;
        check(w, action);
        if (took > frozen)
            QTest::qFail(qPrintable(QStringLiteral("action %1 held the window for %2 s").arg(action).arg(took)), __FILE__, __LINE__);
        if (QTest::currentTestFailed()) {
            qWarning("seed %u, action %d", seed, action);
            dialogs() = before;
            return;
        }
    }
    dialogs() = before;
    while (undo->canUndo())
        undo->undo();
    w.settle();
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t(1));
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    check(w, -1);
}

KV_TEST(MonkeyTest)
#include "monkeytest.moc"
