// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/smallfile.h"
#include "core/lesson/lesson.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/charts/gpuchart.h"
#include "ui/controls/logslider.h"
#include "ui/dialogs.h"
#include "ui/learn/answerbars.h"
#include "ui/learn/lessonlist.h"
#include "ui/learn/lessonview.h"
#include "ui/learn/timesoff.h"
#include "ui/theme.h"
#include "ui/view.h"

using namespace kv;
using namespace kv::test;

namespace {

void trigger(const WindowFixture &w, const char *action) {
    w.window->findChild<QAction *>(QLatin1String(action))->trigger();
    w.settle();
}

/// The lessons are read off the GUI thread.
void showLessons(const WindowFixture &w) {
    trigger(w, "lessonAction");
    QTRY_COMPARE(w.find<QListWidget>("lessons")->count(), static_cast<int>(lessons().size() + lessonFaults().size()));
}

void startLesson(const WindowFixture &w, const char *id) {
    const auto all = lessons();
    const auto found = std::ranges::find(all, std::string(id), &Lesson::id);
    QVERIFY(found != all.end());
    w.find<QListWidget>("lessons")->setCurrentRow(static_cast<int>(found - all.begin()));
    w.click("lessonStart");
}

} // namespace

// Lessons, the sheet of mistakes and the stage, in the real window.
class WindowLearnTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void eachWindowsOwnStage();
    void init() { forgetEverything(); }
    void brokenLessonIsNamed();
    void titlesAreWhole();
    void showButton_data();
    void showButton();
    void lessonFromQuestionToReason();
    void savedWithoutTheLesson();
    void progressIsKept();
    void ownLesson_data();
    void ownLesson();
    void mistakes();
    void stage();
    void lessonStaysOpen();
    void offInWords_data();
    void offInWords();
};

/// Among the person's own lessons one that is none.
void WindowLearnTest::initTestCase() {
    const QString folder = QString::fromStdString(userDataFolder()) + QStringLiteral("/lessons");
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + QStringLiteral("/16-typo.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"lesson": 1, "title": "T", "question": "Q"})");
}

void WindowLearnTest::brokenLessonIsNamed() {
    WindowFixture w;
    showLessons(w);
    auto *list = w.find<LessonList>("lessons");
    const int last = list->count() - 1;
    QCOMPARE(list->item(last)->text(), QStringLiteral("16-typo.json: reason: expected a text of 1 to 600 bytes, found no such key"));
    QVERIFY(!list->isLesson(last) && list->isLesson(last - 1));
    list->setCurrentRow(last);
    QVERIFY(!w.find<QPushButton>("lessonStart")->isEnabled());
    emit list->itemActivated(list->item(last));
    QVERIFY(!w.find<QWidget>("lessonPage")->isVisible());
    list->setCurrentRow(0);
    QVERIFY(w.find<QPushButton>("lessonStart")->isEnabled());
}

