// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/workload/percentiles.h"
#include "tests/testmain.h"
#include "tests/ui/charts/textrecorder.h"
#include "ui/paper.h"
#include "ui/style.h"
#include "ui/words.h"

#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

ScenarioDocument usual() { return {{firstScenario()}, 0, {}}; }

/// A hybrid model under vLLM, whose name fills lines.
ScenarioDocument hybrid() {
    Scenario s = firstScenario();
    s.model.preset = "qwen3.5-35b-a3b";
    s.model.spec = *presetModel(s.model.preset).value;
    s.model.name = "an-organisation-with-a-name/a-model-whose-name-is-longer-than-anybody-would-like-to-read-GPTQ-Int4-v2.1";
    s.engine.id = "vllm";
    return {{s}, 0, {}};
}

ScenarioDocument beyond() {
    Scenario s = firstScenario();
    s.workload.sequences = Count(64);
    return {{s}, 0, {}};
}

ScenarioDocument unlike() {
    Scenario s = firstScenario();
    s.workload.distribution = SharedLengths{std::make_shared<const Lengths>(lengthsThrough(2048, 8192, 32768))};
    return {{s}, 0, {}};
}

ScenarioDocument several() {
    ScenarioDocument document = beyond();
    document.scenarios.push_back(firstScenario());
    document.scenarios.back().name = "the same with a rather long name, as people write them into plans that they share";
    document.scenarios.back().kv.key = document.scenarios.back().kv.value = ElementType::Fp8;
    document.scenarios.push_back(hybrid().scenarios[0]);
    return document;
}

struct Case {
    const char *name;
    ScenarioDocument (*make)();
};
constexpr Case cases[]{{"usual", usual}, {"hybrid", hybrid}, {"beyond", beyond}, {"unlike", unlike}, {"several", several}};

} // namespace

// Every page as it leaves: its texts there, inside, none on another, its numbers the plan's.
class PaperTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new Style); }
    void textsStand_data();
    void textsStand();
    void numbersAreThePlans_data();
    void numbersAreThePlans();
    void sizes_data();
    void sizes();
    void smallestWindow_data();
    void smallestWindow();
    void darkAndLight();
    void nothingToShow();
    void numbersAsText_data();
    void numbersAsText();
};

void PaperTest::textsStand_data() {
    QTest::addColumn<int>("scenario");
    QTest::addColumn<QString>("page");
    for (int i = 0; i < int(std::size(cases)); ++i)
        for (const std::string &page : paperPages())
            if (page != "lesson")
                QTest::addRow("%s, %s", page.c_str(), cases[i].name) << i << words(page);
}

void PaperTest::textsStand() {
    QFETCH(int, scenario);
    QFETCH(QString, page);
    PaperOrder order;
    order.page = page;
    Paper paper(cases[scenario].make(), order);
    if (!paper.isWorthShowing()) {
        QCOMPARE(page, QStringLiteral("lengths")); // of requests that are all alike there is nothing to show
        QVERIFY(!cases[scenario].make().scenarios.front().workload.distribution);
        return;
    }
    const Recording recording = paper.record();
    TextRecorder recorder(recording.size());
    QPainter painter(&recorder);
    recording.paint(painter);
    painter.end();
    const DrawnTexts texts = recorder.texts();
    QVERIFY(texts.drawn().size() > 5);
    const QStringList faults = texts.faults(QRectF(QPointF(), recording.size()).adjusted(-0.5, -0.5, 0.5, 0.5));
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QStringLiteral("; "))));
    QVERIFY(texts.texts().join(QLatin1Char(' ')).contains(QStringLiteral("KV Planner 0.")));
}

