// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/engine/engines.h"
#include "core/model/catalogue.h"
#include "core/model/ggufmodel.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/plan/solve.h"
#include "core/report/plantext.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kv;

// What llama.cpp's split over several cards means for each of them, worked out by hand from its layers.
class LlamaCppTest : public QObject {
    Q_OBJECT

private slots:
    void fullestCard_data();
    void fullestCard();
    void unlikeCardsByTheirNames();
    void hostMemory_data();
    void hostMemory();
    void tokensAreCells();
    void weightsInGguf_data();
    void weightsInGguf();
    void bytesByHandAreWhatIsLoaded();
    void inputsOfAPipeline_data();
    void inputsOfAPipeline();
    void copiesAreRefused();
    void allOfADraft();
    void refusedHasNoTotal();
    void zeroIsTheTrainedLength();
    void filesKeepTheirDrafts();
    void partsOutsideTheTrunk();
    void partsOfDrafts();
    void whatPartsAreCutBy();
    void tableAsTheHead();
    void halfOfAnOddCheckpoint();
};

namespace {

Scenario eightB(const std::vector<Device> &devices) {
    Scenario s = firstScenario();
    s.model = {"llama-3.1-8b", {}, {}, presetModel("llama-3.1-8b").value.value_or(nullptr)};
    s.engine = {"llama-cpp", Json::object()};
    s.parallel = {};
    s.workload.context = Tokens(4096);
    s.workload.sequences = Count(4);
    s.hardware.devices = devices;
    s.hardware.count = Count(0);
    for (const Device &device : devices)
        s.hardware.count = Count(s.hardware.count.value + device.count.value);
    s.hardware.gpu = devices.front().gpu;
    return s;
}

constexpr qint64 cellOfLayer = 2 * 8 * 128 * 2; // key and value of 8 heads, 16 bit

} // namespace

void LlamaCppTest::fullestCard_data() {
    QTest::addColumn<QStringList>("cards");
    QTest::addColumn<bool>("onHost");
    QTest::addColumn<qint64>("layers"); // of 32, on the card that has most of them; the output matrix takes a place of its own
    const QString big = QStringLiteral("rtx-4090-24gb"), small = QStringLiteral("rtx-3060-12gb");
    QTest::newRow("one card") << QStringList{big} << false << qint64(32);
    QTest::newRow("two alike: 17 and 15 with the output") << QStringList{big, big} << false << qint64(17);
    QTest::newRow("three alike: 11, 11 and 10") << QStringList{big, big, big} << false << qint64(11);
    QTest::newRow("24, 12 and 12 GB: half of 33 places") << QStringList{big, small, small} << false << qint64(17);
    QTest::newRow("on the host") << QStringList{big, big} << true << qint64(0);
}

void LlamaCppTest::fullestCard() {
    QFETCH(QStringList, cards);
    QFETCH(bool, onHost);
    QFETCH(qint64, layers);
    std::vector<Device> devices;
    for (const QString &card : cards)
        devices.push_back({card.toStdString(), Count(1)});
    Scenario s = eightB(devices);
    s.engine.options.set("no_kv_offload", onHost);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(qint64(plan.kv.perSequencePerGpu.value), layers * 4096 * cellOfLayer);
    QCOMPARE(qint64(plan.kv.perTokenPerGpu.value), layers * cellOfLayer);
    Bytes fullest;
    for (const GpuPlan &gpu : plan.gpus)
        fullest = std::max(fullest, gpu.kv);
    QCOMPARE(qint64(plan.kv.perSequencePerGpu.value) * 4, qint64(fullest.value)); // the bars say the same
}

void LlamaCppTest::unlikeCardsByTheirNames() {
    const Scenario s = eightB({{"rtx-4090-24gb", Count(1)}, {"rtx-3060-12gb", Count(2)}});
    for (const Question question : {Question::Users, Question::Context}) {
        const Solution solution = solve(s, question);
        QVERIFY(!solution.refusal);
        const QString sentence = QString::fromStdString(solution.sentence);
        QVERIFY2(sentence.contains(QStringLiteral("4090")) && sentence.contains(QStringLiteral("2 × ")) && sentence.contains(QStringLiteral("3060")), qPrintable(sentence));
        QVERIFY2(!sentence.contains(QStringLiteral("3 × ")), qPrintable(sentence));
    }
}

