// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "tests/testmain.h"
#include "tests/ui/paintcounter.h"
#include "tests/ui/windowfixture.h"
#include "ui/controls/logslider.h"

#include <QStatusBar>

using namespace kv;
using namespace kv::test;

// Every view says what the scenario says, however the numbers are set.
class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void threeAnswers();
    void everyViewSaysTheSame();
    void dragIsOneStep();
    void entryAndSliderAgree();
    void refusedEntryKeepsTheValue();
    void contradictionKeepsTheLastPlan();
    void nearestSettings();
    void parallelism();
    void units();
    void inverseQuestions();
    void engineOptions();
    void undoFromAnEntry();
    void aChangePaintsOnce();
};

void WindowTest::threeAnswers() {
    WindowFixture w;
    QVERIFY2(w.headline().contains(QStringLiteral("10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB")), qPrintable(w.headline()));
    QCOMPARE(w.window->document()->plan().fit.maxSequences, std::optional<std::int64_t>(10));
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("327.7 kB"));
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    QCOMPARE(w.shown("tileWeights"), QStringLiteral("141.1 GB"));
    QCOMPARE(w.shown("tileFree"), QStringLiteral("5.4 GB"));
    QCOMPARE(w.shown("tileLongestContext"), QStringLiteral("131,072"));
    w.type("sequencesEdit", QStringLiteral("11"));
    QVERIFY2(w.headline().contains(QStringLiteral("11 sequences of 131,072 tokens do not fit: 10 do")), qPrintable(w.headline()));

    w.click("kvFp8");
    QCOMPARE(w.window->document()->plan().fit.maxSequences, std::optional<std::int64_t>(20));
    w.type("sequencesEdit", QStringLiteral("21"));
    QVERIFY2(w.headline().contains(QStringLiteral("do not fit: 20 do")), qPrintable(w.headline()));

    w.choose("weightsCombo", QStringLiteral("fp8"));
    QCOMPARE(w.window->document()->plan().fit.maxSequences, std::optional<std::int64_t>(23));
    w.type("sequencesEdit", QStringLiteral("23"));
    QVERIFY2(w.headline().contains(QStringLiteral("23 sequences of 131,072 tokens fit")), qPrintable(w.headline()));
}

void WindowTest::everyViewSaysTheSame() {
    WindowFixture w;
    w.type("contextEdit", QStringLiteral("64k"));
    const Plan plan = evaluate(w.window->document()->scenario());
    const QString total = QString::fromStdString(writeBytes(plan.kv.total, SizeUnit::Decimal));
    QCOMPARE(w.shown("tileKvTotal"), total);
    QVERIFY(w.find<QTextBrowser>("explainPanel")->toPlainText().contains(total));
    QCOMPARE(w.find<QLineEdit>("contextEdit")->text(), QStringLiteral("65,536"));
    QCOMPARE(w.find<LogSlider>("contextSlider")->value(), 65536);
    QVERIFY(w.headline().contains(QStringLiteral("65,536")));
    // The table at the same context.
    w.window->findChild<QAction *>(QStringLiteral("growthTableAction"))->trigger();
    w.settle();
    const QAbstractItemModel *table = w.find<QTableView>("contextTable")->model();
    bool found = false;
    for (int row = 0; row < table->rowCount(); ++row)
        if (table->index(row, 0).data().toString().contains(QStringLiteral("65,536"))) {
            found = true;
            QCOMPARE(table->index(row, 2).data().toString(), total);
            QCOMPARE(table->index(row, 3).data().toString(), QString::fromStdString(writeNumber(*plan.fit.maxSequences)));
        }
    QVERIFY(found);
    QVERIFY(w.find<QWidget>("gpuChart") && w.find<QWidget>("growthChart"));
}

void WindowTest::dragIsOneStep() {
    WindowFixture w;
    auto *slider = w.find<LogSlider>("contextSlider");
    QUndoStack *undo = w.window->document()->undoStack();
    const auto x = [slider](std::int64_t value) {
        return QPoint(qRound(9 + slider->scale().fraction(value) * (slider->width() - 18)), 10);
    };
    QTest::mousePress(slider, Qt::LeftButton, {}, x(131072));
    for (const int k : {100, 80, 60, 40})
        QTest::mouseMove(slider, x(k * 1024));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, x(32768));
    w.settle();
    QCOMPARE(undo->count(), 1);
    QCOMPARE(undo->undoText(), QStringLiteral("Change Context"));
    QVERIFY(w.window->document()->scenario().workload.context < Tokens(60000));

    QTest::mousePress(slider, Qt::LeftButton, {}, x(slider->value()));
    const std::int64_t start = slider->value();
    QTest::mouseMove(slider, x(400000));
    w.settle();
    QTest::mouseMove(slider, x(start));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, x(start));
    w.settle();
    QCOMPARE(slider->value(), start);
    QCOMPARE(undo->count(), 1);

    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    w.settle();
    QCOMPARE(slider->value(), 131072);
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    QVERIFY(w.shown("statusFile").contains(QStringLiteral("not saved")));
    // What an action says of itself has the larger part of the bar.
    QVERIFY(w.find<QWidget>("statusFile")->x() > w.window->statusBar()->width() / 2);
}