void PaperTest::numbersAreThePlans_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QStringList>("numbers");
    const Scenario s = firstScenario();
    const Plan plan = evaluate(s);
    const auto size = [](Bytes bytes) { return words(writeBytes(bytes, SizeUnit::Decimal)); };
    const QString sequences = words(writeNumber(*plan.fit.maxSequences)), total = size(plan.kv.total), token = size(plan.kv.perToken);
    QTest::newRow("all") << QStringLiteral("all") << QStringList{token, size(plan.kv.perSequence), total, size(plan.weights.total), size(plan.fit.kvBudget - plan.kv.total)};
    QTest::newRow("gpus") << QStringLiteral("gpus") << QStringList{size(plan.gpus[0].kv).section(QLatin1Char(' '), 0, 0), size(plan.gpus[0].weights).section(QLatin1Char(' '), 0, 0)};
    QTest::newRow("growth") << QStringLiteral("growth") << QStringList{total};
    QTest::newRow("table") << QStringLiteral("table") << QStringList{total, sequences, size(plan.kv.perSequence)};
    QTest::newRow("explain") << QStringLiteral("explain") << QStringList{token, total, words(writeNumber(plan.kv.total.value))};
    QTest::newRow("fitMap") << QStringLiteral("fitMap") << QStringList{words(writeNumber(s.workload.context.value))};
    QTest::newRow("settingsMap") << QStringLiteral("settingsMap") << QStringList{sequences + QStringLiteral(" users")};
    QTest::newRow("mistakes") << QStringLiteral("mistakes") << QStringList{token};
    QTest::newRow("capacity") << QStringLiteral("capacity") << QStringList{sequences, words(writeNumber(*plan.fit.maxContext)), words(writeNumber(*plan.fit.minGpus))};
    QTest::newRow("levers") << QStringLiteral("levers") << QStringList{sequences + QStringLiteral(" → 20")};
    QTest::newRow("compare") << QStringLiteral("compare") << QStringList{sequences + QStringLiteral(" users")};
}

void PaperTest::numbersAreThePlans() {
    QFETCH(QString, page);
    QFETCH(QStringList, numbers);
    PaperOrder order;
    order.page = page;
    Paper paper(usual(), order);
    const Recording recording = paper.record();
    TextRecorder recorder(recording.size());
    QPainter painter(&recorder);
    recording.paint(painter);
    painter.end();
    const QString all = recorder.texts().texts().join(QLatin1Char('\n'));
    for (const QString &number : numbers)
        QVERIFY2(all.contains(number), qPrintable(number + QStringLiteral(" in\n") + all));
}

void PaperTest::sizes_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QSize>("given");
    QTest::newRow("the dashboard's own") << QStringLiteral("all") << QSize();
    QTest::newRow("a chart's own") << QStringLiteral("growth") << QSize();
    QTest::newRow("exactly") << QStringLiteral("all") << QSize(1024, 700);
    QTest::newRow("exactly, a list") << QStringLiteral("levers") << QSize(700, 200);
}

void PaperTest::sizes() {
    QFETCH(QString, page);
    QFETCH(QSize, given);
    PaperOrder order;
    order.page = page;
    if (given.isValid())
        order.size = given;
    QCOMPARE(Paper(usual(), order).record().size(), given.isValid() ? given : usualPaperSize(page));
    if (given.isValid())
        return;
    // What does not fill it is given less.
    order.page = QStringLiteral("gpus");
    const int bars = Paper(usual(), order).record().size().height();
    QVERIFY2(bars > 200 && bars < 620, qPrintable(QString::number(bars)));
    // What would be cut is given room.
    order.page = QStringLiteral("explain");
    QVERIFY(Paper(hybrid(), order).record().size().height() > usualPaperSize(order.page).height());
    QCOMPARE(Paper(hybrid(), order).record().size().width(), usualPaperSize(order.page).width());
}

void PaperTest::smallestWindow_data() {
    QTest::addColumn<int>("scenario");
    QTest::newRow("usual") << 0;
    QTest::newRow("hybrid, with a launch line") << 1;
    QTest::newRow("beyond") << 2;
}