void LlamaCppTest::hostMemory_data() {
    QTest::addColumn<bool>("cacheThere");
    QTest::addColumn<qint64>("memory"); // 0: not said
    QTest::addColumn<bool>("fits");
    QTest::addColumn<bool>("warned");
    // The embeddings of 128,256 × 4,096 in 16 bit are always there: 1,050,673,152 bytes; the cache of 4 × 4,096 tokens is 2 GiB.
    constexpr qint64 embeddings = qint64(128'256) * 4'096 * 2, cache = 32 * 4 * 4096 * cellOfLayer;
    QTest::newRow("nothing there but the embeddings") << false << qint64(0) << true << false;
    QTest::newRow("a cache, and nothing said") << true << qint64(0) << true << true;
    QTest::newRow("exactly enough") << true << embeddings + cache << true << false;
    QTest::newRow("a byte too few") << true << embeddings + cache - 1 << false << false;
    QTest::newRow("not even the embeddings") << false << embeddings - 1 << false << false;
}

void LlamaCppTest::hostMemory() {
    QFETCH(bool, cacheThere);
    QFETCH(qint64, memory);
    QFETCH(bool, fits);
    QFETCH(bool, warned);
    Scenario s = eightB({{"rtx-4090-24gb", Count(1)}});
    s.engine.options.set("no_kv_offload", cacheThere);
    if (memory > 0)
        s.engine.options.set("host_memory_bytes", std::int64_t{memory});
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(plan.fit.fits, fits);
    QCOMPARE(plan.fit.limit.find("host") != std::string::npos, !fits);
    QCOMPARE(std::ranges::any_of(plan.warnings, [](const Note &note) { return note.code == "host-not-checked"; }), warned);
    QVERIFY(plan.host && plan.host->memory.has_value() == (memory > 0));
}

// The engine sets up what it was told, however much more would fit: the figure goes by that name.
void LlamaCppTest::tokensAreCells() {
    const Scenario s = eightB({{"rtx-4090-24gb", Count(1)}});
    const Plan plan = evaluate(s);
    QCOMPARE(plan.fit.kvCapacityTokens, std::optional<std::int64_t>(4 * 4096));
    QVERIFY(planText(s, plan, SizeUnit::Decimal).find("n_ctx)") != std::string::npos);
    QVERIFY(planText(s, plan, SizeUnit::Decimal).find("Tokens that the room holds") == std::string::npos);
}

void LlamaCppTest::weightsInGguf_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<double>("billions"); ///< elements in GPUs and host, two bytes each; 0: refused; -1: as stored
    // 671.03 × 10^9 parameters without the layer of multi-token prediction, which the converter of DeepSeek V3 drops.
    QTest::newRow("FP8 becomes 16 bit, drafts are dropped") << QStringLiteral("deepseek-v3") << QString() << 671.03;
    QTest::newRow("FP8 alone") << QStringLiteral("qwen3-32b-fp8") << QString() << 32.76;
    QTest::newRow("FP8 by hand") << QStringLiteral("qwen3-32b") << QStringLiteral("fp8") << 0.0;
    QTest::newRow("INT4 of AWQ by hand") << QStringLiteral("qwen3-32b") << QStringLiteral("int4") << 0.0;
    QTest::newRow("16 bit") << QStringLiteral("qwen3-32b") << QStringLiteral("bf16") << 32.76;
    QTest::newRow("MXFP4 is a type of GGUF") << QStringLiteral("gpt-oss-20b") << QString() << -1.0;
}

void LlamaCppTest::weightsInGguf() {
    QFETCH(QString, model);
    QFETCH(QString, dtype);
    QFETCH(double, billions);
    Scenario s = eightB({{"h200-sxm-141gb", Count(16)}});
    s.hardware.devices.clear();
    s.model = {model.toStdString(), {}, {}, presetModel(model.toStdString()).value.value_or(nullptr)};
    s.weights.dtype = dtype.toStdString();
    const Plan plan = evaluateHere(s);
    QCOMPARE(plan.ok(), billions != 0);
    if (!plan.ok()) {
        QCOMPARE(QString::fromStdString(plan.refusal->code), QStringLiteral("type-not-taken"));
        QVERIFY2(plan.refusal->text.find("q8_0") != std::string::npos, plan.refusal->text.c_str());
        return;
    }
    Bytes held = plan.host ? plan.host->weights : Bytes(0);
    for (const GpuPlan &gpu : plan.gpus)
        held += gpu.weights;
    const bool converted = std::ranges::any_of(plan.warnings, [](const Note &note) { return note.code == "weights-converted"; });
    QCOMPARE(converted, billions > 0 && dtype.isEmpty());
    if (billions > 0)
        QVERIFY2(std::abs(static_cast<double>(held.value) / 2e9 / billions - 1) < 0.002, QByteArray::number(qint64(held.value)));
    else
        QVERIFY(std::abs(static_cast<double>(held.value) / static_cast<double>(plan.weights.total.value) - 1) < 0.001);
}

