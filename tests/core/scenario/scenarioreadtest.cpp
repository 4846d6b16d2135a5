// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

namespace {

Json json(const char *text) {
    const Parsed<Json> parsed = parseJson(text, "test");
    return parsed.value.value_or(Json());
}

/// A scenario that is complete but for what `text` says.
Parsed<Scenario> readOver(const char *text) { return readScenario(json(text), {}, firstScenario()); }

QString firstRefusal(const Notes &notes) {
    const Note *error = firstError(notes);
    return error ? QString::fromStdString(error->where + " | " + error->text) : QString();
}

} // namespace

class ScenarioReadTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsSaidIsTaken();
    void whatIsNotSaidStays();
    void numbersAsPeopleWriteThem_data();
    void numbersAsPeopleWriteThem();
    void refusedWithItsPlace_data();
    void refusedWithItsPlace();
    void unknownKeysAreKeptAndSaidOnce();
    void aModelBringsItsOwnWeights();
    void aCardBringsItsOwnMemory();
    void anEngineBringsItsOwnOptions();
    void countAndSplit_data();
    void countAndSplit();
    void aModelIsNeeded();
    void modelsInline();
    void misspeltPresetIsNamed();
};

void ScenarioReadTest::whatIsSaidIsTaken() {
    const Parsed<Scenario> read = readOver(R"({"kvplan": 1, "name": "as today", "model": {"preset": "llama-3.1-8b", "name": "ours"},
        "weights": {"dtype": "fp8"}, "kv": {"k": "q8_0", "v": "q4_0"},
        "workload": {"context": 8192, "sequences": 64, "shared_prefix": 1024, "lengths": {"p50": 1, "p90": 2, "p99": 3}},
        "hardware": {"gpu": "rtx-4090-24gb", "count": 4, "memory_bytes": 25000000000, "reserve": 0.05, "price_per_gpu_hour": 1.5},
        "parallel": {"tp": 2, "pp": 2, "dp": 1, "expert_parallel": true},
        "engine": {"id": "llama-cpp", "options": {"n_batch": 512}},
        "fleet": {"requests_per_second": 12.5, "seconds_per_request": 20, "lost": 1}})");
    QVERIFY2(read.value.has_value(), qPrintable(firstRefusal(read.notes)));
    QVERIFY(read.notes.empty());
    const Scenario &s = *read;
    QCOMPARE(s.name, std::string("as today"));
    QCOMPARE(s.model.preset, std::string("llama-3.1-8b"));
    QCOMPARE(s.model.name, std::string("ours"));
    QCOMPARE(s.model.spec->layerCount(), 32);
    QCOMPARE(s.weights, (WeightsChoice{"fp8", {}}));
    QCOMPARE(s.kv, (KvChoice{ElementType::Q8_0, ElementType::Q4_0}));
    QCOMPARE(s.workload.context, Tokens(8192));
    QCOMPARE(s.workload.sequences, Count(64));
    QCOMPARE(s.workload.sharedPrefix, Tokens(1024));
    QVERIFY(s.workload.lengths.find("p99"));
    QCOMPARE(s.hardware.gpu, std::string("rtx-4090-24gb"));
    QCOMPARE(s.hardware.count, Count(4));
    QCOMPARE(s.hardware.memory, std::optional(Bytes(25'000'000'000)));
    QCOMPARE(s.hardware.reserve, std::int64_t(50'000'000));
    QCOMPARE(s.hardware.pricePerGpuHour, std::optional(1.5));
    QCOMPARE(s.parallel, (Parallel{Count(2), Count(2), Count(1), true}));
    QCOMPARE(s.engine.id, std::string("llama-cpp"));
    QCOMPARE(s.engine.options, json(R"({"n_batch": 512})"));
    QCOMPARE(s.fleet, (FleetTarget{{}, 12.5, 20.0, 1}));
}

void ScenarioReadTest::whatIsNotSaidStays() {
    const Parsed<Scenario> read = readOver(R"({"workload": {"context": 4096}})");
    QVERIFY(read.value.has_value());
    Scenario wanted = firstScenario();
    wanted.workload.context = Tokens(4096);
    QCOMPARE(*read, wanted);
}

void ScenarioReadTest::numbersAsPeopleWriteThem_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("context");
    QTest::newRow("whole") << QByteArray(R"({"workload": {"context": 131072}})") << qint64(131072);
    QTest::newRow("128k") << QByteArray(R"({"workload": {"context": "128k"}})") << qint64(131072);
    QTest::newRow("a whole float") << QByteArray(R"({"workload": {"context": 131072.0}})") << qint64(131072);
    QTest::newRow("an exponent") << QByteArray(R"({"workload": {"context": 1e5}})") << qint64(100000);
    QTest::newRow("none at all") << QByteArray(R"({"workload": {"context": 0}})") << qint64(0);
    QTest::newRow("null says nothing") << QByteArray(R"({"workload": {"context": null}})") << qint64(131072);
    QTest::newRow("the largest") << QByteArray(R"({"workload": {"context": 9223372036854775807}})") << qint64(9223372036854775807);
}

void ScenarioReadTest::numbersAsPeopleWriteThem() {
    QFETCH(QByteArray, text);
    const Parsed<Scenario> read = readOver(text.constData());
    QVERIFY2(read.value.has_value(), qPrintable(firstRefusal(read.notes)));
    QTEST(qint64(read->workload.context.value), "context");
}

void ScenarioReadTest::refusedWithItsPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("word");
    const auto row = [](const char *name, const char *text, const char *place, const char *word) {
        QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(place) << QString::fromUtf8(word);
    };
    row("2^63 tokens", R"({"workload": {"context": 9223372036854775808}})", "workload.context", "range");
    row("1e30 tokens", R"({"workload": {"context": 1e30}})", "workload.context", "range");
    row("half a token", R"({"workload": {"context": 1.5}})", "workload.context", "1.5");
    row("a word", R"({"workload": {"context": "lots"}})", "workload.context", "lots");
    row("a list", R"({"workload": {"context": [1]}})", "workload.context", "a list");
    row("less than none", R"({"workload": {"context": -1}})", "workload.context", "-1");
    row("no sequences", R"({"workload": {"sequences": 0}})", "workload.sequences", "1 or more");
    row("no sequences, as text", R"({"workload": {"sequences": "0"}})", "workload.sequences", "\"0\"");
    row("true sequences", R"({"workload": {"sequences": true}})", "workload.sequences", "true");
    row("a prefix below none", R"({"workload": {"shared_prefix": -1}})", "workload.shared_prefix", "-1");
    row("lengths of no kind", R"({"workload": {"lengths": {"path": "a.csv"}}})", "workload.lengths", "a.csv");
    row("no GPUs", R"({"hardware": {"count": 0}})", "hardware.count", "1 or more");
    row("no memory", R"({"hardware": {"memory_bytes": 0}})", "hardware.memory_bytes", "found 0");
    row("memory as text", R"({"hardware": {"memory_bytes": "80GB"}})", "hardware.memory_bytes", "write 80000000000");
    row("a reserve of one and a half", R"({"hardware": {"reserve": 1.5}})", "hardware.reserve", "1.5");
    row("the whole in reserve", R"({"hardware": {"reserve": 1}})", "hardware.reserve", "found 1");
    row("a reserve below nothing", R"({"hardware": {"reserve": -0.1}})", "hardware.reserve", "-0.1");
    row("an endless reserve", R"({"hardware": {"reserve": Infinity}})", "hardware.reserve", "Infinity");
    row("a card that is a number", R"({"hardware": {"gpu": 5}})", "hardware.gpu", "text");
    row("devices that are none", R"({"hardware": {"devices": {"gpu": "x"}}})", "hardware.devices", "list");
    row("a device without a card", R"({"hardware": {"devices": [{"count": 1}]}})", "hardware.devices[0].gpu", "needs");
    row("a count beside other devices", R"({"hardware": {"count": 3, "devices": [{"gpu": "rtx-4090-24gb", "count": 2}]}})", "hardware.count", "2 cards");
    row("2^63 ways", R"({"parallel": {"tp": 9223372036854775808}})", "parallel.tp", "range");
    row("expert parallel in words", R"({"parallel": {"expert_parallel": "yes"}})", "parallel.expert_parallel", "true or false");
    row("a KV type nobody knows", R"({"kv": {"dtype": "q9_9"}})", "kv.dtype", "q9_9");
    row("types that there are", R"({"kv": {"v": "fp7"}})", "kv.v", "fp8_per_token_head");
    row("weights in a unit", R"({"weights": {"bytes": "1GB"}})", "weights.bytes", "write 1000000000");
    row("options in a list", R"({"engine": {"options": [1]}})", "engine.options", "object");
    row("no users of a fleet", R"({"fleet": {"users": 0}})", "fleet.users", "1 or more");
    row("a rate below none", R"({"fleet": {"requests_per_second": -1}})", "fleet.requests_per_second", "-1");
    row("half a deployment lost", R"({"fleet": {"lost": 0.5}})", "fleet.lost", "0.5");
    row("two loads of a fleet", R"({"fleet": {"users": 5, "requests_per_second": 1}})", "fleet.users", "two loads");
    row("a section that is a number", R"({"workload": 5})", "workload", "object");
    row("a version in words", R"({"kvplan": "one"})", "kvplan", "version");
    row("a version below one", R"({"kvplan": -1})", "kvplan", "version");
    row("a model that is a text", R"({"model": "llama-3.1-8b"})", "model", "object");
    row("a model of nothing", R"({"model": {}})", "model", "preset");
    row("no object", R"([1])", "scenario", "a list");
}

