// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layers of multi-token prediction in the cells of each engine, and layers of unlike size where a card holds some of them. Worked out by hand
// from the models' configs and the engines' formulas, which stand at the rows.
#include "core/engine/draftmodel.h"
#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/plan/decodefloor.h"
#include "core/plan/evaluate.h"
#include "core/plan/payload.h"
#include "tests/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>

using namespace kv;

namespace {

Scenario of(const char *preset, const char *engine, std::int64_t gpus, std::int64_t tp = 1, std::int64_t pp = 1) {
    Scenario s = firstScenario();
    s.model = {preset, {}, {}, *presetModel(preset)};
    s.engine.id = engine;
    s.hardware.gpu = "h200-sxm-141gb";
    s.hardware.count = Count(gpus);
    if (std::string_view(engine) == "llama-cpp")
        s.parallel = {}; // splits by layers
    else
        s.parallel.tp = Count(tp), s.parallel.pp = Count(pp);
    s.workload = {Tokens(8192), Count(1), Tokens(0), {}};
    return s;
}

std::int64_t reported(const Plan &plan, std::string_view name) {
    for (const auto &[key, value] : plan.engine.values)
        if (const auto *number = std::get_if<std::int64_t>(&value); number && key == name)
            return *number;
    return -1;
}

} // namespace

class DraftLayersTest : public QObject {
    Q_OBJECT

private slots:
    void sglangCell_data();
    void sglangCell();
    void everyLayerHasAWindow_data();
    void everyLayerHasAWindow();
    void statesOfDraftsAreNamed_data();
    void statesOfDraftsAreNamed();
    void headsThatDoNotDivide_data();
    void headsThatDoNotDivide();
    void unlikeBlocks();
    void expertsOnTheHost_data();
    void expertsOnTheHost();
    void indexKeysInBytes();
    void draftsLikeWindows();
    void indexKeysOfTheirOwn();
    void faultsHoldForAMoment();
};