// However narrow the list is, its rows are as high as their titles take.
void WindowLearnTest::titlesAreWhole() {
    LessonList list;
    const QString title = QStringLiteral("Where the weights end and the users begin");
    list.addLesson(11, true, title, {});
    list.addLesson(5, false, title, {});
    list.addFault(title);
    for (const int width : {600, 220, 120}) {
        list.resize(width, 600);
        list.show();
        QCoreApplication::processEvents();
        for (int row = 0; row < list.count(); ++row) {
            const QRect rect = list.visualItemRect(list.item(row));
            QVERIFY(rect.left() >= 0 && rect.right() <= list.viewport()->width());
            const int lines = list.fontMetrics().boundingRect(QRect(0, 0, rect.width() - em(2.4), 10'000), Qt::TextWordWrap, title).height();
            QVERIFY2(rect.height() >= lines, qPrintable(QStringLiteral("%1 of %2 at %3").arg(rect.height()).arg(lines).arg(width)));
        }
    }
}

void WindowLearnTest::showButton_data() {
    QTest::addColumn<QByteArray>("lesson");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("page"); ///< what it opens
    QTest::newRow("the derivation") << QByteArray("01-one-token") << QStringLiteral("Show Explain") << QByteArray("explain");
    QTest::newRow("lengths") << QByteArray("14-p99-and-average") << QStringLiteral("Show Lengths") << QByteArray("lengths");
}

void WindowLearnTest::showButton() {
    QFETCH(QByteArray, lesson);
    QFETCH(QString, text);
    QFETCH(QByteArray, page);
    WindowFixture w;
    showLessons(w);
    startLesson(w, lesson.constData());
    w.click("lessonReveal");
    QCOMPARE(w.find<QPushButton>("lessonShow")->text(), text);
    QCOMPARE(w.find<QPushButton>("lessonShow")->accessibleName(), text);
    w.click("lessonShow");
    QVERIFY(w.window->dashboard()->page(QString::fromLatin1(page))->isVisible());
}

void WindowLearnTest::lessonFromQuestionToReason() {
    WindowFixture w;
    const Scenario own = w.window->document()->scenario();
    showLessons(w);
    startLesson(w, "05-where-users-begin");
    const ScenarioDocument &document = w.window->document()->value();
    QCOMPARE(document.scenarios.size(), std::size_t{2});
    QCOMPARE(document.scenarios.front(), own); // a person's own stays
    QCOMPARE(document.current, std::size_t{1});
    QVERIFY2(w.shown("lessonPlace").startsWith(QStringLiteral("5 of ")), qPrintable(w.shown("lessonPlace")));
    QVERIFY(w.shown("lessonQuestion").contains(QStringLiteral("16")));
    QVERIFY(!w.find<QWidget>("lessonBars")->isVisible()); // not before the guess
    QVERIFY(!w.find<QWidget>("lessonReason")->isVisible());

    w.type("lessonGuess", QStringLiteral("many"));
    QVERIFY(!w.find<QWidget>("lessonBars")->isVisible()); // what cannot be read is no answer
    QVERIFY(w.message().contains(QStringLiteral("many")));
    w.type("lessonGuess", QStringLiteral("46")); // Return is the answer
    auto *bars = w.find<AnswerBars>("lessonBars");
    QVERIFY(bars->isVisible() && w.find<QWidget>("lessonReason")->isVisible());
    QStringList values;
    for (const AnswerBar &bar : bars->bars())
        values += bar.value;
    QCOMPARE(values, (QStringList{QStringLiteral("23"), QStringLiteral("10"), QStringLiteral("20"), QStringLiteral("46")}));
    QCOMPARE(w.shown("lessonVerdict"), QStringLiteral("It is 23. Your guess: 2 times the right value."));
    // The answer of other settings is drawn beside the scenario.
    const Ghost *ghost = w.window->dashboard()->ghost();
    QVERIFY(ghost);
    QCOMPARE(ghost->scenario.hardware.count, Count(16));
    QVERIFY(ghost->plan.ok());

    w.click("lessonNext");
    QVERIFY(w.shown("lessonPlace").startsWith(QStringLiteral("6 of ")));
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t{2}); // the next takes over the tab
    w.click("lessonList");
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t{1});
    QCOMPARE(w.window->document()->scenario(), own);
    QVERIFY(!w.window->dashboard()->ghost());
}

// A lesson is for looking: the plan that is saved is a person's own, and what was in front there is in front again.
void WindowLearnTest::savedWithoutTheLesson() {
    WindowFixture w;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("work.kvplan"));
    const Dialogs before = dialogs();
    dialogs().saveFile = [&path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    w.window->document()->edit(QStringLiteral("name"), 0, [](Scenario &s) { s.name = "Lesson: of my own"; }); // which a person may call it
    const Scenario own = w.window->document()->scenario();
    showLessons(w);
    startLesson(w, "01-one-token");
    QCOMPARE(w.window->document()->value().scenarios.front(), own); // no lesson takes its place
    trigger(w, "saveAction");
    dialogs() = before;
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Parsed<ScenarioDocument> kept = readDocument(file.readAll().toStdString(), "work.kvplan", {});
    QVERIFY(kept);
    QCOMPARE(kept->scenarios.size(), std::size_t{1});
    QCOMPARE(kept->scenarios.front(), own);
    QCOMPARE(w.window->document()->value().scenarios.size(), std::size_t{2}); // it stays open in the window
    QVERIFY2(w.message().contains(QStringLiteral("lesson")), qPrintable(w.message()));
}

void WindowLearnTest::progressIsKept() {
    {
        WindowFixture w;
        showLessons(w);
        startLesson(w, "03-eight-fold");
        w.type("lessonGuess", QStringLiteral("650 kB"));
        w.click("lessonReveal");
        w.click("lessonList");
        QVERIFY2(w.shown("lessonSummary").contains(QStringLiteral("1 of")), qPrintable(w.shown("lessonSummary")));
    }
    WindowFixture w;
    showLessons(w);
    QVERIFY(w.find<QListWidget>("lessons")->item(2)->data(LessonList::DoneRole).toBool());
    QVERIFY(!w.find<QListWidget>("lessons")->item(1)->data(LessonList::DoneRole).toBool());
    startLesson(w, "03-eight-fold");
    QVERIFY(w.find<QWidget>("lessonBars")->isVisible()); // answered before
    QCOMPARE(w.find<AnswerBars>("lessonBars")->bars().back().value, QStringLiteral("650 kB"));
    w.click("lessonAgain");
    QVERIFY(!w.find<QWidget>("lessonBars")->isVisible());
    w.click("lessonList");
    w.click("lessonRestart");
    QVERIFY2(w.shown("lessonSummary").contains(QStringLiteral("0 of")), qPrintable(w.shown("lessonSummary")));
    QVERIFY(!w.find<QPushButton>("lessonRestart")->isEnabled());
}

