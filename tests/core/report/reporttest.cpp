// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/jsonwriter.h"
#include "core/base/plaintext.h"
#include "core/plan/evaluate.h"
#include "core/plan/fleet.h"
#include "core/report/comparison.h"
#include "core/report/csv.h"
#include "core/report/markdown.h"
#include "core/report/pagenumbers.h"
#include "core/report/planjson.h"
#include "core/report/plantext.h"
#include "core/report/refusal.h"
#include "core/report/texttable.h"
#include "core/scenario/scenarionames.h"
#include "tests/testmain.h"

#include <QStringDecoder>
#include <QTest>

#include <limits>

using namespace kv;

namespace {

/// A scenario whose names try to break every form.
Scenario hostileNames() {
    Scenario scenario = firstScenario();
    scenario.name = "a | b\n\"c\", *d* \xFF\x1B[31m";
    scenario.model.name = "<b>|\r\nx";
    return scenario;
}

bool isUtf8(const std::string &text) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString decoded = decoder.decode(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
    return !decoder.hasError() && !decoded.isEmpty();
}

} // namespace

class ReportTest : public QObject {
    Q_OBJECT

private slots:
    void messagesStayOnOneLine_data();
    void messagesStayOnOneLine();
    void jsonIsStrict_data();
    void jsonIsStrict();
    void jsonLayout();
    void planReadsBack();
    void refusalNamesItsPlace();
    void tablesAlign();
    void markdownIsEscaped();
    void csvHasOneCellAColumn();
    void csvHasNoFormulas_data();
    void csvHasNoFormulas();
    void hostileNamesBreakNothing();
    void namesSideBySide_data();
    void namesSideBySide();
    void comparedInEveryForm();
    void capacityHasItsFleet();
};

void ReportTest::messagesStayOnOneLine_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("plain") << QByteArray("a – ü 🚀") << QByteArray("a – ü 🚀");
    QTest::newRow("line breaks") << QByteArray("a\r\nb\tc") << QByteArray("a  b c");
    QTest::newRow("escapes of a terminal") << QByteArray("\x1B[31m\x7F") << QByteArray(" [31m ");
    QTest::newRow("controls of Latin 1") << QByteArray("a\xC2\x9B" "b") << QByteArray("a b");
    QTest::newRow("no UTF-8") << QByteArray("a\xFF\xC3") << QByteArray("a\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("overlong") << QByteArray("\xC0\xAF") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("half a surrogate pair") << QByteArray("\xED\xA0\x80") << QByteArray("\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    QTest::newRow("what turns the text") << QByteArray("a\u202Eb\u2067c\u200F") << QByteArray("a\uFFFDb\uFFFDc\u200F");
    QTest::newRow("other ends of a line") << QByteArray("a\u2028b") << QByteArray("a b");
    QTest::newRow("endless") << QByteArray(5000, 'x') << QByteArray(4000, 'x') + "…";
}

void ReportTest::messagesStayOnOneLine() {
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(oneLine(text.toStdString())), "wanted");
}

void ReportTest::jsonIsStrict_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("quotes") << QByteArray("a\"b\\c") << QByteArray(R"("a\"b\\c")");
    QTest::newRow("controls") << QByteArray("\n\t\r\x01") << QByteArray(R"("\n\t\r\u0001")");
    QTest::newRow("UTF-8 as it is") << QByteArray("ü🚀") << QByteArray("\"ü🚀\"");
    QTest::newRow("no UTF-8") << QByteArray("a\xFFz") << QByteArray("\"a\xEF\xBF\xBDz\"");
}

void ReportTest::jsonIsStrict() {
    QFETCH(QByteArray, text);
    std::string out;
    appendJsonString(out, text.toStdString());
    QTEST(QByteArray::fromStdString(out), "wanted");
}

void ReportTest::jsonLayout() {
    const auto write = [](bool pretty) {
        std::string out;
        JsonWriter json(out, pretty);
        json.beginObject();
        json.key("list").beginArray();
        json.value(std::int64_t(-1));
        json.value(0.5);
        json.value(std::numeric_limits<double>::infinity());
        json.endArray();
        json.key("none").beginObject();
        json.endObject();
        json.member("true", true);
        json.endObject();
        return QByteArray::fromStdString(out);
    };
    QCOMPARE(write(false), QByteArray(R"({"list": [-1, 0.5, null], "none": {}, "true": true})"));
    QCOMPARE(write(true), QByteArray("{\n  \"list\": [\n    -1,\n    0.5,\n    null\n  ],\n  \"none\": {},\n  \"true\": true\n}"));
}

