// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/charts/gpuchart.h"
#include "ui/charts/growthchart.h"
#include "ui/learn/answerbars.h"
#include "ui/learn/lessontab.h"
#include "ui/panels/tile.h"
#include "ui/view.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace kv;
using namespace kv::test;

namespace {

void start(const WindowFixture &w, const char *id) {
    w.window->findChild<QAction *>(QStringLiteral("lessonAction"))->trigger();
    w.settle();
    const auto all = lessons();
    QTRY_VERIFY(w.find<QListWidget>("lessons")->count() >= static_cast<int>(all.size()));
    const auto found = std::ranges::find(all, std::string(id), &Lesson::id);
    QVERIFY(found != all.end());
    w.find<QListWidget>("lessons")->setCurrentRow(static_cast<int>(found - all.begin()));
    w.click("lessonStart");
}

void look(const WindowFixture &w, std::size_t scenario) {
    w.window->document()->setCurrent(scenario);
    w.settle();
}

void takeBack(const WindowFixture &w) {
    w.window->document()->undoStack()->undo();
    w.settle();
}

} // namespace

// What a lesson shows stays the lesson's: its comparison, its answer, its tab, its page.
class WindowLessonTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void comparisonOfThisScenarioAlone();
    void pointedMistakeOfThisScenarioAlone();
    void answerIsNotToldBefore_data();
    void answerIsNotToldBefore();
    void verdictDoesNotTell_data();
    void verdictDoesNotTell();
    void guessBeginsAtNoAnswer();
    void eachRevealIsDrawn();
    void tabIsKnownAgain();
    void pageGoesWithUndo();
    void revealIsSeenOnStage();
};

void WindowLessonTest::comparisonOfThisScenarioAlone() {
    WindowFixture w;
    start(w, "03-eight-fold"); // over the scenario that the first tab has as well
    w.click("lessonReveal");
    const auto drawn = [&w] { return !w.find<Tile>("tileKvTotal")->ghost().isEmpty(); };
    QVERIFY(drawn() && w.window->dashboard()->ghost());
    look(w, 0);
    QVERIFY(!drawn() && !w.window->dashboard()->ghost());
    w.type("contextEdit", QStringLiteral("32768"));
    QVERIFY(!drawn());
    look(w, 1);
    QVERIFY(drawn());
    w.type("contextEdit", QStringLiteral("32768")); // now the mistake is another's
    QVERIFY(!drawn() && !w.window->dashboard()->ghost());
    w.window->document()->undoStack()->undo();
    w.settle();
    QVERIFY(drawn());
}

void WindowLessonTest::pointedMistakeOfThisScenarioAlone() {
    WindowFixture w;
    w.window->findChild<QAction *>(QStringLiteral("mistakesAction"))->trigger();
    w.settle();
    auto *bars = w.find<AnswerBars>("mistakeBars");
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_Down);
    QTest::keyClick(bars, Qt::Key_Down);
    QVERIFY(w.window->dashboard()->ghost());
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) { s.workload.context = Tokens(4096); });
    w.settle();
    QVERIFY(!w.window->dashboard()->ghost());
}

void WindowLessonTest::answerIsNotToldBefore_data() {
    QTest::addColumn<QByteArray>("lesson");
    QTest::addColumn<QByteArray>("tile");
    QTest::addColumn<QString>("answer");
    const auto row = [](const char *lesson, const char *tile, const char *answer) { QTest::newRow(lesson) << QByteArray(lesson) << QByteArray(tile) << QString::fromLatin1(answer); };
    row("01-one-token", "tileKvPerSequence", "1.1 GB");
    row("02-factor-two", "tileKvPerToken", "327.7 kB");
    row("03-eight-fold", "tileKvPerToken", "327.7 kB");
    row("04-gb-and-gib", "tileKvTotal", "429.5 GB");
    row("07-mla", "tileKvPerToken", "70.3 kB");
    row("08-windows", "tileKvPerSequence", "11.2 GB");
    row("09-hybrids", "tileKvPerToken", "24.6 kB");
}

void WindowLessonTest::answerIsNotToldBefore() {
    QFETCH(QByteArray, lesson);
    QFETCH(QByteArray, tile);
    QFETCH(QString, answer);
    WindowFixture w;
    start(w, lesson.constData());
    auto *asked = w.find<Tile>(tile.constData());
    const auto hidden = [asked] { return asked->value() == QLatin1String("?") && !asked->toolTip().contains(QLatin1String(" B")); };
    QVERIFY2(hidden(), qPrintable(asked->value()));
    for (const char *other : {"tileWeights", "tileLongestContext"})
        QVERIFY(w.find<Tile>(other)->value() != QLatin1String("?"));
    QVERIFY(!w.window->dashboard()->summary().contains(answer));
    if (tile != "tileKvPerToken") // the charts show what is held, not what a token costs
        QVERIFY2(!w.window->dashboard()->growthChart()->description().contains(answer), qPrintable(w.window->dashboard()->growthChart()->description()));
    QVERIFY2(!w.window->dashboard()->gpuChart()->description().contains(answer), qPrintable(w.window->dashboard()->gpuChart()->description()));
    look(w, 0);
    QVERIFY2(!hidden(), "in another tab");
    look(w, 1);
    QVERIFY(hidden());
    w.click("lessonReveal");
    QCOMPARE(asked->value(), answer);
    w.click("lessonAgain");
    QVERIFY(hidden());
    w.click("lessonList");
    QVERIFY2(!hidden(), "after the lesson");
}