void WindowLearnTest::ownLesson_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("question"); // empty: refused
    QTest::addColumn<QString>("message");
    const QByteArray good = R"({"lesson": 1, "title": "Ours", "question": "How much <b>is</b> it?", "reason": "So.", "guess": {"unit": "bytes", "from": 1000, "to": 900000},
                               "bars": [{"label": "it", "of": "kv.bytes_per_token"}]})";
    QTest::newRow("taken") << good << QStringLiteral("How much <b>is</b> it?") << QString();
    QTest::newRow("a key is wrong") << QByteArray(good).replace("kv.bytes_per_token", "kv.weight") << QString() << QStringLiteral("kv.weight");
    QTest::newRow("a key is missing") << QByteArray(good).replace("\"reason\"", "\"because\"") << QString() << QStringLiteral("reason");
}

void WindowLearnTest::ownLesson() {
    QFETCH(QByteArray, text);
    QFETCH(QString, question);
    QFETCH(QString, message);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ours.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    WindowFixture w;
    const ScenarioDocument before = w.window->document()->value();
    const Dialogs usual = dialogs();
    dialogs().openFile = [path](QWidget *, const QString &, const QString &, const QString &) { return path; };
    trigger(w, "openLessonAction");
    w.waitForFile();
    dialogs() = usual;
    w.settle();
    if (question.isEmpty()) {
        QVERIFY2(w.message().contains(message), qPrintable(w.message()));
        QCOMPARE(w.window->document()->value(), before);
        return;
    }
    QCOMPARE(w.shown("lessonQuestion"), question); // as it is written, no markup
    QCOMPARE(w.find<QLabel>("lessonQuestion")->textFormat(), Qt::PlainText);
    QVERIFY(w.find<QWidget>("lessonPage")->isVisible());
}

void WindowLearnTest::mistakes() {
    WindowFixture w;
    trigger(w, "mistakesAction");
    auto *bars = w.find<AnswerBars>("mistakeBars");
    QVERIFY(bars->isVisible());
    QVERIFY2(bars->plainText().contains(QStringLiteral("64 query heads in the place of 8 KV heads: 2.6 MB (8 times the right value")), qPrintable(bars->plainText()));
    w.click("mistakesOfAll");
    QCOMPARE(bars->bars().front().value, QStringLiteral("429.5 GB"));
    QVERIFY2(bars->plainText().contains(QStringLiteral("3.44 TB")) || bars->plainText().contains(QStringLiteral("3,436")), qPrintable(bars->plainText()));
    // Reached by keys, it is drawn on the charts; left, it is gone.
    bars->setFocus();
    QTest::keyClick(bars, Qt::Key_Down);
    QVERIFY(!w.window->dashboard()->ghost()); // the right one is what is shown
    QTest::keyClick(bars, Qt::Key_Down);
    const Ghost *ghost = w.window->dashboard()->ghost();
    QVERIFY(ghost);
    QCOMPARE(qint64(ghost->plan.kv.total.value), qint64(8) * qint64(w.window->document()->goodPlan().kv.total.value));
    QTest::keyClick(bars, Qt::Key_Escape);
    QVERIFY(!w.window->dashboard()->ghost());
    // A model that makes other mistakes possible.
    w.window->document()->edit(QStringLiteral("x"), 0, [](Scenario &s) {
        for (const Lesson &lesson : lessons())
            if (lesson.id == "07-mla")
                s.model = lesson.scenario.model;
    });
    w.settle();
    QVERIFY2(bars->plainText().contains(QStringLiteral("the latent taken for keys and values of every head")), qPrintable(bars->plainText()));
}