// A file's size by hand holds no layers that its converter dropped: nothing is taken off it.
void LlamaCppTest::bytesByHandAreWhatIsLoaded() {
    for (const char *engine : {"llama-cpp", "transformers"}) {
        Scenario s = eightB({{"h200-sxm-141gb", Count(8)}});
        s.hardware.devices.clear();
        s.model = {"deepseek-v3", {}, {}, presetModel("deepseek-v3").value.value_or(nullptr)};
        s.engine.id = engine;
        s.weights.bytes = Bytes(400'000'000'000);
        const Plan plan = evaluateHere(s);
        QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
        Bytes held = plan.host ? plan.host->weights : Bytes(0);
        for (const GpuPlan &gpu : plan.gpus)
            held += gpu.weights;
        QVERIFY2(std::abs(static_cast<double>(held.value) - 400e9) < 1e5, QByteArray::number(qint64(held.value)));
    }
}

void LlamaCppTest::inputsOfAPipeline_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<int>("cards");
    QTest::addColumn<qint64>("more"); ///< than one card has, in bytes
    // Masks of 2 B a cell and embeddings of 4 B an element, 512 tokens, three more of each: 4 slots of 4,096 cells have a mask of 4,096 cells.
    const qint64 further = 3LL * 512 * (2 * 4096 + 4 * 4096);
    QTest::newRow("one card") << QStringLiteral("{}") << 1 << qint64(0);
    QTest::newRow("two in a pipeline") << QStringLiteral("{}") << 2 << further;
    QTest::newRow("a layer on the host") << QStringLiteral(R"({"n_gpu_layers": 32})") << 2 << qint64(0);
    QTest::newRow("the cache on the host") << QStringLiteral(R"({"no_kv_offload": true})") << 2 << qint64(0);
    QTest::newRow("experts on the host") << QStringLiteral(R"({"n_cpu_moe": 1})") << 2 << qint64(0);
}

void LlamaCppTest::inputsOfAPipeline() {
    QFETCH(QString, options);
    QFETCH(int, cards);
    QFETCH(qint64, more);
    Scenario s = eightB({{"h100-sxm-80gb", Count(1)}});
    s.hardware.devices.clear();
    const Bytes one = evaluateHere(s).gpus.front().overhead;
    s.hardware.count = Count(cards);
    s.engine.options = *parseJson(options.toStdString(), "t").value;
    const Plan plan = evaluateHere(s);
    QVERIFY(plan.ok());
    QCOMPARE(qint64((plan.gpus.front().overhead - one).value), more);
}

void LlamaCppTest::copiesAreRefused() {
    for (const auto &[pp, dp] : {std::pair(2, 1), std::pair(1, 2)}) {
        Scenario s = eightB({{"h100-sxm-80gb", Count(1)}});
        s.hardware.devices.clear();
        s.hardware.count = Count(2);
        s.parallel.tp = Count(1);
        s.parallel.pp = Count(pp);
        s.parallel.dp = Count(dp);
        QVERIFY(!fitsAt(s, Tokens(256), Count(1)));
    }
}

void LlamaCppTest::allOfADraft() {
    Scenario s = eightB({{"h100-sxm-80gb", Count(1)}}); // 4 sequences of 4096
    s.engine.options = *parseJson(R"({"draft_model": "llama-3.2-1b"})", "t").value;
    const Deployed ready = deploy(s);
    QVERIFY(!ready.refusal);
    // 32 layers of the model and 16 of the draft, 8 heads of 64: half a cell each
    const qint64 all = (32 * cellOfLayer + 16 * cellOfLayer / 2) * 4 * 4096;
    QCOMPARE(qint64(ready.engine->totalKv(ready.deployment).value), all);
}

void LlamaCppTest::refusedHasNoTotal() {
    Scenario s = eightB({{"h100-sxm-80gb", Count(1)}});
    s.workload.sequences = Count(257);
    const Deployed ready = deploy(s);
    QVERIFY(!ready.refusal);
    QVERIFY(!ready.engine->totalKv(ready.deployment).inRange());
}