void ScenarioReadTest::refusedWithItsPlace() {
    QFETCH(QByteArray, text);
    QFETCH(QString, word);
    const Parsed<Scenario> read = readOver(text.constData());
    QVERIFY(!read.value.has_value());
    const Note *error = firstError(read.notes);
    QVERIFY(error);
    QTEST(QString::fromStdString(error->where), "place");
    const QString said = QString::fromStdString(error->text);
    QVERIFY2(said.contains(word), qPrintable(said));
    QVERIFY2(said.startsWith(QString::fromStdString(error->where)), qPrintable(said));
}

void ScenarioReadTest::unknownKeysAreKeptAndSaidOnce() {
    const Parsed<Scenario> read = readOver(R"({"future": [1], "workload": {"contxt": 5, "context": 7}, "engine": {"id": "textbook", "mood": "good"}})");
    QVERIFY(read.value.has_value());
    QCOMPARE(read.notes.size(), std::size_t(1));
    QCOMPARE(read.notes[0].code, std::string("unknown-key"));
    QCOMPARE(read.notes[0].severity, Severity::Warning);
    const QString said = QString::fromStdString(read.notes[0].text);
    for (const char *place : {"future", "workload.contxt (did you mean context?)", "engine.mood"})
        QVERIFY2(said.contains(QLatin1String(place)), qPrintable(said));
    QCOMPARE(read->workload.context, Tokens(7));
    const Json written = writeScenario(*read, {});
    QCOMPARE(*written.find("future"), json("[1]"));
    QCOMPARE(*written.find("workload")->find("contxt"), Json(5));
    QCOMPARE(*written.find("engine")->find("mood"), Json("good"));
}

