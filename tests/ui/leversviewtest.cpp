// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/levers.h"
#include "tests/testmain.h"
#include "tests/ui/paintcounter.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/leverbutton.h"
#include "ui/view.h"
#include "ui/words.h"

using namespace kv;
using namespace kv::test;

namespace {

/// The list of the scenario that stands now.
void waitForList(const WindowFixture &w) {
    w.settle();
    w.window->dashboard()->settle();
}

void openLevers(const WindowFixture &w) {
    w.window->findChild<QAction *>(QStringLiteral("leversAction"))->trigger();
    w.settle();
    waitForList(w);
}

QList<LeverButton *> shownButtons(const WindowFixture &w, const char *prefix) {
    QList<LeverButton *> buttons;
    for (LeverButton *button : w.window->findChildren<LeverButton *>())
        if (button->isVisible() && button->objectName().startsWith(QLatin1String(prefix)))
            buttons += button;
    std::ranges::sort(buttons, {}, [](const LeverButton *button) { return button->y(); });
    return buttons;
}

void pointAt(QWidget *widget, bool on) {
    if (on) {
        QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
        QCoreApplication::sendEvent(widget, &enter);
    } else {
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(widget, &leave);
    }
}

} // namespace

/// The levers as people use them: seen, pointed at, taken, taken back.
class LeversViewTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void listIsCoresOwn_data();
    void listIsCoresOwn();
    void takenInOneStep_data();
    void takenInOneStep();
    void pointedAtIsAGhost_data();
    void pointedAtIsAGhost();
    void ghostFollowsTheList();
    void ghostGoesWithThePointer();
    void oldListStandsUntilTheNew();
    void takenForItsOwnScenario();
    void nothingThatCanBePlanned();
    void smallWindow();
    void aGhostPaintsOnce();
};

void LeversViewTest::listIsCoresOwn_data() {
    QTest::addColumn<QString>("sequences");
    QTest::addColumn<QString>("cards");
    QTest::addColumn<QString>("rows");
    QTest::newRow("fits") << QStringLiteral("10") << QString() << QStringLiteral("What would help most");
    QTest::newRow("does not fit") << QStringLiteral("23") << QStringLiteral("To fit 23 sequences") << QStringLiteral("Each lever alone");
    QTest::newRow("nothing fits it") << QStringLiteral("5000000") << QStringLiteral("Nothing tried fits 5,000,000 sequences; nearest to it") << QStringLiteral("Each lever alone");
}

void LeversViewTest::listIsCoresOwn() {
    QFETCH(QString, sequences);
    QFETCH(QString, cards);
    WindowFixture w;
    openLevers(w);
    w.type("sequencesEdit", sequences);
    waitForList(w);
    const Levers all = levers(w.window->document()->scenario());
    std::vector<Lever> ways = all.list;
    std::erase_if(ways, [](const Lever &lever) { return lever.idea.id == "sequences"; }); // serving fewer is no way to serve all
    QCOMPARE(w.find<QWidget>("leversCardsTitle")->isVisible() ? w.shown("leversCardsTitle") : QString(), cards);
    QTEST(w.shown("leversRowsTitle"), "rows");
    const QList<LeverButton *> nearest = shownButtons(w, "leverNearest");
    QCOMPARE(nearest.size(), cards.isEmpty() ? 0 : 3);
    for (qsizetype i = 0; i < nearest.size(); ++i) {
        const Lever &lever = ways[static_cast<std::size_t>(i)];
        QCOMPARE(nearest.at(i)->name(), words(lever.idea.name));
        QCOMPARE(nearest.at(i)->sign(), lever.fits ? LeverFace::Sign::Fits : LeverFace::Sign::FitsNot);
        QVERIFY(!nearest.at(i)->cost().isEmpty());
        QVERIFY(nearest.at(i)->accessibleName().contains(lever.fits ? QStringLiteral(", fits") : QStringLiteral(", does not fit")));
    }
    QHash<QString, int> kinds; // at first few of a kind
    for (const LeverButton *row : shownButtons(w, "lever_"))
        QVERIFY(++kinds[row->objectName().section(QLatin1Char('.'), 0, 0)] <= 2);
    QVERIFY(kinds.size() >= 4);
    QVERIFY(w.find<LeverButton>("lever_kv.fp8")); // the smallest change of a cache, though others gain more
    w.click("leversMore");
    const QList<LeverButton *> rows = shownButtons(w, "lever_");
    const auto singles = std::ranges::count_if(all.list, [](const Lever &lever) { return !lever.isPair(); });
    QCOMPARE(rows.size(), singles);
    for (const LeverButton *row : rows) {
        const auto lever = std::ranges::find(all.list, row->objectName().mid(6).toStdString(), [](const Lever &one) { return one.idea.id; });
        QVERIFY(lever != all.list.end());
        QCOMPARE(row->figures(), words(writeNumber(all.users.value_or(0))) + QStringLiteral(" → ") + words(writeNumber(lever->users.value_or(0))));
        QCOMPARE(row->accessibleDescription(), words(lever->sentence));
        QVERIFY(row->accessibleName().contains(row->figures()));
    }
    if (cards.isEmpty()) {
        QCOMPARE(rows.first()->name(), words(all.list.front().idea.name));
        QVERIFY(rows.first()->isVisible());
        QCOMPARE(w.find<LeverButton>("lever_kv.fp8")->figures(), QStringLiteral("10 → 20"));
    }
}