// n_ctx 0 asks for the trained length; where none is known there is nothing to plan, and not a cache of no bytes.
void LlamaCppTest::zeroIsTheTrainedLength() {
    Scenario s = eightB({{"h100-sxm-80gb", Count(1)}});
    s.engine.options.set("n_ctx", 0);
    ModelSpec spec = *s.model.spec;
    spec.maxContext.reset();
    spec.source.reset();
    s.model.spec = std::make_shared<const ModelSpec>(spec);
    const Plan plan = evaluate(s);
    QVERIFY(plan.refusal);
    QCOMPARE(QString::fromStdString(plan.refusal->where), QStringLiteral("engine.options.n_ctx"));
}

void LlamaCppTest::filesKeepTheirDrafts() {
    const Engine &llama = *findEngine("llama-cpp");
    ModelSpec model;
    model.modelType = "deepseek_v3";
    QVERIFY(!llama.loadsDrafts(model)); // the converter drops them
    model.modelType = "glm4_moe_lite";
    QVERIFY(llama.loadsDrafts(model));
    model.modelType = "deepseek2";
    model.sourceIsGguf = true;
    QVERIFY(llama.loadsDrafts(model)); // what a file holds is loaded
}

namespace {

/// A file of `blocks` blocks, the last `drafts` of them of multi-token prediction. No head, so that the table is it.
std::shared_ptr<ModelSpec> smallFile(std::int64_t blocks, std::int64_t drafts, std::int64_t vocabulary = 1000) {
    Json metadata = *parseJson(R"({"general.architecture": "glm4moe",
        "glm4moe.context_length": 4096, "glm4moe.embedding_length": 1024, "glm4moe.feed_forward_length": 2048,
        "glm4moe.attention.head_count": 8, "glm4moe.attention.head_count_kv": 4, "glm4moe.attention.key_length": 128,
        "glm4moe.attention.value_length": 128, "glm4moe.expert_count": 8, "glm4moe.expert_used_count": 2,
        "glm4moe.expert_feed_forward_length": 256, "glm4moe.leading_dense_block_count": 1})", "t").value;
    metadata.set("glm4moe.block_count", blocks);
    metadata.set("glm4moe.nextn_predict_layers", drafts);
    metadata.set("glm4moe.vocab_size", vocabulary);
    return std::make_shared<ModelSpec>(*(*readGgufMetadata(metadata, "small", "small.gguf").value));
}

using List = std::vector<qint64>;

/// What each of so many cards has of these weights: a block each where there is a card more than blocks, the output on the last.
List onCards(std::int64_t cards, const std::shared_ptr<ModelSpec> &model, const std::vector<WeightPart> &parts, const WeightsChoice &choice) {
    model->weights.parts = parts;
    model->weights.stored = Bytes(0);
    model->weights.allElements = 0;
    for (const WeightPart &part : parts) {
        model->weights.stored += part.stored;
        model->weights.allElements += part.elements;
    }
    model->weights.source = WeightSource::GgufTable;
    Scenario s = eightB({{"h100-sxm-80gb", Count(cards)}});
    s.model = {{}, {}, {}, model};
    s.weights = choice;
    List weights;
    for (const GpuPlan &gpu : evaluateHere(s).gpus)
        weights.push_back(qint64(gpu.weights.value));
    return weights;
}

} // namespace

// 3 layers and one of multi-token prediction in the file, on 5 cards: a block each, the output on the last.
void LlamaCppTest::partsOutsideTheTrunk() {
    const auto weightsOf = [](const WeightPart &part) {
        WeightsChoice choice;
        choice.bytes = part.stored;
        return onCards(5, smallFile(4, 1), {part}, choice);
    };
    // No layer named: the trunk's three alike, and of a rest of two so much by each block that the sum is floor(2 × blocks ÷ 3): 0, 1, 2.
    QCOMPARE(weightsOf({WeightPartKind::Norms, -1, 1, 3000, Bytes(3000), false}), (List{1000, 1000, 1000, 0, 0}));
    QCOMPARE(weightsOf({WeightPartKind::Norms, -1, 1, 3002, Bytes(3002), false}), (List{1000, 1001, 1001, 0, 0}));
    // Layers that run beyond the blocks (a T5 decoder deeper than block_count): cut to those there are.
    QCOMPARE(weightsOf({WeightPartKind::Norms, 2, 5, 2000, Bytes(2000), false}), (List{0, 0, 1000, 1000, 0}));
    QCOMPARE(weightsOf({WeightPartKind::Norms, 9, 1, 1000, Bytes(1000), false}), (List{0, 0, 0, 1000, 0}));
}