void WindowTest::entryAndSliderAgree() {
    WindowFixture w;
    w.type("contextEdit", QStringLiteral("0.5M"));
    QCOMPARE(w.find<LogSlider>("contextSlider")->value(), 524288);
    QTest::keyClick(w.find<QWidget>("contextSlider"), Qt::Key_PageDown);
    w.settle();
    QCOMPARE(w.find<QLineEdit>("contextEdit")->text(), QStringLiteral("262,144"));
    w.type("prefixEdit", QStringLiteral("25 %"));
    QCOMPARE(w.window->document()->scenario().workload.sharedPrefix, Tokens(65536));
    QCOMPARE(w.find<QLineEdit>("prefixEdit")->text(), QStringLiteral("65,536"));
    w.type("sequencesEdit", QStringLiteral("1k"));
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(1000));
}

void WindowTest::refusedEntryKeepsTheValue() {
    WindowFixture w;
    w.type("contextEdit", QStringLiteral("lots"));
    QVERIFY2(w.message().contains(QStringLiteral("lots")), qPrintable(w.message()));
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
    w.type("contextEdit", QStringLiteral("64k"));
    QVERIFY(w.message().isEmpty());
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("214.7 GB"));
}

void WindowTest::contradictionKeepsTheLastPlan() {
    WindowFixture w;
    w.type("tpEdit", QStringLiteral("4"));
    QCOMPARE(w.window->document()->scenario().hardware.count, Count(4));
    w.type("dpEdit", QStringLiteral("2"));
    const QString before = w.shown("tileKvTotal");
    w.type("gpuCountEdit", QStringLiteral("7"));
    QVERIFY(w.window->document()->isRefused());
    QVERIFY2(w.message().contains(QStringLiteral("7")) && w.message().contains(QStringLiteral("8")), qPrintable(w.message()));
    QCOMPARE(w.shown("tileKvTotal"), before);
    QVERIFY(w.find<QWidget>("veil")->isVisible());
    QVERIFY(!w.headline().contains(QStringLiteral("fit on")));
    QCOMPARE(w.find<QLineEdit>("gpuCountEdit")->text(), QStringLiteral("7"));
    w.click("messageUndo");
    QVERIFY(!w.window->document()->isRefused());
    QVERIFY(w.message().isEmpty());
    QVERIFY(!w.find<QWidget>("veil")->isVisible());
    QCOMPARE(w.find<QLineEdit>("gpuCountEdit")->text(), QStringLiteral("8"));
}

void WindowTest::nearestSettings() {
    WindowFixture w;
    w.type("tpEdit", QStringLiteral("4"));
    w.type("dpEdit", QStringLiteral("2"));
    w.type("gpuCountEdit", QStringLiteral("7"));
    QVERIFY(w.window->document()->isRefused());
    const Scenario refused = w.window->document()->scenario();
    QTRY_VERIFY(w.window->findChild<QPushButton *>(QStringLiteral("messageNearest1")));
    // What is offered follows what was refused last, also where its words stay the same.
    w.type("sequencesEdit", QStringLiteral("3"));
    QTRY_VERIFY(w.window->findChild<QPushButton *>(QStringLiteral("messageNearest1")));
    w.waitForFile();
    const int steps = w.window->document()->undoStack()->count();
    w.click("messageNearest1");
    QVERIFY(!w.window->document()->isRefused());
    QVERIFY(w.message().isEmpty());
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(3));
    QCOMPARE(w.window->document()->undoStack()->count(), steps + 1);
    w.window->findChild<QAction *>(QStringLiteral("undoAction"))->trigger();
    w.settle();
    QVERIFY(w.window->document()->isRefused());
    QCOMPARE(w.window->document()->scenario().hardware, refused.hardware);
}