void LeversViewTest::takenInOneStep_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("step");
    QTest::addColumn<bool>("keyboard");
    QTest::newRow("a cache type, clicked") << QStringLiteral("kv.fp8") << QStringLiteral("Take FP8 cache") << false;
    QTest::newRow("a cache type, by Enter") << QStringLiteral("kv.fp8") << QStringLiteral("Take FP8 cache") << true;
    QTest::newRow("more GPUs") << QStringLiteral("gpus.tp") << QStringLiteral("Take 16 GPUs, TP 16") << false;
    QTest::newRow("less context") << QStringLiteral("context.half") << QStringLiteral("Take A context of 65,536 tokens") << true;
}

void LeversViewTest::takenInOneStep() {
    QFETCH(QString, id);
    QFETCH(bool, keyboard);
    WindowFixture w;
    openLevers(w);
    w.click("leversMore");
    Document *document = w.window->document();
    const Scenario before = document->scenario();
    const Levers all = levers(before);
    const auto lever = std::ranges::find(all.list, id.toStdString(), [](const Lever &one) { return one.idea.id; });
    QVERIFY(lever != all.list.end());
    auto *button = w.find<LeverButton>(qPrintable(QStringLiteral("lever_") + id));
    if (keyboard) {
        button->setFocus(Qt::TabFocusReason);
        QTest::keyClick(button, Qt::Key_Return);
    } else {
        QTest::mouseClick(button, Qt::LeftButton);
    }
    waitForList(w);
    QCOMPARE(document->undoStack()->count(), 1);
    QTEST(document->undoStack()->undoText(), "step");
    QCOMPARE(document->scenario(), lever->idea.scenario);
    QCOMPARE(document->plan().fit.maxSequences, lever->users);
    // A second one is a step of its own.
    QTest::mouseClick(w.find<LeverButton>("lever_prefix"), Qt::LeftButton);
    waitForList(w);
    QCOMPARE(document->undoStack()->count(), 2);
    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    waitForList(w);
    QCOMPARE(document->scenario(), lever->idea.scenario);
    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    waitForList(w);
    QCOMPARE(document->scenario(), before);
    QVERIFY(w.window->findChild<LeverButton *>(QStringLiteral("lever_") + id));
}

void LeversViewTest::pointedAtIsAGhost_data() {
    QTest::addColumn<bool>("keyboard");
    QTest::newRow("by the pointer") << false;
    QTest::newRow("by the keyboard") << true;
}

void LeversViewTest::pointedAtIsAGhost() {
    QFETCH(bool, keyboard);
    WindowFixture w;
    openLevers(w);
    QVERIFY(QTest::qWaitForWindowActive(w.window));
    auto *lever = w.find<LeverButton>("lever_kv.fp8");
    auto *growth = w.find<QWidget>("growthChart"), *gpus = w.find<QWidget>("gpuChart");
    const QString growthBefore = growth->accessibleDescription(), gpusBefore = gpus->accessibleDescription();
    const QRect place = gpus->geometry();
    if (keyboard)
        lever->setFocus(Qt::TabFocusReason);
    else
        pointAt(lever, true);
    w.settle();
    QCOMPARE(w.find<QWidget>("tileKvTotal")->property("ghost").toString(), QStringLiteral("→ 214.7 GB"));
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    QVERIFY(w.find<QWidget>("tileWeights")->property("ghost").toString().isEmpty()); // the same in both
    QVERIFY2(growth->accessibleDescription().contains(QStringLiteral("With FP8 cache it would take 214.7 GB")), qPrintable(growth->accessibleDescription()));
    QVERIFY2(gpus->accessibleDescription().contains(QStringLiteral("FP8 cache: 44.5 GB of 80 GB")), qPrintable(gpus->accessibleDescription()));
    QCOMPARE(gpus->geometry(), place);
    QCOMPARE(w.window->document()->undoStack()->count(), 0);
    if (keyboard)
        w.find<QWidget>("contextEdit")->setFocus(Qt::TabFocusReason);
    else
        pointAt(lever, false);
    w.settle();
    QVERIFY(w.find<QWidget>("tileKvTotal")->property("ghost").toString().isEmpty());
    QCOMPARE(growth->accessibleDescription(), growthBefore);
    QCOMPARE(gpus->accessibleDescription(), gpusBefore);
}