void WindowLessonTest::verdictDoesNotTell_data() {
    QTest::addColumn<QByteArray>("lesson");
    QTest::addColumn<QString>("kept"); ///< what stays of it
    QTest::newRow("a smaller type") << QByteArray("06-fp8-cache") << QStringLiteral("5.4 GB stays free.");
    QTest::newRow("lengths") << QByteArray("14-p99-and-average") << QStringLiteral("With these lengths");
}

void WindowLessonTest::verdictDoesNotTell() {
    QFETCH(QByteArray, lesson);
    QFETCH(QString, kept);
    WindowFixture w;
    start(w, lesson.constData());
    const auto all = lessons();
    const QString answer = QString::number(std::ranges::find(all, lesson.toStdString(), &Lesson::id)->right());
    const QRegularExpression told(QStringLiteral("\\b%1\\b(?! of)").arg(answer));
    QTRY_VERIFY2(w.shown("verdictDetail").contains(kept), qPrintable(w.shown("verdictDetail"))); // lengths are added up off the GUI thread
    QVERIFY2(!w.shown("verdictDetail").contains(told), qPrintable(w.shown("verdictDetail")));
    w.click("lessonReveal");
    QTRY_VERIFY2(w.shown("verdictDetail").contains(told), qPrintable(w.shown("verdictDetail")));
}

// What nobody has moved is no guess, let alone a good one.
void WindowLessonTest::guessBeginsAtNoAnswer() {
    for (const Lesson &lesson : lessons()) {
        WindowFixture w;
        start(w, lesson.id.c_str());
        w.click("lessonReveal");
        const double guess = w.find<AnswerBars>("lessonBars")->bars().back().length, right = static_cast<double>(lesson.right());
        QVERIFY2(guess < 0.8 * right, lesson.id.c_str());
        forgetEverything();
    }
}

// Beside the lesson's own scenario; where it is about lengths, their page draws the answers itself.
void WindowLessonTest::eachRevealIsDrawn() {
    for (const Lesson &lesson : lessons())
        QVERIFY2(lesson.show == "lengths" || std::ranges::any_of(lesson.bars, [](const LessonBar &bar) { return bar.other != nullptr; }), lesson.id.c_str());
    WindowFixture w;
    start(w, "04-gb-and-gib");
    w.click("lessonReveal");
    QVERIFY(w.window->dashboard()->ghost());
}

// By the next run of the program, which has given no names yet.
void WindowLessonTest::tabIsKnownAgain() {
    WindowFixture w;
    start(w, "14-p99-and-average");
    KeptWindow window;
    window.document = w.window->document()->value();
    QJsonObject kept = QJsonDocument::fromJson(Session::toBytes(window)).object();
    QCOMPARE(kept.value(QStringLiteral("lesson")).toString(), QStringLiteral("Lesson: p99 against the average"));
    const QString unheard = QStringLiteral("Lesson: of the run before");
    kept.insert(QStringLiteral("lesson"), unheard);
    kept.insert(QStringLiteral("document"), kept.value(QStringLiteral("document")).toString().replace(QStringLiteral("Lesson: p99 against the average"), unheard));
    std::optional<KeptWindow> again = Session::fromBytes(QJsonDocument(kept).toJson());
    QVERIFY(again);
    QCOMPARE(again->document.scenarios.size(), std::size_t{2});
    putLesson(again->document, lessons().front());
    QCOMPARE(again->document.scenarios.size(), std::size_t{2}); // the next lesson takes its tab over
    QVERIFY(isLesson(again->document.scenarios.back()) && !isLesson(again->document.scenarios.front()));
}

void WindowLessonTest::pageGoesWithUndo() {
    WindowFixture w;
    start(w, "03-eight-fold");
    w.click("lessonNext");
    QVERIFY(w.shown("lessonPlace").startsWith(QStringLiteral("4 of ")));
    takeBack(w);
    QVERIFY2(w.shown("lessonPlace").startsWith(QStringLiteral("3 of ")), qPrintable(w.shown("lessonPlace")));
    QCOMPARE(w.find<Tile>("tileKvPerToken")->value(), QStringLiteral("?")); // asked again
    takeBack(w);
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t{1});
    QVERIFY(w.find<QListWidget>("lessons")->isVisible());
    QVERIFY(w.find<Tile>("tileKvPerToken")->value() != QLatin1String("?"));
}

// The next step is the lesson's, so the lesson is what is seen.
void WindowLessonTest::revealIsSeenOnStage() {
    WindowFixture w;
    start(w, "03-eight-fold");
    w.window->findChild<QAction *>(QStringLiteral("presentAction"))->trigger();
    QTRY_VERIFY(w.window->dashboard()->isPresenting());
    w.settle();
    const auto press = [&w](Qt::Key key) {
        QTest::keyClick(w.window->dashboard(), key);
        w.settle();
    };
    press(Qt::Key_1);
    QVERIFY(!w.find<QWidget>("lessonPage")->isVisible());
    press(Qt::Key_Space);
    QVERIFY(w.find<QWidget>("lessonBars")->isVisible());
    const auto *tabs = w.find<QTabBar>("chartsTabs");
    press(Qt::Key_9);
    QCOMPARE(tabs->currentIndex(), 8);
    press(Qt::Key_0); // the tenth, where there is one
    QCOMPARE(tabs->currentIndex(), tabs->count() > 9 ? 9 : 8);
    press(Qt::Key_Escape);
}

KV_TEST(WindowLessonTest)
#include "windowlessontest.moc"
