// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests of unlike lengths in the window. Longer than other files: each way to say lengths is a case over the same fixture.
#include "core/workload/percentiles.h"
#include "tests/testmain.h"
#include "tests/ui/windowfixture.h"
#include "ui/dialogs.h"
#include "ui/exporter.h"
#include "ui/loader.h"

#include <atomic>

using namespace kv;
using namespace kv::test;

namespace {

QString written(const QTemporaryDir &folder, const char *name, const QByteArray &content) {
    const QString path = folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", name);
    return path;
}

const QByteArray azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                         "2023-11-16 18:15:46.6,374,44\n2023-11-16 18:15:50.9,396,109\n2023-11-16 18:15:51.2,4000,1000\n";

const Workload &workload(const WindowFixture &w) { return w.window->document()->scenario().workload; }

void trigger(const WindowFixture &w, const char *action) {
    w.window->findChild<QAction *>(QLatin1String(action))->trigger();
    w.window->exporter()->finish();
    w.settle();
}

void undo(const WindowFixture &w) { trigger(w, "undoAction"); }

/// Waits for what is added up beside the window.
void waitForFlight(const WindowFixture &w) {
    for (int i = 0; i < 3; ++i)
        w.waitForFile();
}

/// Fills a cell of the classes as a person does.
void fill(QTableWidget *table, int row, const QStringList &cells) {
    for (int column = 0; column < cells.size(); ++column)
        table->item(row, column)->setText(cells[column]);
}

} // namespace

// Requests of unlike lengths: set by hand, by classes or from a trace, and what the window makes of them.
class WindowLengthsTest : public QObject {
    Q_OBJECT

private slots:
    void init() { forgetEverything(); }
    void byPercentiles();
    void percentilesThatFall();
    void classes();
    void wrongClasses_data();
    void wrongClasses();
    void traces_data();
    void traces();
    void columnsAreChosen();
    void aTraceThatIsRefused();
    void aTraceIsCancelled();
    void pasted();
    void benchmarkResult();
    void theView();
    void theVerdict();
    void fromARate();
    void travels();
};