// What is pointed at stays pointed at while the scenario changes under it; what is taken, or hidden, is pointed at no more.
void LeversViewTest::ghostFollowsTheList() {
    WindowFixture w;
    openLevers(w);
    const auto ghost = [&] { return w.find<QWidget>("tileKvTotal")->property("ghost").toString(); };
    pointAt(w.find<QWidget>("lever_kv.fp8"), true);
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.sequences = Count(4); });
    waitForList(w);
    QCOMPARE(ghost(), QStringLiteral("→ 85.9 GB"));
    w.window->findChild<QAction *>(QStringLiteral("explainAction"))->trigger();
    w.settle();
    QVERIFY(ghost().isEmpty());
    openLevers(w);
    pointAt(w.find<QWidget>("lever_kv.fp8"), true);
    QVERIFY(!ghost().isEmpty());
    QTest::mouseClick(w.find<QWidget>("lever_kv.fp8"), Qt::LeftButton);
    waitForList(w);
    QVERIFY(ghost().isEmpty());
}

void LeversViewTest::ghostGoesWithThePointer() {
    WindowFixture w;
    openLevers(w);
    const auto ghost = [&] { return w.find<QWidget>("tileKvTotal")->property("ghost").toString(); };
    pointAt(w.find<QWidget>("lever_kv.fp8"), true);
    QVERIFY(!ghost().isEmpty());
    // Another scenario has no ghost of this one's, not until its own levers are counted.
    w.window->findChild<QAction *>(QStringLiteral("duplicateAction"))->trigger();
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.sequences = Count(4); });
    w.window->document()->setCurrent(0);
    w.window->document()->flush();
    QVERIFY2(ghost().isEmpty(), qPrintable(ghost()));
    waitForList(w);
    pointAt(w.find<QWidget>("lever_kv.fp8"), false);
    QVERIFY(ghost().isEmpty());
    // A window that is laid out anew has no pointer that could leave.
    pointAt(w.find<QWidget>("lever_kv.fp8"), true);
    QVERIFY(!ghost().isEmpty());
    w.window->findChild<QAction *>(QStringLiteral("largerAction"))->trigger();
    w.settle();
    waitForList(w);
    QVERIFY2(ghost().isEmpty(), qPrintable(ghost()));
    w.window->findChild<QAction *>(QStringLiteral("usualAction"))->trigger();
    w.settle();
}

/// Clicked in the moment after another scenario was turned to, before it is shown.
void LeversViewTest::takenForItsOwnScenario() {
    WindowFixture w;
    openLevers(w);
    w.window->findChild<QAction *>(QStringLiteral("duplicateAction"))->trigger();
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.sequences = Count(4); });
    waitForList(w);
    const ScenarioDocument before = w.window->document()->value();
    w.window->document()->setCurrent(0);
    QTest::mouseClick(w.find<LeverButton>("lever_kv.fp8"), Qt::LeftButton);
    w.settle();
    QVERIFY(w.window->document()->value().scenarios == before.scenarios);
}

void LeversViewTest::oldListStandsUntilTheNew() {
    WindowFixture w;
    openLevers(w);
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.sequences = Count(4); });
    w.window->document()->flush(); // presented, and not yet looked for
    auto *lever = w.find<LeverButton>("lever_kv.fp8");
    QVERIFY(lever->isVisible());
    // Taken from the old list it is still the change it says, to the settings that hold.
    QTest::mouseClick(lever, Qt::LeftButton);
    w.settle();
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(4));
    QCOMPARE(w.window->document()->scenario().kv.key, ElementType::Fp8);
}

void LeversViewTest::nothingThatCanBePlanned() {
    WindowFixture w;
    openLevers(w);
    w.window->document()->replace({{[] {
                                       Scenario s = firstScenario();
                                       s.engine.id = "vlm";
                                       return s;
                                   }()},
                                   0,
                                   {}},
                                  {}, {});
    w.settle();
    waitForList(w);
    QVERIFY(!w.window->dashboard()->view(QStringLiteral("levers"))->isEnabled());
    QVERIFY(shownButtons(w, "lever").isEmpty());
    QVERIFY(w.shown("leversNothing").contains(QStringLiteral("until the settings agree")));
}

void LeversViewTest::smallWindow() {
    WindowFixture w({1024, 700});
    openLevers(w);
    const QList<LeverButton *> rows = shownButtons(w, "lever_");
    QVERIFY(rows.size() > 3);
    const QRect inside(QPoint(), w.find<QScrollArea>("leversScroll")->viewport()->size());
    for (const LeverButton *row : rows)
        QVERIFY(row->width() <= inside.width());
}

void LeversViewTest::aGhostPaintsOnce() {
    WindowFixture w;
    openLevers(w);
    const QList<LeverButton *> rows = shownButtons(w, "lever_");
    PaintCounter paints(w.window->centralWidget());
    for (int i = 0; i < 12; ++i) {
        pointAt(rows.at(i / 2 % rows.size()), i % 2 == 0);
        w.settle();
        QTRY_VERIFY(paints.any());
        QTest::qWait(20); // what would paint anew
        QCOMPARE(paints.take(), QString());
    }
}

KV_TEST(LeversViewTest)
#include "leversviewtest.moc"