void ReportTest::planReadsBack() {
    const Scenario scenario = firstScenario();
    const Plan plan = evaluate(scenario);
    const Json json = planToJson(scenario, plan);
    QCOMPARE(json.find("kv")->find("total_bytes")->integer(), plan.kv.total.value);
    QCOMPARE(json.find("gpus")->items().size(), plan.gpus.size());
    QCOMPARE(*json.find("engine")->find("version"), Json());
    // A type is said by its name, not by its place in a list.
    const auto &facts = json.find("explain")->items();
    QVERIFY(std::ranges::any_of(facts, [](const Json &fact) { return *fact.find("value") == Json("bf16"); }));
    // Absent is null, never 0.
    Plan without = plan;
    without.fit.maxSequences.reset();
    without.fit.minGpus.reset();
    const Json fit = *planToJson(scenario, without).find("fit");
    QCOMPARE(*fit.find("max_sequences"), Json());
    QCOMPARE(*fit.find("min_gpus"), Json());
}

void ReportTest::refusalNamesItsPlace() {
    QCOMPARE(refusalSentence(errorNote("c", "a.b", "a.b: expected 1")), std::string("a.b: expected 1"));
    QCOMPARE(refusalSentence(errorNote("c", "a.b", "expected 1")), std::string("a.b: expected 1"));
    QCOMPARE(refusalSentence(errorNote("c", "", "expected\n1")), std::string("expected 1"));
    const Json json = refusalToJson(errorNote("c", "a.b", "expected 1"));
    QCOMPARE(*json.find("ok"), Json(false));
    QCOMPARE(*json.find("error")->find("where"), Json("a.b"));
}

void ReportTest::tablesAlign() {
    TextTable table;
    table.column("Name").column("N", TextTable::Align::Right).column("Rest");
    table.row({"ü", "10", "x|y"});
    table.row({"long name", "7"});
    QCOMPARE(table.text(1), std::string(" Name        N  Rest\n ü          10  x|y\n long name   7\n"));
    QCOMPARE(table.text(0, false), std::string("ü          10  x|y\nlong name   7\n"));
    QCOMPARE(table.markdown(), std::string("| Name | N | Rest |\n|---|---:|---|\n| ü | 10 | x\\|y |\n| long name | 7 |  |\n"));
}

void ReportTest::markdownIsEscaped() {
    QCOMPARE(markdownText("a &amp; b"), std::string("a \\&amp; b")); // no entity, but what stands there
    QCOMPARE(markdownText("num_gpu_blocks _a_ *b* [c](d) <e> `f`"),
             std::string("num_gpu_blocks \\_a\\_ \\*b\\* \\[c\\](d) \\<e\\> \\`f\\`"));
}

void ReportTest::csvHasOneCellAColumn() {
    QCOMPARE(csvCell("plain"), std::string("plain"));
    QCOMPARE(csvCell("a,\"b\""), std::string("\"a,\"\"b\"\"\""));
    Scenario scenario = firstScenario();
    scenario.parallel = {Count(4), Count(1), Count(2), false};
    scenario.engine.id = "vllm";
    scenario.engine.options.set("enforce_eager", true);
    const QList<QByteArray> lines = QByteArray::fromStdString(planCsv(scenario, evaluate(scenario))).split('\n');
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0].count(','), lines[1].count(','));
    QVERIFY(lines[0].contains(",hardware.count,parallel.tp,parallel.pp,parallel.dp,parallel.expert_parallel,"));
    QVERIFY2(lines[1].contains(",8,4,1,2,false,") && lines[1].contains("{\"\"enforce_eager\"\": true}"), lines[1].constData());
}

// What a spreadsheet would work out is text; what is a number stays one.
void ReportTest::csvHasNoFormulas_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("cell");
    const auto row = [](const char *text, const char *cell) { QTest::newRow(text) << QByteArray(text) << QByteArray(cell); };
    row("=1+2", "'=1+2");
    row("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    row("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
    row("-2+3", "'-2+3");
    row("@SUM(A1)", "'@SUM(A1)");
    row("-", "'-");
    row("-5", "-5");
    row("-5.5e3", "-5.5e3");
    row("a=b", "a=b");
}

void ReportTest::csvHasNoFormulas() {
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(csvCell(text.toStdString())), "cell");
    Scenario named = firstScenario();
    named.name = text.toStdString();
    const std::vector<Scenario> two{named, named};
    const std::vector<Plan> plans{evaluate(named), evaluate(named)};
    QFETCH(QByteArray, cell);
    QVERIFY(comparisonCsv(compare(two, plans, 0, SizeUnit::Decimal), true).starts_with("row,differs," + cell.toStdString() + ","));
}