void WindowTest::parallelism() {
    WindowFixture w;
    QCOMPARE(w.find<QLineEdit>("tpEdit")->text(), QStringLiteral("8"));
    w.type("gpuCountEdit", QStringLiteral("16"));
    QCOMPARE(w.find<QLineEdit>("tpEdit")->text(), QStringLiteral("16"));
    w.type("tpEdit", QStringLiteral("4"));
    w.type("dpEdit", QStringLiteral("3"));
    QCOMPARE(w.find<QLineEdit>("gpuCountEdit")->text(), QStringLiteral("12"));
    w.type("gpuCountEdit", QStringLiteral("20"));
    QCOMPARE(w.find<QLineEdit>("dpEdit")->text(), QStringLiteral("5"));
    QVERIFY(!w.window->document()->isRefused());
}

void WindowTest::units() {
    WindowFixture w;
    w.click("unitGib");
    QCOMPARE(w.shown("tileKvPerToken"), QStringLiteral("320 KiB"));
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("400 GiB"));
    QVERIFY(w.shown("verdictDetail").contains(QStringLiteral("GiB")));
    QVERIFY(w.find<QComboBox>("weightsCombo")->currentText().contains(QStringLiteral("131.4 GiB")));
    QCOMPARE(w.window->document()->undoStack()->count(), 0); // a way to look, no edit
    QCOMPARE(w.window->findChild<QAction *>(QStringLiteral("unitBinaryAction"))->isChecked(), true);
    w.click("unitGb");
    QCOMPARE(w.shown("tileKvTotal"), QStringLiteral("429.5 GB"));
}

void WindowTest::inverseQuestions() {
    WindowFixture w;
    w.click("kvFp8");
    w.window->findChild<QAction *>(QStringLiteral("fillSequencesAction"))->trigger();
    w.settle();
    QCOMPARE(w.window->document()->scenario().workload.sequences, Count(20));
    QVERIFY(w.window->document()->plan().fit.fits);
    QVERIFY(!w.window->findChild<QAction *>(QStringLiteral("fillSequencesAction"))->isEnabled());
    w.window->findChild<QAction *>(QStringLiteral("resetAction"))->trigger();
    w.settle();
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

void WindowTest::engineOptions() {
    WindowFixture w;
    w.click("engineOptionsFold");
    auto *line = w.find<QLineEdit>("option_available_kv_bytes");
    QVERIFY(line->isVisible());
    QTest::keyClicks(line, QStringLiteral("10 GB"));
    QTest::keyClick(line, Qt::Key_Return);
    w.settle();
    QCOMPARE(w.window->document()->plan().fit.kvBudget, Bytes(80'000'000'000));
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("ten"));
    QTest::keyClick(line, Qt::Key_Return);
    w.settle();
    QVERIFY(w.window->document()->isRefused());
    QVERIFY(w.message().contains(QStringLiteral("available_kv_bytes")));
    w.click("messageUndo");
    QCOMPARE(w.window->document()->plan().fit.kvBudget, Bytes(80'000'000'000));
    QCOMPARE(line->text(), QStringLiteral("10 GB"));
}

void WindowTest::undoFromAnEntry() {
    WindowFixture w;
    QVERIFY(QTest::qWaitForWindowActive(w.window));
    w.type("contextEdit", QStringLiteral("64k"));
    auto *edit = w.find<QLineEdit>("contextEdit");
    QVERIFY(edit->hasFocus());
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
    w.settle();
    QCOMPARE(w.window->document()->scenario().workload.context, Tokens(131072));
    QCOMPARE(edit->text(), QStringLiteral("131,072"));
    // While something is typed, undo is the entry's.
    QTest::keyClicks(edit, QStringLiteral("1"));
    QTest::keyClick(edit, Qt::Key_Z, Qt::ControlModifier);
    w.settle();
    QCOMPARE(w.window->document()->undoStack()->index(), 0);
}

void WindowTest::aChangePaintsOnce() {
    WindowFixture w;
    auto *slider = w.find<LogSlider>("contextSlider");
    QTest::qWait(50); // its first picture
    PaintCounter paints(w.window->centralWidget()); // the status bar's parts move by each other's length, and are little
    for (int i = 0; i < 20; ++i) {
        slider->move(40960 + 1024 * i);
        w.settle();
        QTRY_VERIFY(paints.any());
        QTest::qWait(20); // what would paint anew
        QCOMPARE(paints.take(), QString());
    }
}

KV_TEST(WindowTest)
#include "windowtest.moc"