void ScenarioReadTest::aModelBringsItsOwnWeights() {
    Scenario base = firstScenario();
    base.weights.bytes = Bytes(7);
    const Parsed<Scenario> other = readScenario(json(R"({"model": {"preset": "llama-3.1-8b"}})"), {}, base);
    QCOMPARE(other->weights, WeightsChoice{});
    const Parsed<Scenario> same = readScenario(json(R"({"workload": {"context": 1}})"), {}, base);
    QCOMPARE(same->weights.bytes, std::optional(Bytes(7)));
}

void ScenarioReadTest::aCardBringsItsOwnMemory() {
    Scenario base = firstScenario();
    base.hardware.memory = Bytes(7);
    QVERIFY(!readScenario(json(R"({"hardware": {"gpu": "rtx-4090-24gb"}})"), {}, base)->hardware.memory);
    QVERIFY(readScenario(json(R"({"hardware": {"count": 1}})"), {}, base)->hardware.memory);
    QVERIFY(!readScenario(json(R"({"hardware": {"memory_bytes": null}})"), {}, base)->hardware.memory);
}

void ScenarioReadTest::anEngineBringsItsOwnOptions() {
    Scenario base = firstScenario();
    base.engine = {"vllm", json(R"({"block_size": 32})")};
    QCOMPARE(readScenario(json(R"({"engine": {"id": "sglang"}})"), {}, base)->engine.options, Json::object());
    QCOMPARE(readScenario(json(R"({"engine": {"id": "vllm", "options": {"max_num_seqs": 1}}})"), {}, base)->engine.options,
             json(R"({"block_size": 32, "max_num_seqs": 1})"));
}