void ReportTest::hostileNamesBreakNothing() {
    const Scenario scenario = hostileNames();
    const Plan plan = evaluate(scenario);
    QVERIFY(plan.ok());
    const std::string csv = planCsv(scenario, plan);
    QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), 2);
    for (const std::string &text : {csv, planText(scenario, plan, SizeUnit::Decimal), planMarkdown(scenario, plan, SizeUnit::Binary)}) {
        QVERIFY(isUtf8(text));
        QVERIFY(text.find('\x1B') == std::string::npos);
    }
    QVERIFY(planMarkdown(scenario, plan, SizeUnit::Decimal).find("<b>") == std::string::npos);
    QVERIFY(planToJson(scenario, plan).isObject());
}

void ReportTest::namesSideBySide_data() {
    QTest::addColumn<QStringList>("given");
    QTest::addColumn<QStringList>("shown");
    const auto row = [](const char *name, const QStringList &given, const QStringList &shown) { QTest::newRow(name) << given << shown; };
    const QString a = QStringLiteral("A"), a2 = QStringLiteral("A (2)"), a3 = QStringLiteral("A (3)"), none, second = QStringLiteral("Scenario 2");
    row("one", {a}, {a});
    row("alike", {a, a, a}, {a, a2, a3});
    row("without names", {none, none}, {QStringLiteral("Scenario 1"), second});
    row("called as another's number", {second, none}, {second, QStringLiteral("Scenario 2 (2)")});
    row("a number that is taken", {a, a2, a}, {a, a2, a3});
    row("taken further on", {a, a, a2}, {a, a3, a2});
}

void ReportTest::namesSideBySide() {
    QFETCH(QStringList, given);
    std::vector<Scenario> scenarios;
    for (const QString &name : given) {
        scenarios.push_back(firstScenario());
        scenarios.back().name = name.toStdString();
    }
    QStringList shown;
    for (const std::string &name : scenarioNames(scenarios))
        shown += QString::fromStdString(name);
    QTEST(shown, "shown");
    const std::vector<Plan> plans(scenarios.size(), evaluate(firstScenario()));
    QCOMPARE(compare(scenarios, plans, 0, SizeUnit::Decimal).names, scenarioNames(scenarios));
}

void ReportTest::comparedInEveryForm() {
    std::vector<Scenario> scenarios(2, firstScenario());
    scenarios[0].name = "as today";
    scenarios[1].name = "twice";
    scenarios[1].workload.sequences = Count(20);
    std::vector<Plan> plans;
    for (const Scenario &scenario : scenarios)
        plans.push_back(evaluate(scenario));
    const Comparison compared = compare(scenarios, plans, 0, SizeUnit::Decimal);
    for (const bool all : {false, true}) {
        const Parsed<Json> json = parseJson(comparisonJson(compared, all), "comparison");
        QVERIFY(json.value.has_value());
        QCOMPARE(json->find("baseline")->text(), std::string("as today"));
        QCOMPARE(json->find("scenarios")->items().size(), std::size_t(2));
        std::size_t shown = 0, sequences = 0;
        for (const ComparedRow &row : compared.rows)
            shown += all || row.differs;
        QCOMPARE(json->find("rows")->items().size(), shown);
        for (const Json &row : json->find("rows")->items()) {
            QVERIFY(all || row.find("differs")->boolean());
            const std::vector<Json> &values = row.find("values")->items();
            if (row.find("name")->text() == "Sequences") {
                ++sequences;
                QCOMPARE(values[0].integer(), std::int64_t(10));
                QCOMPARE(values[1].integer(), std::int64_t(20));
            }
        }
        QCOMPARE(sequences, std::size_t(1));
        QVERIFY(comparisonCsv(compared, all).find("Sequences,1,10,20\n") != std::string::npos);
    }
}

void ReportTest::capacityHasItsFleet() {
    Scenario s = firstScenario();
    const auto csv = [&s] { return pageNumbers("capacity", s, evaluate(s), SizeUnit::Decimal)->csv; };
    QVERIFY(csv().find("fleet") == std::string::npos); // none is asked for
    s.fleet.users = 1000;
    s.fleet.lost = 1;
    s.hardware.pricePerGpuHour = 2.5;
    const Plan plan = evaluate(s);
    const Fleet wanted = fleet(s, plan, s.fleet, nullptr);
    for (const std::string &line : {"fleet: deployments," + std::to_string(wanted.deployments), "fleet: GPUs," + std::to_string(wanted.gpus), std::string("fleet: users at the same time,1000"),
                                    std::string("fleet: deployments that may be down,1"), std::string("fleet: price an hour,")})
        QVERIFY2(csv().find(line) != std::string::npos, csv().c_str());
    QVERIFY(pageNumbers("capacity", s, plan, SizeUnit::Decimal)->markdown.find("fleet: deployments") != std::string::npos);
    s.workload.context = Tokens(100'000'000); // not a single sequence is held
    QVERIFY2(csv().find("fleet: deployments,,") != std::string::npos, csv().c_str());
}

KV_TEST(ReportTest)
#include "reporttest.moc"