void WindowLearnTest::stage() {
    WindowFixture w;
    const double usual = QApplication::font().pointSizeF();
    trigger(w, "presentAction");
    QTRY_VERIFY(QApplication::font().pointSizeF() > 1.5 * usual);
    QTRY_VERIFY(w.window->dashboard()->isPresenting());
    w.settle();
    QVERIFY(w.window->isFullScreen());
    QVERIFY(!w.window->menuBar()->isVisible());
    QVERIFY(!w.find<QWidget>("contextEdit")->isVisible());
    QVERIFY(!w.find<QWidget>("side")->isVisible());
    QVERIFY(w.find<GpuChart>("gpuChart")->isVisible() && w.find<QWidget>("growthChart")->isVisible());
    w.window->activateWindow();
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(w.window->dashboard(), key, modifiers); // made anew for the larger type
        w.settle();
    };
    press(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(262144));
    press(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(131072));
    press(Qt::Key_Left);
    QVERIFY(w.window->document()->scenario().workload.context < Tokens(131072));
    press(Qt::Key_Up);
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(11));
    auto *tabs = w.find<QTabBar>("chartsTabs");
    press(Qt::Key_2);
    QCOMPARE(tabs->currentIndex(), 1);
    press(Qt::Key_Escape);
    QTRY_COMPARE(QApplication::font().pointSizeF(), usual);
    QTRY_VERIFY(!w.window->dashboard()->isPresenting());
    w.settle();
    QVERIFY(w.window->menuBar()->isVisible() && w.find<QWidget>("contextEdit")->isVisible());
    QVERIFY(!w.window->findChild<QAction *>(QStringLiteral("presentAction"))->isChecked());
    QCOMPARE(w.program.settings()->zoom(), 100); // what the person set
}

// On stage and in larger type the window is laid out anew: the lesson, the guess and the answer stay.
void WindowLearnTest::lessonStaysOpen() {
    WindowFixture w;
    showLessons(w);
    startLesson(w, "05-where-users-begin");
    w.find<LogSlider>("lessonSlider")->move(46);
    trigger(w, "presentAction");
    QTRY_VERIFY(w.window->dashboard()->isPresenting());
    w.settle();
    QVERIFY(w.find<QWidget>("lessonPage")->isVisible());
    QVERIFY(!w.find<QWidget>("lessonBars")->isVisible());
    QTest::keyClick(w.window->dashboard(), Qt::Key_Space); // the next step is the answer
    w.settle();
    QCOMPARE(w.find<AnswerBars>("lessonBars")->bars().back().value, QStringLiteral("46"));
    QTest::keyClick(w.window->dashboard(), Qt::Key_Escape);
    QTRY_VERIFY(!w.window->dashboard()->isPresenting());
    w.settle();
    QTRY_VERIFY(w.find<QWidget>("lessonBars")->isVisible()); // laid out once more for the usual type
    QVERIFY(w.shown("lessonPlace").startsWith(QStringLiteral("5 of ")));
}

void WindowLearnTest::offInWords_data() {
    QTest::addColumn<qint64>("answer");
    QTest::addColumn<qint64>("right");
    QTest::addColumn<QString>("words");
    const auto row = [](qint64 answer, qint64 right, const char *words) { QTest::addRow("%lld of %lld", answer, right) << answer << right << QString::fromLatin1(words); };
    row(100, 100, "right");
    row(1004, 1000, "right");
    row(1006, 1000, "0.6 % too much");
    row(150, 100, "50 % too much");
    row(194, 100, "94 % too much");
    row(195, 100, "2 times the right value"); // rounded as it is written
    row(260, 100, "2.6 times the right value");
    row(5300, 100, "53 times the right value");
    row(93, 100, "7 % too little");
    row(50, 100, "half of the right value");
    row(25, 100, "the right value is 4 times this");
    row(1, 85'899'345'920, "the right value is 85,899,345,920 times this");
    row(0, 100, "");
}

void WindowLearnTest::offInWords() {
    QFETCH(qint64, answer);
    QFETCH(qint64, right);
    QFETCH(QString, words);
    QCOMPARE(timesOff(answer, right), words);
}

/// A second window that leaves the stage takes nothing from the one that is still there.
void WindowLearnTest::eachWindowsOwnStage() {
    WindowFixture w;
    MainWindow *other = w.program.newWindow();
    const auto present = [](MainWindow *window) {
        window->findChild<QAction *>(QStringLiteral("presentAction"))->trigger();
        QCoreApplication::processEvents();
    };
    const double usual = QApplication::font().pointSizeF();
    present(w.window);
    const double large = QApplication::font().pointSizeF();
    QVERIFY(large > usual);
    present(other);
    QCOMPARE(QApplication::font().pointSizeF(), large);
    present(other);
    QCOMPARE(QApplication::font().pointSizeF(), large);
    present(w.window);
    QCOMPARE(QApplication::font().pointSizeF(), usual);
}

KV_TEST(WindowLearnTest)
#include "windowlearntest.moc"
