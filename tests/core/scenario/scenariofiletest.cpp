// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenariofile.h"
#include "core/workload/percentiles.h"
#include "tests/testmain.h"
#include "tests/testpaths.h"

#include <QTest>

using namespace kv;

namespace {

Parsed<ScenarioDocument> read(const std::string &text) { return readDocument(text, "test.kvplan", {}); }


Scenario everythingSet() {
    Scenario s = firstScenario();
    s.name = "明日の計画 🚀 \"quoted\"";
    s.weights = {"int4", Bytes(12'345)};
    s.kv = {ElementType::Q8_0, ElementType::Q4_0};
    s.workload = {Tokens(1000), Count(7), Tokens(10), *parseJson(R"({"p50": 100, "p90": 200, "p99": 900})", "t").value};
    s.workload.distribution = *readLengths(s.workload.lengths, {}, "lengths").value;
    s.hardware.gpu = "h200-sxm-141gb";
    s.hardware.count = Count(16);
    s.hardware.memory = Bytes(99'000'000'001);
    s.hardware.reserve = 123'456'789;
    s.hardware.pricePerGpuHour = 2.75;
    s.parallel = {Count(4), Count(2), Count(2), true};
    s.engine = {"vllm", *parseJson(R"({"gpu_memory_utilization": 0.92, "layer_partition": [40, 40]})", "t").value};
    s.fleet = {{}, 0.25, 40.5, 2};
    return s;
}

} // namespace

class ScenarioFileTest : public QObject {
    Q_OBJECT

private slots:
    void roundTrip_data();
    void roundTrip();
    void documentRoundTrip();
    void oneScenarioAlone();
    void whatWasLoadedIsEmbedded();
    void storedSizeTravels();
    void textNumbersAreWrittenAsNumbers();
    void pathsAreRelativeToTheFile();
    void newerVersionsSurvive();
    void refusedWithItsPlace_data();
    void refusedWithItsPlace();
};

void ScenarioFileTest::roundTrip_data() {
    QTest::addColumn<bool>("devices");
    QTest::newRow("alike cards") << false;
    QTest::newRow("unlike cards") << true;
}

void ScenarioFileTest::roundTrip() {
    QFETCH(bool, devices);
    Scenario scenario = everythingSet();
    if (devices) {
        scenario.hardware.devices = {{"rtx-4090-24gb", Count(2)}, {"rtx-3090-24gb", Count(1)}};
        scenario.hardware.count = Count(3);
        scenario.hardware.gpu = "rtx-4090-24gb"; // what alike ones are then: the first of them
    }
    const Parsed<Scenario> again = readScenario(writeScenario(scenario, {}), {}, scenarioDefaults());
    QVERIFY(again.value.has_value());
    QVERIFY(again.notes.empty());
    QCOMPARE(*again, scenario);
}

void ScenarioFileTest::documentRoundTrip() {
    ScenarioDocument document{{firstScenario(), everythingSet()}, 1, {}};
    document.unknown.set("colours", "dark");
    const std::string text = writeDocument(document, {});
    const Parsed<ScenarioDocument> again = read(text);
    QVERIFY(again.value.has_value());
    QCOMPARE(*again, document);
    QCOMPARE(writeDocument(*again, {}), text);
}

void ScenarioFileTest::oneScenarioAlone() {
    const Parsed<ScenarioDocument> document = read(R"({"kvplan": 1, "name": "alone", "model": {"preset": "llama-3.1-8b"}})");
    QVERIFY(document.value.has_value());
    QCOMPARE(document->scenarios.size(), std::size_t(1));
    QCOMPARE(document->scenarios[0].name, std::string("alone"));
    QCOMPARE(document->current, std::size_t(0));
}

void ScenarioFileTest::whatWasLoadedIsEmbedded() {
    const std::string path = std::string(test::dataFolder()) + "/scenario/tiny/config.json";
    Json root = Json::object();
    root.set("model", Json::object()).set("path", path);
    const Parsed<Scenario> loaded = readScenario(root, {}, scenarioDefaults());
    QVERIFY(loaded.value.has_value());
    Json written = writeScenario(*loaded, {});
    Json &model = *written.find("model");
    QVERIFY(model.find("config"));
    // The file may be gone on the next machine.
    model.set("path", "/nowhere/config.json");
    const Parsed<Scenario> elsewhere = readScenario(written, {}, scenarioDefaults());
    QVERIFY(elsewhere.value.has_value());
    QCOMPARE(elsewhere->model.spec->name, loaded->model.spec->name);
    QCOMPARE(elsewhere->model.spec->layers, loaded->model.spec->layers);
    QCOMPARE(elsewhere->model.spec->shapes, loaded->model.spec->shapes);
    QCOMPARE(elsewhere->model.spec->weights, loaded->model.spec->weights);
    // A preset that is built in is everywhere, and named alone.
    QVERIFY(!writeScenario(firstScenario(), {}).find("model")->find("config"));
}

void ScenarioFileTest::storedSizeTravels() {
    Scenario scenario = firstScenario();
    auto spec = std::make_shared<ModelSpec>(*scenario.model.spec);
    spec->weights.stored = Bytes(150'000'000'003);
    spec->weights.source = WeightSource::SafetensorsHeaders;
    spec->weights.scheme = "as found";
    scenario.model = {{}, "/somewhere/model", {}, spec};
    const Parsed<Scenario> again = readScenario(writeScenario(scenario, {}), {}, scenarioDefaults());
    QVERIFY(again.value.has_value());
    const WeightSpec &weights = again->model.spec->weights;
    QCOMPARE(weights.stored, Bytes(150'000'000'003));
    QCOMPARE(weights.source, WeightSource::SafetensorsHeaders);
    QCOMPARE(weights.scheme, std::string("as found"));
    Bytes sum;
    for (const WeightPart &part : weights.parts)
        sum += part.stored;
    QCOMPARE(sum, weights.stored);
}

void ScenarioFileTest::textNumbersAreWrittenAsNumbers() {
    const char *line = R"({"model": {"config": {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": "2", "num_attention_heads": 4,
        "num_key_value_heads": 2, "vocab_size": 100, "intermediate_size": 128}}})";
    const Json root = *parseJson(line, "t").value;
    const Parsed<Scenario> lenient = readScenario(root, {}, scenarioDefaults());
    QVERIFY(lenient.value.has_value());
    // A file is written by a program: there it is damage.
    QVERIFY(!readScenarioAt(root, {}, scenarioDefaults(), {}).value.has_value());
    const Parsed<Scenario> again = readScenarioAt(writeScenario(*lenient, {}), {}, scenarioDefaults(), {});
    QVERIFY(again.value.has_value());
    QCOMPARE(again->model.spec->layerCount(), 2);
}

void ScenarioFileTest::pathsAreRelativeToTheFile() {
    const std::string folder = std::string(test::dataFolder()) + "/scenario";
    const Json root = *parseJson(R"({"model": {"path": "tiny/config.json"}})", "t").value;
    const Parsed<Scenario> loaded = readScenario(root, folder, scenarioDefaults());
    QVERIFY(loaded.value.has_value());
    QCOMPARE(loaded->model.path, folder + "/tiny/config.json");
    QCOMPARE(writeScenario(*loaded, folder).find("model")->find("path")->text(), std::string("tiny/config.json"));
    QCOMPARE(writeScenario(*loaded, folder + "/other").find("model")->find("path")->text(), std::string("../tiny/config.json"));
}

void ScenarioFileTest::newerVersionsSurvive() {
    const char *text = R"({"kvplan": 2, "current": 0, "layout": {"columns": 3}, "scenarios": [{"kvplan": 2, "model": {"preset": "llama-3.1-8b", "revision": "x"}}]})";
    const Parsed<ScenarioDocument> document = read(text);
    QVERIFY(document.value.has_value());
    QVERIFY(std::ranges::any_of(document.notes, [](const Note &note) { return note.code == "newer-version"; }));
    const Json again = *parseJson(writeDocument(*document, {}), "t").value;
    QCOMPARE(*again.find("kvplan"), Json(2));
    QCOMPARE(*again.find("layout")->find("columns"), Json(3));
    QCOMPARE(*again.find("scenarios")->items()[0].find("kvplan"), Json(2));
    QCOMPARE(*again.find("scenarios")->items()[0].find("model")->find("revision"), Json("x"));
}

void ScenarioFileTest::refusedWithItsPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    const auto row = [](const char *name, const char *text, const char *place) { QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(place); };
    row("nothing", "", "test.kvplan");
    row("two documents", "{} {}", "test.kvplan");
    row("Python", "{'kvplan': 1}", "test.kvplan");
    row("a list on top", "[]", "scenario");
    row("a text", "\"\"", "scenario");
    row("no scenario in the list", R"({"scenarios": []})", "scenarios");
    row("a list that is an object", R"({"scenarios": {}})", "scenarios");
    row("a list of numbers", R"({"scenarios": [1]})", "scenarios[0]");
    row("a current one below the first", R"({"current": -1, "scenarios": [{"model": {"preset": "llama-3.1-8b"}}]})", "current");
    row("a current one beyond the last", R"({"current": 1, "scenarios": [{"model": {"preset": "llama-3.1-8b"}}]})", "current");
    row("a current one in words", R"({"current": "first", "scenarios": [{"model": {"preset": "llama-3.1-8b"}}]})", "current");
    row("no model", R"({"kvplan": 1})", "model");
    row("a fault in the second", R"({"scenarios": [{"model": {"preset": "llama-3.1-8b"}}, {"model": {"preset": "llama-3.1-8b"}, "workload": {"context": "x"}}]})",
        "scenarios[1].workload.context");
}

void ScenarioFileTest::refusedWithItsPlace() {
    QFETCH(QByteArray, text);
    const Parsed<ScenarioDocument> document = read(text.toStdString());
    QVERIFY(!document.value.has_value());
    QTEST(QString::fromStdString(firstError(document.notes)->where), "place");
}

KV_TEST(ScenarioFileTest)
#include "scenariofiletest.moc"