// In the smallest window the whole scenario stands without scrolling; so it does in a picture of that size.
void PaperTest::smallestWindow() {
    QFETCH(int, scenario);
    PaperOrder order;
    order.size = QSize(1024, 700);
    Paper paper(cases[scenario].make(), order);
    const Recording recording = paper.record();
    TextRecorder recorder(recording.size());
    QPainter painter(&recorder);
    recording.paint(painter);
    painter.end();
    const DrawnTexts texts = recorder.texts();
    const auto bottomOf = [&texts](const QString &wanted) {
        double bottom = -1;
        for (const DrawnText &drawn : texts.drawn())
            if (drawn.text.compare(wanted, Qt::CaseInsensitive) == 0) // headings are in small capitals
                bottom = drawn.rect.bottom();
        return bottom;
    };
    double captionTop = 0;
    for (const DrawnText &drawn : texts.drawn())
        if (drawn.text.contains(QStringLiteral("KV Planner 0.")))
            captionTop = drawn.rect.top();
    QVERIFY(captionTop > 600);
    const bool launches = scenario == 1;
    const double last = bottomOf(launches ? QStringLiteral("Paste") : QStringLiteral("Options ▾"));
    QVERIFY2(last > 0 && last < captionTop - 20, QByteArray::number(last).constData()); // above the column's own edge
    // Its rows follow each other: none has been given the height of one that is hidden.
    const double heading = bottomOf(QStringLiteral("HARDWARE")), fields = bottomOf(QStringLiteral("PP"));
    QVERIFY2(heading > 0 && fields > heading && fields - heading < 60, QByteArray::number(fields - heading).constData());
}

void PaperTest::darkAndLight() {
    for (const bool dark : {false, true})
        for (const char *page : {"all", "gpus", "table", "explain", "compare"}) {
            PaperOrder order;
            order.page = QLatin1String(page);
            order.dark = dark;
            const QImage image = imageOf(Paper(usual(), order).record(), 1);
            QVERIFY2((image.pixelColor(image.width() / 2, 3).lightness() < 128) == dark, page);
            QVERIFY2((image.pixelColor(3, image.height() - 2).lightness() < 128) == dark, page);
        }
}

void PaperTest::nothingToShow() {
    PaperOrder order;
    order.page = QStringLiteral("lengths");
    QVERIFY(!Paper(usual(), order).isWorthShowing());
    ScenarioDocument refused = usual();
    refused.scenarios[0].parallel.tp = Count(7);
    order.page = QStringLiteral("gpus");
    QVERIFY(!Paper(refused, order).isWorthShowing());
    order.page = QStringLiteral("all"); // says why there is nothing
    QVERIFY(Paper(refused, order).isWorthShowing());
}

void PaperTest::numbersAsText_data() {
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("csv");
    QTest::addColumn<QString>("markdown");
    QTest::newRow("gpus") << QStringLiteral("gpus") << QStringLiteral("GPU 0,H100 SXM 80 GB,80000000000,17638426624,53687091200,") << QStringLiteral("| 53.7 GB |");
    QTest::newRow("growth") << QStringLiteral("growth") << QStringLiteral("\n131072,214748364800,107374182400,429496729600,434892587008\n") << QStringLiteral("| 131,072 | 214.7 GB | 107.4 GB | 429.5 GB |");
    QTest::newRow("table") << QStringLiteral("table") << QStringLiteral("\n131072,42949672960,429496729600,10,yes\n") << QStringLiteral("| 42.9 GB | 429.5 GB | 10 | ✓ fits |");
    QTest::newRow("fitMap") << QStringLiteral("fitMap") << QStringLiteral("\n131072,10,1,") << QStringLiteral("| 131,072 | 10 |");
    QTest::newRow("settingsMap") << QStringLiteral("settingsMap") << QStringLiteral("\n8,bf16,") << QStringLiteral("the cheapest that fits");
    QTest::newRow("mistakes") << QStringLiteral("mistakes") << QStringLiteral("none: the right value,327680,") << QStringLiteral("327.7 kB");
    QTest::newRow("capacity") << QStringLiteral("capacity") << QStringLiteral("most sequences,10,") << QStringLiteral("most sequences");
    QTest::newRow("levers") << QStringLiteral("levers") << QStringLiteral("kv.fp8,") << QStringLiteral("FP8 cache");
    QTest::newRow("explain") << QStringLiteral("explain") << QStringLiteral("KV heads,8,num_key_value_heads") << QStringLiteral("= 2 × 80 × 8 × 128 × 2");
}

void PaperTest::numbersAsText() {
    QFETCH(QString, page);
    QFETCH(QString, csv);
    QFETCH(QString, markdown);
    PaperOrder order;
    order.page = page;
    Paper paper(usual(), order);
    const QString asCsv = words(paper.csv()), asMarkdown = words(paper.markdown());
    QVERIFY2(asCsv.contains(csv), qPrintable(asCsv));
    QVERIFY2(asMarkdown.contains(markdown), qPrintable(asMarkdown));
}

KV_TEST(PaperTest)
#include "papertest.moc"