void DraftLayersTest::sglangCell_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<int>("tp");
    QTest::addColumn<int>("pp");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("expected");
    // int(cell * (1 + 1 / layers that attend)): 65,536 × 17 ÷ 16, 24,576 × 13 ÷ 12, 6,144 × 7 ÷ 6
    QTest::newRow("16 of 64 layers attend") << QByteArray("qwen3.5-27b") << 1 << 1 << QByteArray("cell_size_bytes") << qint64(69'632);
    QTest::newRow("12 of 48") << QByteArray("qwen3-next-80b-a3b") << 1 << 1 << QByteArray("cell_size_bytes") << qint64(26'624);
    QTest::newRow("6 of 52") << QByteArray("nemotron-3-nano-30b-a3b") << 1 << 1 << QByteArray("cell_size_bytes") << qint64(7'168);
    QTest::newRow("20 layers of a stage") << QByteArray("llama-3.1-70b") << 4 << 4 << QByteArray("cell_size_bytes") << qint64(21'504);
    // int(204800 * (1 + 1/40)) is 209919 in binary floating point.
    QTest::newRow("a byte lost as in the engine") << QByteArray("phi-4") << 1 << 1 << QByteArray("cell_size_bytes") << qint64(209'919);
    QTest::newRow("and the tokens") << QByteArray("phi-4") << 1 << 1 << QByteArray("max_total_num_tokens") << qint64(204'601);
    // 40 GiB ÷ (2,048 × (12 + 1 + 0.8 × 12))
    QTest::newRow("two pools") << QByteArray("gpt-oss-20b") << 1 << 1 << QByteArray("full_tokens") << qint64(927'943);
}

void DraftLayersTest::sglangCell() {
    QFETCH(QByteArray, preset);
    QFETCH(int, tp);
    QFETCH(int, pp);
    QFETCH(QByteArray, value);
    Scenario s = of(preset.constData(), "sglang", tp * pp, tp, pp);
    s.engine.options.set("draft_layers", std::int64_t{1});
    s.engine.options.set("available_kv_bytes", std::int64_t{40} << 30);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    QTEST(qint64(reported(plan, value.constData())), "expected");
}

void DraftLayersTest::everyLayerHasAWindow_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::newRow("textbook") << QByteArray("textbook");
    QTest::newRow("tensorrt-llm") << QByteArray("tensorrt-llm");
    QTest::newRow("vllm") << QByteArray("vllm");
}

// 32 layers of 4,096 bytes a token with a window of 4,096 tokens, and one more that keeps all 10,000.
void DraftLayersTest::everyLayerHasAWindow() {
    QFETCH(QByteArray, engine);
    Scenario s = of("mistral-7b-v0.1", engine.constData(), 1);
    s.workload.context = Tokens(10'000);
    s.engine.options.set("draft_layers", std::int64_t{1});
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    QCOMPARE(plan.kv.perToken, Bytes(33 * 4096));
    QCOMPARE(plan.kv.perSequence, Bytes(std::int64_t{32} * 4096 * 4096 + 4096 * 10'000));
}

void DraftLayersTest::statesOfDraftsAreNamed_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<bool>("named");
    for (const char *engine : {"sglang", "tensorrt-llm"}) {
        QTest::addRow("%s, states", engine) << QByteArray(engine) << QByteArray("qwen3-next-80b-a3b") << true;
        QTest::addRow("%s, none", engine) << QByteArray(engine) << QByteArray("llama-3.1-8b") << false;
    }
}

void DraftLayersTest::statesOfDraftsAreNamed() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, preset);
    Scenario s = of(preset.constData(), engine.constData(), 2, 2);
    s.engine.options.set("draft_layers", std::int64_t{1});
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    QTEST(std::ranges::find(plan.warnings, "draft-states-not-counted", &Note::code) != plan.warnings.end(), "named");
    QTEST(plan.fit.uncertain, "named");
}

void DraftLayersTest::headsThatDoNotDivide_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<int>("tp");
    QTest::addColumn<bool>("starts");
    QTest::newRow("10 heads over 4") << QByteArray("phi-4") << 4 << false;
    QTest::newRow("10 heads over 2") << QByteArray("phi-4") << 2 << true;
    QTest::newRow("8 heads over 5") << QByteArray("qwen2.5-14b") << 5 << false;
    QTest::newRow("8 heads over 8") << QByteArray("qwen2.5-14b") << 8 << true;
    QTest::newRow("8 heads over 16, copied") << QByteArray("llama-3.1-70b") << 16 << true;
}

void DraftLayersTest::headsThatDoNotDivide() {
    QFETCH(QByteArray, preset);
    QFETCH(int, tp);
    const Plan plan = evaluate(of(preset.constData(), "sglang", tp, tp));
    QTEST(plan.ok(), "starts");
    if (!plan.ok())
        QCOMPARE(plan.refusal->code, std::string("impossible-parallel"));
}

// The first 27 of 80 layers alone take 42,656,907,264 bytes (feed-forwards of many widths, attention left out of many), more than the card has.
void DraftLayersTest::unlikeBlocks() {
    Scenario s = of("llama-3.3-nemotron-super-49b-v1.5", "llama-cpp", 3);
    s.hardware.gpu = "a100-sxm-40gb";
    Json split = Json::array();
    for (int i = 0; i < 3; ++i)
        split.push(std::int64_t{1});
    s.engine.options.set("tensor_split", std::move(split));
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    QVERIFY(!plan.fit.fits);
    const std::int64_t first = plan.gpus.front().weights.value;
    QVERIFY2(std::abs(first - 42'656'907'264) < 1'000'000, std::to_string(first).c_str()); // norms, of no layer in particular, lie evenly
}

void DraftLayersTest::expertsOnTheHost_data() {
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<int>("layers");
    QTest::addColumn<qint64>("host"); ///< embedding and experts
    // Layers 0 to 2 are dense: of five two have experts, 22,548,578,304 bytes each in 16 bit.
    QTest::newRow("three dense layers") << QByteArray("deepseek-v3") << 5 << qint64(2 * 22'548'578'304 + 1'853'358'080);
    QTest::newRow("one dense layer") << QByteArray("deepseek-v2-lite") << 1 << qint64(419'430'400);
}

void DraftLayersTest::expertsOnTheHost() {
    QFETCH(QByteArray, preset);
    QFETCH(int, layers);
    Scenario s = of(preset.constData(), "llama-cpp", 8);
    s.engine.options.set("n_cpu_moe", std::int64_t{layers});
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    QVERIFY(plan.host);
    QTEST(qint64(plan.host->weights.value), "host");
}

// DeepSeek V3.2 in vLLM: 128 bytes and a scale of four a token and layer for the keys of all tokens, the latents of 2,048 chosen ones.
void DraftLayersTest::indexKeysInBytes() {
    Scenario s = of("deepseek-v3.2", "vllm", 8, 8);
    s.workload = {Tokens(32'768), Count(4), Tokens(0), {}};
    const Plan plan = evaluate(s);
    const auto floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->cacheRead, Bytes(std::int64_t{4} * 61 * (32'768 * 132 + 2'048 * 1'152)));
}

// A draft of windows, chunks or compressed entries is told apart by the last shape that has them, whatever states stand beside.
void DraftLayersTest::draftsLikeWindows() {
    const CachePart state = RecurrentState{.family = StateFamily::Mamba2, .kernel = 4, .convChannels = 8, .heads = 1, .headRows = 4, .headColumns = 4};
    const CachePart parts[]{SlidingWindow{{2, 64, 64}, Tokens(128)}, ChunkedAttention{{2, 64, 64}, Tokens(128)}, CompressedAttention{4, 64, 16, Tokens(128), 0}};
    for (const CachePart &part : parts)
        for (const bool first : {false, true}) {
            ModelSpec spec;
            spec.addLayer({first ? part : state});
            spec.addLayer({first ? state : part});
            const std::vector<PartTerms> list = Payload(spec, {}, 1).derivation(Tokens(10));
            QCOMPARE(list.size(), std::size_t(3));
            QCOMPARE(int(list.back().shape), first ? 0 : 1);
            QCOMPARE(list.back().layers, std::int64_t(1));
        }
}

// GLM-5.2's last layers share the choice of others, its drafter chooses for itself: told apart by a layer that has keys.
void DraftLayersTest::indexKeysOfTheirOwn() {
    Scenario s = of("glm-5.2", "sglang", 16, 16);
    s.engine.options.set("draft_layers", std::int64_t{1});
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    const PartTerms &last = plan.derivation.back();
    QCOMPARE(last.kind, CacheKind::Index);
    QCOMPARE(last.layers, std::int64_t(1));
    QCOMPARE(kindOf(plan.model->shapes[last.shape].parts[last.part]), CacheKind::Index);
}

// What could not be read is not looked for again for two seconds; what was read stays as it is.
void DraftLayersTest::faultsHoldForAMoment() {
    const QTemporaryDir folder;
    const std::string name = folder.path().toStdString() + "/draft";
    QVERIFY(!draftModel(name));
    std::filesystem::create_directory(name);
    std::ofstream(name + "/config.json") << R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 2,
        "intermediate_size": 512, "vocab_size": 1000, "max_position_embeddings": 2048, "torch_dtype": "bfloat16"})";
    QVERIFY(!draftModel(name));
    QTest::qWait(2200);
    const auto model = draftModel(name);
    QVERIFY(model);
    QTest::qWait(2200);
    QCOMPARE(draftModel(name)->get(), model->get()); // the same, not read anew
}

KV_TEST(DraftLayersTest)
#include "draftlayerstest.moc"