void ScenarioReadTest::countAndSplit_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("tp"); // 0: follows from the count
    QTest::newRow("nothing said") << QByteArray("{}") << qint64(8) << qint64(0);
    QTest::newRow("a count") << QByteArray(R"({"hardware": {"count": 4}})") << qint64(4) << qint64(0);
    QTest::newRow("a split") << QByteArray(R"({"parallel": {"tp": 4, "dp": 3}})") << qint64(12) << qint64(4);
    QTest::newRow("both, whether or not they agree") << QByteArray(R"({"hardware": {"count": 8}, "parallel": {"tp": 3}})") << qint64(8) << qint64(3);
    QTest::newRow("replicas alone") << QByteArray(R"({"parallel": {"dp": 3}})") << qint64(3) << qint64(0);
    QTest::newRow("stages alone") << QByteArray(R"({"parallel": {"pp": 81}})") << qint64(81) << qint64(0);
    QTest::newRow("replicas inside tp alone") << QByteArray(R"({"parallel": {"dp": 4}, "engine": {"id": "sglang", "options": {"enable_dp_attention": true}}})")
                                              << qint64(4) << qint64(0);
    QTest::newRow("dp inside tp") << QByteArray(R"({"parallel": {"tp": 8, "dp": 8}, "engine": {"id": "sglang", "options": {"enable_dp_attention": true}}})")
                                  << qint64(8) << qint64(8);
}

void ScenarioReadTest::countAndSplit() {
    QFETCH(QByteArray, text);
    const Parsed<Scenario> read = readOver(text.constData());
    QVERIFY(read.value.has_value());
    QTEST(qint64(read->hardware.count.value), "count");
    QTEST(qint64(read->parallel.tp.value_or(Count(0)).value), "tp");
}

void ScenarioReadTest::aModelIsNeeded() {
    const Parsed<Scenario> read = readScenario(json(R"({"workload": {"context": 1}})"), {}, scenarioDefaults());
    QVERIFY(!read.value.has_value());
    QCOMPARE(firstError(read.notes)->where, std::string("model"));
}

void ScenarioReadTest::modelsInline() {
    const Parsed<Scenario> config = readOver(R"({"model": {"name": "mine", "config": {"model_type": "llama", "hidden_size": 64,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 100, "intermediate_size": 128}}})");
    QVERIFY2(config.value.has_value(), qPrintable(firstRefusal(config.notes)));
    QCOMPARE(config->model.spec->name, std::string("mine"));
    QCOMPARE(config->model.spec->layerCount(), 2);
    const Parsed<Scenario> gguf = readOver(R"({"model": {"gguf": {"general.architecture": "llama", "llama.block_count": 3, "llama.embedding_length": 64,
        "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2, "llama.context_length": 2048, "llama.feed_forward_length": 128}}})");
    QVERIFY2(gguf.value.has_value(), qPrintable(firstRefusal(gguf.notes)));
    QCOMPARE(gguf->model.spec->layerCount(), 3);
    const Parsed<Scenario> broken = readOver(R"({"model": {"config": {"model_type": "llama"}}})");
    QVERIFY2(firstRefusal(broken.notes).contains(QLatin1String("num_hidden_layers")), qPrintable(firstRefusal(broken.notes)));
}

void ScenarioReadTest::misspeltPresetIsNamed() {
    const Parsed<Scenario> read = readOver(R"({"model": {"preset": "lama-3.1-70b"}})");
    QVERIFY2(firstRefusal(read.notes).contains(QLatin1String("llama-3.1-70b")), qPrintable(firstRefusal(read.notes)));
}

KV_TEST(ScenarioReadTest)
#include "scenarioreadtest.moc"