// All that only drafts lies behind the trunk; in a file that does not say how many blocks do, in its last.
void LlamaCppTest::partsOfDrafts() {
    const auto weightsOf = [](std::int64_t drafts) {
        WeightsChoice choice;
        choice.bytes = Bytes(1000);
        return onCards(6, smallFile(5, drafts), {{WeightPartKind::Draft, -1, 1, 1000, Bytes(1000), false}}, choice);
    };
    QCOMPARE(weightsOf(2), (List{0, 0, 0, 500, 500, 0}));
    QCOMPARE(weightsOf(1), (List{0, 0, 0, 0, 1000, 0}));
    QCOMPARE(weightsOf(0), (List{0, 0, 0, 0, 1000, 0}));
}

// 1,000 numbers in 32 bit and as many in 8 bit, in a block each.
void LlamaCppTest::whatPartsAreCutBy() {
    const std::vector<WeightPart> unlike{{WeightPartKind::Norms, 0, 1, 1000, Bytes(4000), false}, {WeightPartKind::Norms, 1, 1, 1000, Bytes(1000), false}};
    WeightsChoice choice;
    QCOMPARE(onCards(3, smallFile(2, 0), unlike, choice), (List{4000, 1000, 0})); // as stored
    choice.dtype = "bf16";
    QCOMPARE(onCards(3, smallFile(2, 0), unlike, choice), (List{2000, 2000, 0})); // as the type has them
    choice.bytes = Bytes(10'000);
    QCOMPARE(onCards(3, smallFile(2, 0), unlike, choice), (List{8000, 2000, 0})); // bytes by hand are of the file as it is
    const std::vector<WeightPart> bare{{WeightPartKind::Norms, 0, 1, 3000, Bytes(0), false}, {WeightPartKind::Norms, 1, 1, 1000, Bytes(0), false}};
    QCOMPARE(onCards(3, smallFile(2, 0), bare, choice), (List{7500, 2500, 0})); // by elements where no bytes are known
    // Parts that are not the whole are not typed one by one: 4,500 numbers in 32 bit, cut by the elements of the parts, 3 to 1.
    auto model = smallFile(2, 0);
    model->weights.parts = bare;
    model->weights.allElements = 4500;
    model->weights.stored = Bytes(9000);
    model->weights.source = WeightSource::GgufTable;
    Scenario s = eightB({{"h100-sxm-80gb", Count(3)}});
    s.model = {{}, {}, {}, model};
    s.weights.dtype = "f32";
    const Plan plan = evaluateHere(s);
    QCOMPARE(qint64(plan.weights.total.value), 18'000);
    QCOMPARE(qint64(plan.gpus[0].weights.value), 13'500);
    QCOMPARE(qint64(plan.gpus[1].weights.value), 4'500);
}

// The table of 1,000 numbers that lies on the host, once more as the head: only where the model has no head and is tied, and all of the table
// where the vocabulary is not known.
void LlamaCppTest::tableAsTheHead() {
    const WeightPart table{WeightPartKind::Embedding, -1, 1, 1000, Bytes(1000), false}, head{WeightPartKind::Head, -1, 1, 1000, Bytes(1000), false};
    const auto last = [](const std::vector<WeightPart> &parts, bool tied, std::int64_t vocabulary) {
        const auto model = smallFile(2, 0, vocabulary);
        model->tiedEmbeddings = tied;
        return onCards(3, model, parts, {}).back();
    };
    QCOMPARE(last({table}, true, 1000), qint64(1000));
    QCOMPARE(last({table}, true, 0), qint64(1000));
    QCOMPARE(last({table}, false, 1000), qint64(0));
    QCOMPARE(last({table, head}, true, 1000), qint64(1000));
}

// The converter makes 16 bit of a checkpoint in 32: of an odd number of bytes (a tensor in 8 bit among them) the larger half.
void LlamaCppTest::halfOfAnOddCheckpoint() {
    Scenario s = eightB({{"h100-sxm-80gb", Count(1)}});
    auto model = std::make_shared<ModelSpec>(*s.model.spec);
    model->dtype = ElementType::Fp32;
    model->weights = {};
    model->weights.parts = {{WeightPartKind::Head, -1, 1, 501, Bytes(2001), false}};
    model->weights.stored = Bytes(2001);
    model->weights.source = WeightSource::SafetensorsHeaders;
    model->weights.scheme = "FP32";
    s.model = {{}, {}, {}, model};
    QCOMPARE(qint64(evaluateHere(s).gpus.front().weights.value), qint64(1001));
}

KV_TEST(LlamaCppTest)
#include "llamacpptest.moc"