void WindowLengthsTest::byPercentiles() {
    WindowFixture w;
    QVERIFY(w.find<QAbstractButton>("lengthsButton")->text().startsWith(QStringLiteral("Lengths: all alike")));
    QVERIFY(!w.find<QWidget>("p50Edit")->isVisible());
    QVERIFY(!w.find<QWidget>("lengthsCaption")->isVisible());
    trigger(w, "lengthsPercentiles");
    QVERIFY(w.find<QWidget>("p50Edit")->isVisible());
    QVERIFY2(w.message().contains(QStringLiteral("context")), qPrintable(w.message())); // where they start from is said
    QCOMPARE(workload(w).distribution->p99, std::int64_t(131'072));
    w.type("p50Edit", QStringLiteral("2k"));
    w.type("p90Edit", QStringLiteral("9000"));
    w.type("p99Edit", QStringLiteral("40000"));
    QCOMPARE(workload(w).distribution.value->bins, lengthsThrough(2048, 9000, 40'000).bins);
    QVERIFY2(w.shown("lengthsCaption").contains(QStringLiteral("mean")), qPrintable(w.shown("lengthsCaption")));
    QCOMPARE(w.window->document()->undoStack()->count(), 4);
    undo(w);
    QCOMPARE(w.find<QLineEdit>("p99Edit")->text(), QStringLiteral("131,072"));
    for (int i = 0; i < 3; ++i)
        undo(w);
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    QVERIFY(!w.find<QWidget>("p50Edit")->isVisible());
    // From a distribution that is there its own are taken.
    trigger(w, "lengthsPercentiles");
    trigger(w, "lengthsAlike");
    QVERIFY(!workload(w).distribution);
    QVERIFY(workload(w).lengths.isNull());
}

void WindowLengthsTest::percentilesThatFall() {
    WindowFixture w;
    trigger(w, "lengthsPercentiles");
    const Scenario before = w.window->document()->scenario();
    w.type("p50Edit", QStringLiteral("100k"));
    QVERIFY2(w.message().contains(QStringLiteral("must not fall")), qPrintable(w.message()));
    QVERIFY(w.window->document()->scenario() == before);
    QTest::keyClick(w.find<QLineEdit>("p50Edit"), Qt::Key_Escape);
    QCOMPARE(w.find<QLineEdit>("p50Edit")->text(), QStringLiteral("16,384"));
    QVERIFY(w.message().isEmpty());
}

void WindowLengthsTest::classes() {
    WindowFixture w;
    trigger(w, "lengthsClasses");
    QVERIFY(!workload(w).distribution); // asked for, not yet chosen
    QVERIFY(w.window->findChild<QAction *>(QStringLiteral("lengthsAlike"))->isChecked());
    auto *table = w.find<QTableWidget>("classesTable");
    QVERIFY(!w.find<QWidget>("classesTake")->isEnabled());
    QCOMPARE(w.shown("classesSaid"), QString()); // nobody has typed anything wrong
    fill(table, 0, {QStringLiteral("chat"), QStringLiteral("70 %"), QStringLiteral("800"), QString(), QStringLiteral("200")});
    QTest::keyClick(table, Qt::Key_Return); // ends a cell
    QVERIFY(w.find<QWidget>("classesDialog")->isVisible());
    w.click("classesAdd");
    QCOMPARE(w.shown("classesSaid"), QString());
    fill(table, 1, {QStringLiteral("pictures"), QStringLiteral("30"), QStringLiteral("1k"), QStringLiteral("3000"), QStringLiteral("976")});
    QVERIFY2(w.shown("classesSaid").contains(QStringLiteral("70 % + 30 %")) && w.shown("classesSaid").contains(QStringLiteral("2,200")), qPrintable(w.shown("classesSaid")));
    w.click("classesAdd");
    w.click("classesRemove");
    w.click("classesTake");
    QCOMPARE(workload(w).distribution->mean, 0.7 * 1000 + 0.3 * 5000);
    QCOMPARE(workload(w).distribution->p99, std::int64_t(5000));
    const Json *list = workload(w).lengths.find("classes");
    QVERIFY(list && list->items().size() == 2);
    QCOMPARE(list->items()[1].find("media")->integer(), std::int64_t(3000));
    QCOMPARE(list->items()[1].find("input")->integer(), std::int64_t(4024));
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    QVERIFY(w.find<QAbstractButton>("lengthsButton")->text().contains(QStringLiteral("2 classes")));
    // Opened again it shows what there is.
    trigger(w, "lengthsClasses");
    QTRY_COMPARE(w.window->findChildren<QTableWidget *>(QStringLiteral("classesTable")).size(), 1);
    QCOMPARE(w.find<QTableWidget>("classesTable")->item(1, 2)->text(), QStringLiteral("1,024"));
    w.click("classesCancel");
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    undo(w);
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

void WindowLengthsTest::wrongClasses_data() {
    QTest::addColumn<QStringList>("cells");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *name, const char *share, const char *input, const char *media, const char *output, const char *word) {
        QTest::newRow(name) << QStringList{QStringLiteral("a"), QLatin1String(share), QLatin1String(input), QLatin1String(media), QLatin1String(output)} << QString::fromLatin1(word);
    };
    row("no share", "", "1", "", "1", "share");
    row("a negative share", "-3", "1", "", "1", "share");
    row("a share that is none", "inf", "1", "", "1", "share");
    row("no request has it", "0", "1", "", "1", "above 0");
    row("no input", "1", "", "", "1", "Text input");
    row("a word", "1", "many", "", "1", "many");
    row("beyond counting", "1", "9223372036854775807", "1", "1", "out of range");
}

void WindowLengthsTest::wrongClasses() {
    QFETCH(QStringList, cells);
    QFETCH(QString, word);
    WindowFixture w;
    trigger(w, "lengthsClasses");
    fill(w.find<QTableWidget>("classesTable"), 0, cells);
    QVERIFY2(w.shown("classesSaid").contains(word), qPrintable(w.shown("classesSaid")));
    QVERIFY(!w.find<QWidget>("classesTake")->isEnabled());
    w.click("classesCancel");
    QCOMPARE(w.window->document()->scenario(), firstScenario());
}

void WindowLengthsTest::traces_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("most");
    QTest::addColumn<QString>("said");
    QTest::newRow("Azure") << QStringLiteral("azure.csv") << azure << qint64(3) << qint64(5000) << QStringLiteral("ContextTokens");
    QTest::newRow("BurstGPT") << QStringLiteral("BurstGPT.csv") << QByteArray("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,GPT-4,10,5,15,API log\n") << qint64(1) << qint64(15)
                              << QStringLiteral("Response tokens");
    QTest::newRow("Mooncake") << QStringLiteral("mooncake.jsonl") << QByteArray("{\"timestamp\": 0, \"input_length\": 6758, \"output_length\": 500, \"hash_ids\": [1]}\n{\"input_length\": 1, \"output_length\": 2}\n")
                              << qint64(2) << qint64(7258) << QStringLiteral("output_length");
    QTest::newRow("tabs") << QStringLiteral("requests.tsv") << QByteArray("prompt_tokens\tcompletion_tokens\n1\t2\n3\t4\n") << qint64(2) << qint64(7) << QStringLiteral("prompt_tokens");
}

void WindowLengthsTest::traces() {
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const QTemporaryDir folder;
    const QString path = written(folder, qPrintable(name), text);
    WindowFixture w({1024, 700});
    w.drop(path);
    QVERIFY2(workload(w).distribution, qPrintable(w.message()));
    QTEST(qint64(workload(w).distribution->count), "count");
    QTEST(qint64(workload(w).distribution->most), "most");
    QVERIFY2(w.message().contains(said) && w.message().contains(QStringLiteral("guessed")), qPrintable(w.message()));
    QCOMPARE(workload(w).lengths.find("file")->text(), path.toStdString());
    QVERIFY(w.find<QAbstractButton>("lengthsButton")->accessibleName().contains(name));
    QVERIFY(w.find<QWidget>("lengths")->isVisible()); // in front
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    undo(w);
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    // The same by the menu and its dialog, whatever the file is called.
    const QString other = folder.filePath(QStringLiteral("requests"));
    QVERIFY(QFile::copy(path, other));
    const Dialogs before = dialogs();
    dialogs().openFile = [other](QWidget *, const QString &, const QString &, const QString &) { return other; };
    trigger(w, "lengthsTrace");
    w.waitForFile();
    dialogs() = before;
    QTEST(qint64(workload(w).distribution->most), "most");
}

void WindowLengthsTest::columnsAreChosen() {
    const QTemporaryDir folder;
    const QString path = written(folder, "mine.csv", "when,alpha,beta,gamma\nnoon,10,5,100\nnight,20,6,200\n");
    WindowFixture w;
    w.drop(path);
    QVERIFY(!workload(w).distribution);
    QVERIFY2(w.message().contains(QStringLiteral("alpha")), qPrintable(w.message()));
    w.click("messageColumns");
    w.waitForFile();
    auto *rows = w.find<QTableWidget>("traceRows");
    QCOMPARE(rows->rowCount(), 2);
    QCOMPARE(rows->item(1, 0)->text(), QStringLiteral("night"));
    QVERIFY(!w.find<QWidget>("traceTake")->isEnabled());
    auto *input = w.find<QComboBox>("traceInput"), *output = w.find<QComboBox>("traceOutput"), *total = w.find<QComboBox>("traceTotal");
    input->setCurrentIndex(input->findData(QStringLiteral("alpha")));
    output->setCurrentIndex(output->findData(QStringLiteral("beta")));
    QVERIFY2(w.shown("traceSaid").contains(QStringLiteral("15 tokens")), qPrintable(w.shown("traceSaid")));
    total->setCurrentIndex(total->findData(QStringLiteral("gamma")));
    QCOMPARE(input->currentIndex(), 0); // a total is both
    total->setCurrentIndex(0);
    input->setCurrentIndex(input->findData(QStringLiteral("alpha")));
    output->setCurrentIndex(output->findData(QStringLiteral("beta")));
    w.click("traceTake");
    w.waitForFile();
    QVERIFY2(workload(w).distribution, qPrintable(w.message()));
    QCOMPARE(workload(w).distribution->most, std::int64_t(26));
    QVERIFY(!w.message().contains(QStringLiteral("guessed")));
    // Others, from the line's menu.
    trigger(w, "lengthsColumns");
    w.waitForFile();
    QTRY_COMPARE(w.window->findChildren<QComboBox *>(QStringLiteral("traceTotal")).size(), 1);
    QCOMPARE(w.find<QComboBox>("traceInput")->currentData().toString(), QStringLiteral("alpha"));
    total = w.find<QComboBox>("traceTotal");
    total->setCurrentIndex(total->findData(QStringLiteral("gamma")));
    w.click("traceTake");
    w.waitForFile();
    QCOMPARE(workload(w).distribution->most, std::int64_t(200));
    QCOMPARE(workload(w).distribution->columns, (LengthColumns{"", "", "gamma"}));
    QCOMPARE(w.window->document()->undoStack()->count(), 2);
    // Without its file there is nothing to choose from, and what was read stays.
    QVERIFY(QFile::remove(path));
    trigger(w, "lengthsColumns");
    w.waitForFile();
    QVERIFY2(w.message().contains(QStringLiteral("mine.csv")), qPrintable(w.message()));
    QCOMPARE(workload(w).distribution->most, std::int64_t(200));
}

void WindowLengthsTest::aTraceThatIsRefused() {
    const QTemporaryDir folder;
    WindowFixture w;
    w.drop(written(folder, "azure.csv", azure));
    const Scenario good = w.window->document()->scenario();
    w.drop(written(folder, "broken.csv", "input_length,output_length\n1,2\n3,minus\n"));
    QVERIFY2(w.message().contains(QStringLiteral("line 3")) && w.message().contains(QStringLiteral("broken.csv")), qPrintable(w.message()));
    QVERIFY(w.window->document()->scenario() == good);
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
}

void WindowLengthsTest::aTraceIsCancelled() {
    WindowFixture w;
    auto *loader = w.window->findChild<Loader *>();
    QVERIFY(loader);
    // A trace that goes on until nobody waits for it any more.
    std::atomic<bool> ended{false};
    loader->read([&ended](const Loader::Progress &progress) {
        while (progress(500'000, 1'000'000))
            QThread::msleep(5);
        ended = true;
        Loaded out;
        out.trace = true;
        out.lengths = lengthsThrough(10, 20, 30);
        return out;
    });
    QTRY_VERIFY2(w.message().contains(QStringLiteral("50 % of 1 MB")), qPrintable(w.message()));
    QVERIFY(!ended);
    w.click("messageCancel");
    QVERIFY(w.message().isEmpty());
    w.waitForFile();
    QVERIFY(ended);
    QCOMPARE(w.window->document()->scenario(), firstScenario());
    QVERIFY(w.message().isEmpty());
}

void WindowLengthsTest::pasted() {
    WindowFixture w;
    const auto paste = [&w](const QByteArray &text) {
        QGuiApplication::clipboard()->setText(QString::fromUtf8(text));
        trigger(w, "pasteAction");
        w.waitForFile();
    };
    paste(azure);
    QVERIFY2(workload(w).distribution, qPrintable(w.message()));
    QCOMPARE(workload(w).distribution->count, std::int64_t(3));
    undo(w);
    paste("{\"input_length\": 6, \"output_length\": 5}\n{\"input_length\": 1, \"output_length\": 2}\n");
    QCOMPARE(workload(w).distribution->most, std::int64_t(11));
    undo(w);
    paste("vllm serve Qwen/Qwen3-32B -tp 2 --max-model-len 32768"); // still a launch command
    QVERIFY(!workload(w).distribution);
    QCOMPARE(w.window->document()->scenario().engine.id, std::string("vllm"));
}

void WindowLengthsTest::benchmarkResult() {
    const QTemporaryDir folder;
    WindowFixture w;
    w.drop(written(folder, "openai-infqps.json", "{\"completed\": 3, \"input_lens\": [1, 2, 3], \"output_lens\": [10, 10, 10], \"generated_texts\": [\"a\"]}"));
    QVERIFY2(workload(w).distribution, qPrintable(w.message()));
    QCOMPARE(workload(w).distribution->most, std::int64_t(13));
}

void WindowLengthsTest::theView() {
    WindowFixture w;
    QVERIFY(!w.window->findChild<QWidget *>(QStringLiteral("lengths"))->isVisible());
    const auto tabs = [&w] {
        QStringList names;
        for (int i = 0; i < w.find<QTabBar>("chartsTabs")->count(); ++i)
            names += w.find<QTabBar>("chartsTabs")->tabText(i);
        return names;
    };
    const QStringList before = tabs();
    QVERIFY(!before.contains(QStringLiteral("Lengths")));
    trigger(w, "lengthsPercentiles");
    QVERIFY2(tabs().contains(QStringLiteral("Lengths")), qPrintable(tabs().join(QLatin1Char(' '))));
    w.type("p50Edit", QStringLiteral("8000"));
    w.type("p90Edit", QStringLiteral("30000"));
    w.type("p99Edit", QStringLiteral("90000"));
    w.type("sequencesEdit", QStringLiteral("40"));
    trigger(w, "lengthsAction");
    waitForFlight(w);
    const QWidget *lengths = w.find<QWidget>("lengthsChart"), *total = w.find<QWidget>("totalChart");
    QVERIFY(lengths->isVisible() && total->isVisible());
    QVERIFY2(lengths->accessibleDescription().contains(QStringLiteral("90,000")), qPrintable(lengths->accessibleDescription()));
    QVERIFY2(total->accessibleDescription().contains(QStringLiteral("54.4 GB")), qPrintable(total->accessibleDescription()));
    QVERIFY2(w.shown("lengthsFit").contains(QStringLiteral("40 sequences")), qPrintable(w.shown("lengthsFit")));
    QVERIFY2(w.shown("lengthsMean").contains(QStringLiteral("is wrong in")), qPrintable(w.shown("lengthsMean")));
    QVERIFY2(w.shown("lengthsMethod").contains(QStringLiteral("seed")), qPrintable(w.shown("lengthsMethod")));
    // A bar says how many requests it stands for; the keys walk.
    auto *bars = w.find<QWidget>("lengthsChartView");
    QTest::keyClick(bars, Qt::Key_End);
    QVERIFY2(bars->accessibleDescription().contains(QStringLiteral("tokens")) && bars->accessibleDescription().contains(QStringLiteral("up to here all")), qPrintable(bars->accessibleDescription()));
    w.click("unitGib");
    waitForFlight(w);
    QVERIFY2(total->accessibleDescription().contains(QStringLiteral("GiB")), qPrintable(total->accessibleDescription()));
    // What is seen can leave.
    trigger(w, "lengthsCopyCsv");
    const QStringList rows = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 1 + 2 * 48);
    double all = 0;
    for (int i = 1; i <= 48; ++i)
        all += rows[i].section(QLatin1Char(','), 3).toDouble();
    QVERIFY2(std::abs(all - 1) < 1e-6, qPrintable(QString::number(all)));
    trigger(w, "lengthsCopyMarkdown");
    QVERIFY2(QGuiApplication::clipboard()->text().contains(QStringLiteral("90,000 tokens")), qPrintable(QGuiApplication::clipboard()->text()));
    // Lengths that change nothing for slots are said so.
    w.choose("engineCombo", QStringLiteral("llama-cpp"));
    waitForFlight(w);
    QVERIFY2(w.shown("lengthsFit").contains(QStringLiteral("change nothing")), qPrintable(w.shown("lengthsFit")));
    trigger(w, "lengthsAlike");
    QCOMPARE(tabs(), before);
}

void WindowLengthsTest::theVerdict() {
    WindowFixture w;
    const QString alike = w.shown("verdictDetail");
    w.window->document()->edit(QStringLiteral("Set"), 0, [](Scenario &s) {
        s.workload.distribution.value = std::make_shared<const Lengths>(lengthsThrough(2000, 9000, 40'000));
        s.workload.sequences = Count(200);
    });
    w.settle();
    QVERIFY2(w.shown("verdictDetail").contains(QStringLiteral("With these lengths")) || w.shown("verdictDetail").contains(QStringLiteral("40,000")), qPrintable(w.shown("verdictDetail")));
    waitForFlight(w);
    QVERIFY2(w.shown("verdictDetail").contains(QStringLiteral("With these lengths 200 sequences")), qPrintable(w.shown("verdictDetail")));
    QVERIFY2(w.shown("verdictDetail").contains(QStringLiteral("in 99 of 100 cases")), qPrintable(w.shown("verdictDetail")));
    undo(w);
    QCOMPARE(w.shown("verdictDetail"), alike);
}

void WindowLengthsTest::fromARate() {
    WindowFixture w;
    w.click("rateButton");
    w.find<QLineEdit>("rateEdit")->clear();
    w.find<QLineEdit>("secondsEdit")->clear();
    QVERIFY(!w.find<QWidget>("rateTake")->isEnabled());
    QTest::keyClicks(w.find<QLineEdit>("rateEdit"), QStringLiteral("0.5"));
    QTest::keyClicks(w.find<QLineEdit>("secondsEdit"), QStringLiteral("25"));
    QVERIFY2(w.shown("rateSaid").contains(QStringLiteral("= 13 in flight")), qPrintable(w.shown("rateSaid")));
    QVERIFY2(w.shown("rateBack").contains(QStringLiteral("10 of now carry 0.4")), qPrintable(w.shown("rateBack")));
    w.click("rateTake");
    QCOMPARE(workload(w).sequences, Count(13));
    QCOMPARE(w.window->document()->undoStack()->count(), 1);
    undo(w);
    QCOMPARE(workload(w).sequences, Count(10));
    QTRY_VERIFY(!w.window->findChild<QWidget *>(QStringLiteral("ratePopup")));
    w.click("rateButton");
    for (const char *wrong : {"x", "-1", "1e300"}) {
        w.find<QLineEdit>("rateEdit")->setText(QLatin1String(wrong));
        w.find<QLineEdit>("secondsEdit")->setText(QStringLiteral("1e300"));
        QVERIFY2(!w.find<QWidget>("rateTake")->isEnabled(), wrong);
    }
}

// Saved with its trace inside, opened where the trace is not.
void WindowLengthsTest::travels() {
    const QTemporaryDir folder;
    const QString plan = folder.filePath(QStringLiteral("p.kvplan"));
    const Dialogs before = dialogs();
    dialogs().saveFile = [plan](QWidget *, const QString &, const QString &, const QString &) { return plan; };
    {
        WindowFixture w;
        QGuiApplication::clipboard()->setText(QString::fromUtf8(azure));
        trigger(w, "pasteAction");
        w.waitForFile();
        trigger(w, "saveAction");
    }
    dialogs() = before;
    forgetEverything();
    WindowFixture w;
    w.drop(plan);
    QVERIFY2(workload(w).distribution, qPrintable(w.message()));
    QCOMPARE(workload(w).distribution->count, std::int64_t(3));
    QCOMPARE(workload(w).distribution->most, std::int64_t(5000));
}

KV_TEST(WindowLengthsTest)
#include "windowlengthstest.moc"
