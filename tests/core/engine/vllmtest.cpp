// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of vLLM that are worked out by hand; longer than other files, since the tables are and not the checks.
#include "core/base/json.h"
#include "core/engine/vllm/packed.h"
#include "core/engine/vllm/pages.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "tests/core/engine/vllmmodels.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kv;
using namespace kv::test;

namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

bool warns(const Plan &plan, std::string_view code) {
    return std::ranges::any_of(plan.warnings, [&](const Note &note) { return note.code == code; });
}

} // namespace

class VllmTest : public QObject {
    Q_OBJECT

private slots:
    void displayBeyondTheWithheldShare();
    void bytesOfAHead_data();
    void bytesOfAHead();
    void groups_data();
    void groups();
    void releasesSayOtherFigures_data();
    void releasesSayOtherFigures();
    void startUpErrorOfDeepSeekV4();
    void sharedPrefix();
    void budgetAddsUp();
    void pipelineStages();
    void modesOverruled_data();
    void modesOverruled();
    void wholeExperts_data();
    void wholeExperts();
    void turboQuantKeepsTheEdges();
    void statesFollowTheSettings_data();
    void statesFollowTheSettings();
    void chunksSwitchTheManagerOff();
    void fewestGpusAreTheFewest_data();
    void fewestGpusAreTheFewest();
    void longestContextIsTheLongest_data();
    void longestContextIsTheLongest();
    void refused_data();
    void refused();
    void widthOfExpertsByTheirMatrices();
};

// K and V of one token and head of 128, both in the type.
void VllmTest::bytesOfAHead_data() {
    QTest::addColumn<ElementType>("type");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("BF16") << ElementType::Bf16 << qint64(512);
    QTest::newRow("FP8, no scale a token") << ElementType::Fp8 << qint64(256);
    QTest::newRow("INT8 with two scales") << ElementType::Int8PerTokenHead << qint64(264);
    QTest::newRow("INT4 with two scales") << ElementType::Int4PerTokenHead << qint64(136);
    QTest::newRow("NVFP4") << ElementType::Nvfp4 << qint64(144);
    QTest::newRow("TurboQuant K8 V4") << ElementType::TurboK8v4 << qint64(196);
    QTest::newRow("TurboQuant 4 bit") << ElementType::Turbo4bitNc << qint64(134);
    QTest::newRow("TurboQuant K3 V4") << ElementType::TurboK3v4Nc << qint64(118);
    QTest::newRow("TurboQuant 3 bit") << ElementType::Turbo3bitNc << qint64(102);
}

void VllmTest::bytesOfAHead() {
    QFETCH(ElementType, type);
    QFETCH(qint64, bytes);
    QCOMPARE(vllm::headBytes(128, 128, type), bytes);
    QCOMPARE(vllm::latentBytes({512, 64, {}}, ElementType::Fp8DsMla), 656);
    QCOMPARE(vllm::indexBytes(128), 132);
}

void VllmTest::groups_data() {
    using Sizes = std::vector<std::int64_t>;
    QTest::addColumn<std::shared_ptr<ModelSpec>>("model");
    QTest::addColumn<int>("drafts");
    QTest::addColumn<Sizes>("sizes");
    QTest::addColumn<Sizes>("blocks");
    QTest::addColumn<qint64>("page");
    QTest::newRow("one kind") << llama8b() << 0 << Sizes{32} << Sizes{16} << qint64(65536);
    QTest::newRow("5 to 1, short groups first")
        << gemma27b() << 0 << Sizes{9, 9, 9, 9, 8, 8, 10} << Sizes(7, 16) << qint64(131072);
    QTest::newRow("1 to 1") << gptOss20b() << 0 << Sizes{12, 12} << Sizes{16, 16} << qint64(32768);
    QTest::newRow("less than 1.5 apart: padded") << gptOss20b() << 1 << Sizes{12, 13} << Sizes{16, 16} << qint64(32768);
    QTest::newRow("1.5 apart: dealt") << gptOss20b() << 6 << Sizes{12, 9, 9} << Sizes{16, 16, 16} << qint64(32768);
    QTest::newRow("a block that holds a state")
        << qwen27b() << 0 << Sizes{16, 16, 16, 16} << Sizes{4096, 4096, 4096, 784} << qint64(3211264);
    QTest::newRow("latents and index keys: one block of both")
        << deepseekV3(true) << 0 << Sizes{122} << Sizes{64} << qint64(0);
    QTest::newRow("DeepSeek V4 drafts with a window")
        << deepseekV4() << 1 << Sizes{62, 22, 22, 42, 20} << Sizes{256, 64, 64, 4, 8} << qint64(0);
    QTest::newRow("DeepSeek V4") << deepseekV4() << 0 << Sizes{62, 22, 21, 42, 20} << Sizes{256, 64, 64, 4, 8}
                                 << qint64(0);
}

void VllmTest::groups() {
    QFETCH(std::shared_ptr<ModelSpec>, model);
    QFETCH(int, drafts);
    QFETCH(std::vector<std::int64_t>, sizes);
    QFETCH(std::vector<std::int64_t>, blocks);
    QFETCH(qint64, page);
    Scenario s = vllmScenario(model, 4096);
    set(s, "draft_layers", drafts);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(number(plan, "group_count"), static_cast<std::int64_t>(sizes.size()));
    QCOMPARE(numbers(plan, "group_sizes"), sizes);
    QCOMPARE(numbers(plan, "block_sizes"), blocks);
    QCOMPARE(number(plan, "page_size_bytes"), page);
}

// Gemma 3 27B with 30 GiB for the cache at 131,072 tokens: the same 24,576 blocks, printed as 56,160 tokens by one release and as 276,405 by
// another (vLLM 0.12 and 0.24, their code).
void VllmTest::releasesSayOtherFigures_data() {
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<double>("concurrency");
    QTest::newRow("blocks ÷ groups") << QByteArray("0.12") << qint64(56160) << 24576.0 / 11654;
    QTest::newRow("between two rows, as the earlier") << QByteArray("v0.16.2") << qint64(56160) << 24576.0 / 11654;
    QTest::newRow("from the concurrency") << QByteArray("0.24") << qint64(276405) << 24576.0 / 11654;
    QTest::newRow("one line for both") << QByteArray("0.28") << qint64(276405) << 24576.0 / 11654;
    // All 62 layers at full length: 30 GiB ÷ (62 × 131,072 bytes) = 3,963 blocks.
    QTest::newRow("before the groups") << QByteArray("0.9") << qint64(3963 * 16) << 3963.0 * 16 / 131072;
}

void VllmTest::releasesSayOtherFigures() {
    QFETCH(QByteArray, version);
    QFETCH(qint64, tokens);
    QFETCH(double, concurrency);
    Scenario s = vllmScenario(gemma27b(), 131072);
    set(s, "version", version.toStdString());
    set(s, "max_num_batched_tokens", 8192);
    set(s, "available_kv_bytes", 30 * gib);
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    QCOMPARE(number(plan, "logged_tokens"), tokens);
    QCOMPARE(engineValue<double>(plan, "max_concurrency"), concurrency);
}

// vllm-project/vllm#44376 (0.22, two GH200, in-process, batches of 16,384): "6.66 GiB KV cache is needed" for 30,000 tokens, with
// 5.44 GiB "the estimated maximum model length is 13528".
void VllmTest::startUpErrorOfDeepSeekV4() {
    Scenario s = vllmScenario(deepseekV4(), 30000);
    s.hardware.count = Count(2);
    set(s, "version", "0.22");
    set(s, "max_num_batched_tokens", 16384);
    set(s, "available_kv_bytes", std::int64_t{5'843'000'000}); // the log prints it as 5.44 GiB
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    QCOMPARE(plan.kv.perSequencePerGpu.value, 6800 * std::int64_t{1'051'776});
    QCOMPARE(qRound64(static_cast<double>(plan.kv.perSequencePerGpu.value) / static_cast<double>(gib) * 100), 666);
    QCOMPARE(number(plan, "estimated_max_model_len"), 13528);
    QVERIFY(!plan.fit.fits && warns(plan, "engine-does-not-start"));
    QCOMPARE(vllm::leastPadding({21, 43, 21, 20}, 21), 22);
    QCOMPARE(vllm::leastPadding({6, 6}, 2), 6); // of equals the larger
    // From 0.28 on a block is the largest group's pages: 21 × (37,440 + 8,640) + 20 × 1,728.
    set(s, "version", "0.28");
    const Plan packed = evaluate(s);
    QCOMPARE(packed.gpus.front().kvReserved.value % 1'002'240, 0);
}

void VllmTest::sharedPrefix() {
    Scenario s = vllmScenario(gemma27b(), 32768, 8);
    s.workload.sharedPrefix = Tokens(16390); // 1,024 whole blocks and a rest that nobody shares
    set(s, "max_num_batched_tokens", 8192);
    set(s, "available_kv_bytes", 30 * gib);
    Plan plan = evaluate(s);
    // 2,048 blocks of the full group and 6 × 577 of the windows a request: (24,576 − 1,024) ÷ (5,510 − 1,024)
    QCOMPARE(*plan.fit.maxSequences, 5);
    QCOMPARE(plan.kv.total.value, (1024 + 8 * (5510 - 1024)) * std::int64_t{131072} * 10);
    QVERIFY(!warns(plan, "prefix-not-shared"));
    set(s, "prefix_caching", false);
    plan = evaluate(s);
    QCOMPARE(*plan.fit.maxSequences, 24576 / 5510);
    QVERIFY(warns(plan, "prefix-not-shared"));
}

void VllmTest::budgetAddsUp() {
    Scenario s = vllmScenario(llama8b(), 8192, 4);
    s.hardware.memory = Bytes(80'000'000'001);
    set(s, "activation_bytes", 2'000'000'000);
    set(s, "non_torch_bytes", 300'000'000);
    set(s, "cuda_graph_bytes", 1'000'000'000);
    Plan plan = evaluate(s);
    const GpuPlan &gpu = plan.gpus.front();
    QCOMPARE(gpu.reserve.value, 80'000'000'001 - 73'600'000'001); // 0.92 of it, rounded up
    QCOMPARE(gpu.overhead.value, 3'300'000'000);
    QCOMPARE(gpu.free, gpu.memory - gpu.reserve - gpu.weights - gpu.overhead - gpu.kv);
    QCOMPARE(plan.fit.kvBudget, gpu.free + gpu.kv);
    QVERIFY(!plan.fit.estimate);
    set(s, "version", "0.20"); // graphs are captured outside the budget, and 0.90 is planned with
    plan = evaluate(s);
    QCOMPARE(plan.gpus.front().overhead.value, 2'300'000'000);
    QCOMPARE(plan.gpus.front().reserve.value, 8'000'000'000);
    // The activation peak printed for this model on an H100 (0.19, 8,192 tokens, 1,024 sequences) is 1.89 GiB, on one GPU and on four.
    for (const int tp : {1, 4}) {
        Scenario logged = vllmScenario(llama8b(), 8192);
        logged.hardware = {};
        logged.hardware.count = Count(tp);
        set(logged, "version", "0.19");
        set(logged, "non_torch_bytes", 0);
        const double peak =
            static_cast<double>(evaluate(logged).gpus.front().overhead.value) / static_cast<double>(gib);
        QVERIFY2(qAbs(peak - 1.89) < 0.1, qPrintable(QString::number(peak)));
    }
}

// 61 layers over 4 stages: 15, 15, 16, 15; the draft layer stands on the last.
void VllmTest::pipelineStages() {
    Scenario s = vllmScenario(deepseekV3(), 32768);
    s.hardware.count = Count(4);
    s.parallel = {Count(1), Count(4), Count(1), false};
    set(s, "available_kv_bytes", 40 * gib);
    Plan plan = evaluate(s);
    const std::int64_t page = 64 * 1152;
    QCOMPARE(number(plan, "num_gpu_blocks"), 40 * gib / (16 * page));
    QCOMPARE(plan.gpus[2].kv.value, 512 * 16 * page);
    QCOMPARE(plan.gpus[3].kv.value, 512 * 15 * page);
    set(s, "draft_layers", 1);
    plan = evaluate(s);
    QCOMPARE(plan.gpus[3].kv.value, 512 * 16 * page);
    set(s, "draft_layers", 0);
    set(s, "layer_partition", "16,16,16,13");
    plan = evaluate(s);
    QCOMPARE(plan.gpus[0].kv.value, 512 * 16 * page);
    QCOMPARE(plan.gpus[3].kv.value, 512 * 13 * page);
}

void VllmTest::modesOverruled_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("said"); ///< empty: nothing, the mode holds
    QTest::newRow("off: the last state alone") << QStringLiteral("qwen3.5-35b-a3b") << QStringLiteral(R"({"mamba_cache_mode": "all"})") << QStringLiteral("Without prefix caching");
    QTest::newRow("off, and none asked for") << QStringLiteral("qwen3.5-35b-a3b") << QStringLiteral(R"({"mamba_cache_mode": "none"})") << QString();
    QTest::newRow("on: this model can only align") << QStringLiteral("qwen3.5-35b-a3b") << QStringLiteral(R"({"prefix_caching": true, "mamba_cache_mode": "all"})") << QStringLiteral("mode align");
    QTest::newRow("on, and align asked for") << QStringLiteral("qwen3.5-35b-a3b") << QStringLiteral(R"({"prefix_caching": true, "mamba_cache_mode": "align"})") << QString();
    QTest::newRow("on, and nothing asked for") << QStringLiteral("qwen3.5-35b-a3b") << QStringLiteral(R"({"prefix_caching": true})") << QString();
    QTest::newRow("on: this model keeps all") << QStringLiteral("nemotron-h-56b") << QStringLiteral(R"({"prefix_caching": true, "mamba_cache_mode": "none"})") << QStringLiteral("mode all");
    QTest::newRow("no states, no matter") << QStringLiteral("llama-3.1-70b") << QStringLiteral(R"({"mamba_cache_mode": "all"})") << QString();
}

// vLLM models/config.py, MambaModelConfig.verify_and_update_config.
void VllmTest::modesOverruled() {
    QFETCH(QString, model);
    QFETCH(QString, options);
    QFETCH(QString, said);
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel(model.toStdString());
    s.engine = {"vllm", *parseJson(options.toStdString(), "t").value};
    s.workload = {Tokens(8192), Count(1), Tokens(0), {}};
    const Plan plan = evaluateHere(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    const auto note = std::ranges::find(plan.warnings, std::string("state-mode-ignored"), &Note::code);
    QCOMPARE(note != plan.warnings.end(), !said.isEmpty());
    if (note != plan.warnings.end())
        QVERIFY2(QString::fromStdString(note->text).contains(said), note->text.c_str());
}

void VllmTest::wholeExperts_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<qint64>("tp");
    QTest::addColumn<qint64>("dp");
    QTest::addColumn<qint64>("layers");
    QTest::addColumn<qint64>("elements"); ///< of one expert in one layer
    QTest::addColumn<double>("more");     ///< experts of a layer on the fullest GPU beyond an even share
    QTest::newRow("8 over 16: one, not a half") << QStringLiteral("mixtral-8x7b") << qint64(8) << qint64(2) << qint64(32) << qint64(3) * 4096 * 14336 << 0.5;
    QTest::newRow("8 over 8") << QStringLiteral("mixtral-8x7b") << qint64(4) << qint64(2) << qint64(32) << qint64(3) * 4096 * 14336 << 0.0;
    QTest::newRow("128 over 12: 11") << QStringLiteral("qwen3-235b-a22b") << qint64(4) << qint64(3) << qint64(94) << qint64(3) * 4096 * 1536 << 11 - 128.0 / 12;
}

// Dealt whole, experts do not always come out even; cut, they do.
void VllmTest::wholeExperts() {
    QFETCH(QString, model);
    QFETCH(qint64, tp);
    QFETCH(qint64, dp);
    QFETCH(qint64, layers);
    QFETCH(qint64, elements);
    QFETCH(double, more);
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel(model.toStdString());
    s.engine = {"vllm", Json::object()};
    s.workload = {Tokens(8192), Count(1), Tokens(0), {}};
    s.hardware.count = Count(tp * dp);
    s.parallel.tp = Count(tp);
    s.parallel.dp = Count(dp);
    const Bytes cut = evaluateHere(s).weights.perGpu;
    s.parallel.expertParallel = true;
    const Bytes dealt = evaluateHere(s).weights.perGpu;
    QVERIFY2(std::abs(static_cast<double>((dealt - cut).value) - more * 2 * static_cast<double>(layers * elements)) < 4, QByteArray::number(qint64((dealt - cut).value)));
}

void VllmTest::turboQuantKeepsTheEdges() {
    Scenario s = vllmScenario(llama8b(), 131072);
    s.kv = {ElementType::Turbo4bitNc, ElementType::Turbo4bitNc};
    const Plan plan = evaluate(s);
    QCOMPARE(plan.kv.perTokenPerGpu.value, 4 * 4096 + 28 * 8 * 134);
    QCOMPARE(number(plan, "group_count"), 1);
}

// Rows of states of a request: the last one; with prefix caching two, and one for each token drafted ahead. The block that holds a state of
// FP32: 784 tokens; in 16 bit 400; with three columns more 800.
void VllmTest::statesFollowTheSettings_data() {
    QTest::addColumn<bool>("caching");
    QTest::addColumn<int>("drafted");
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<qint64>("block");
    QTest::addColumn<qint64>("rows");
    QTest::newRow("as the model asks") << false << 0 << QByteArray() << qint64(784) << qint64(1);
    QTest::newRow("prefix caching") << true << 0 << QByteArray() << qint64(784) << qint64(2);
    QTest::newRow("drafted ahead") << true << 3 << QByteArray() << qint64(800) << qint64(5);
    QTest::newRow("in 16 bit") << false << 0 << QByteArray("bfloat16") << qint64(400) << qint64(1);
}

void VllmTest::statesFollowTheSettings() {
    QFETCH(bool, caching);
    QFETCH(int, drafted);
    QFETCH(QByteArray, type);
    QFETCH(qint64, block);
    QFETCH(qint64, rows);
    Scenario s = vllmScenario(qwen27b(), 262144);
    set(s, "prefix_caching", caching);
    set(s, "speculative_tokens", drafted);
    if (!type.isEmpty())
        set(s, "mamba_ssm_cache_dtype", type.toStdString());
    const Plan plan = evaluate(s);
    QCOMPARE(numbers(plan, "block_sizes").back(), block);
    const std::int64_t blocks = (262144 + block - 1) / block + 3 * rows;
    QCOMPARE(plan.kv.perSequencePerGpu.value, blocks * number(plan, "page_size_bytes") * 16);
}

void VllmTest::chunksSwitchTheManagerOff() {
    auto spec = std::make_shared<ModelSpec>();
    for (int i = 0; i < 48; ++i) {
        if (i % 4 == 3)
            spec->addLayer({FullAttention{{8, 128, 128}}});
        else
            spec->addLayer({ChunkedAttention{{8, 128, 128}, Tokens(8192)}});
    }
    spec->queryHeads = 40;
    spec->kvHeads = 8;
    const Plan plan = evaluate(vllmScenario(spec, 1048576));
    QCOMPARE(number(plan, "group_count"), 1);
    QCOMPARE(plan.kv.perSequencePerGpu.value, 1048576 / 16 * std::int64_t{65536} * 48);
    QVERIFY(warns(plan, "windows-at-full-length"));
}

namespace {

struct Load {
    const char *name;
    std::shared_ptr<ModelSpec> model;
    std::int64_t weights, context, sequences, dp;
};

const Load loads[]{
    {"fits on one", llama8b(), 16'060'522'496, 8192, 4, 1},
    {"needs several", gemma27b(), 54'000'000'000, 131072, 40, 1},
    {"latents repeat", deepseekV3(), 689'000'000'000, 65536, 30, 1},
    {"with replicas", gptOss20b(), 14'000'000'000, 131072, 64, 2},
    {"states", qwen27b(), 54'000'000'000, 262144, 20, 1},
};

Scenario scenarioOf(const Load &load) {
    Scenario s = vllmScenario(load.model, load.context, load.sequences);
    s.weights.bytes = Bytes(load.weights);
    s.hardware.count = Count(load.dp);
    s.parallel.dp = Count(load.dp);
    s.parallel.tp = Count(1);
    return s;
}

} // namespace

void VllmTest::fewestGpusAreTheFewest_data() {
    QTest::addColumn<int>("load");
    for (int i = 0; i < static_cast<int>(std::size(loads)); ++i)
        QTest::newRow(loads[i].name) << i;
}

// Every smaller count, in every split that the engine takes, does not fit; the count found does in one.
void VllmTest::fewestGpusAreTheFewest() {
    QFETCH(int, load);
    Scenario s = scenarioOf(loads[load]);
    const std::optional<std::int64_t> fewest = evaluate(s).fit.minGpus;
    QVERIFY(fewest);
    const std::int64_t dp = loads[load].dp;
    for (std::int64_t each = 1; each * dp <= *fewest; ++each) {
        bool fits = false;
        for (std::int64_t tp = 1; tp <= each; ++tp) {
            if (each % tp != 0)
                continue;
            s.hardware.count = Count(each * dp);
            s.parallel = {Count(tp), Count(each / tp), Count(dp), false};
            fits = fits || fitsAt(s, s.workload.context, s.workload.sequences);
        }
        QCOMPARE(fits, each * dp == *fewest);
    }
}

void VllmTest::longestContextIsTheLongest_data() { fewestGpusAreTheFewest_data(); }

void VllmTest::longestContextIsTheLongest() {
    QFETCH(int, load);
    Scenario s = scenarioOf(loads[load]);
    s.hardware.count = Count(8 * loads[load].dp);
    s.parallel.tp = Count(load == 2 ? 8 : 4);
    s.parallel.pp = Count(load == 2 ? 1 : 2);
    const std::int64_t longest = *evaluate(s).fit.maxContext;
    QVERIFY(fitsAt(s, Tokens(longest), s.workload.sequences));
    QVERIFY(Tokens(longest) == *loads[load].model->maxContext || !fitsAt(s, Tokens(longest + 1), s.workload.sequences));
    set(s, "max_model_len", longest / 2);
    s.workload.context = Tokens(longest / 4);
    QCOMPARE(*evaluate(s).fit.maxContext, longest / 2);
}

void VllmTest::refused_data() {
    QTest::addColumn<std::shared_ptr<ModelSpec>>("model");
    QTest::addColumn<QByteArray>("option");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<int>("tp");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("no release") << llama8b() << QByteArray("version") << QByteArray("banana") << 1
                                << QByteArray("0.24");
    QTest::newRow("too old") << llama8b() << QByteArray("version") << QByteArray("0.5.4") << 1 << QByteArray("0.6");
    QTest::newRow("heads not divided") << llama8b() << QByteArray() << QByteArray() << 3 << QByteArray("2 or 4");
    QTest::newRow("states not divided") << qwen27b() << QByteArray() << QByteArray() << 12 << QByteArray("8");
    QTest::newRow("block of 24") << llama8b() << QByteArray("block_size") << QByteArray("24") << 1
                                 << QByteArray("16 or 32");
    QTest::newRow("context parallel with windows") << gptOss20b() << QByteArray("decode_context_parallel")
                                                   << QByteArray("2") << 16 << QByteArray("decode_context_parallel");
    QTest::newRow("context parallel without copies")
        << llama8b() << QByteArray("decode_context_parallel") << QByteArray("2") << 8 << QByteArray("Taken: 1");
    QTest::newRow("three ranks of eight")
        << deepseekV3() << QByteArray("decode_context_parallel") << QByteArray("3") << 8 << QByteArray("1, 2, 4 or 8");
    QTest::newRow("states need the manager")
        << qwen27b() << QByteArray("disable_hybrid_kv_cache_manager") << QByteArray("true") << 1 << QByteArray("false");
    QTest::newRow("more than all memory") << llama8b() << QByteArray("gpu_memory_utilization") << QByteArray("1.1") << 1
                                          << QByteArray("gpu_memory_utilization");
    QTest::newRow("partition") << llama8b() << QByteArray("layer_partition") << QByteArray("16,16") << 1
                               << QByteArray("layer_partition");
}

void VllmTest::refused() {
    QFETCH(std::shared_ptr<ModelSpec>, model);
    QFETCH(QByteArray, option);
    QFETCH(QByteArray, value);
    QFETCH(int, tp);
    QFETCH(QByteArray, named);
    Scenario s = vllmScenario(model, 8192);
    s.hardware.count = Count(tp);
    s.parallel.tp = Count(tp);
    if (!option.isEmpty())
        set(s, option.toStdString(), value.toStdString());
    const Plan plan = evaluate(s);
    QVERIFY(!plan.ok());
    QVERIFY2(plan.refusal->text.find(named.toStdString()) != std::string::npos, plan.refusal->text.c_str());
}

// vLLM does not start beside it, and the figures say all that is taken: nothing of it is dropped to make them add up.
void VllmTest::displayBeyondTheWithheldShare() {
    Scenario s = firstScenario();
    s.engine.id = "vllm";
    s.engine.options.set("gpu_memory_utilization", Json(0.9));
    const Plan without = evaluate(s);
    QVERIFY(without.ok());
    const Bytes withheld = without.gpus.front().reserve;
    for (const Bytes display : {Bytes(1'000'000'000), withheld, withheld + Bytes(3'000'000'000)}) {
        s.hardware.display = display;
        const Plan plan = evaluate(s);
        QVERIFY(plan.ok());
        for (const GpuPlan &gpu : plan.gpus) {
            QCOMPARE(gpu.display, display);
            QCOMPARE(gpu.reserve, std::max(Bytes(0), withheld - display));
            QCOMPARE(gpu.free, gpu.memory - gpu.reserve - gpu.weights - gpu.overhead - gpu.kv);
        }
        QCOMPARE(plan.gpus.front().kvReserved, without.gpus.front().kvReserved);
        QCOMPARE(plan.gpus.front().free, without.gpus.front().free - std::max(Bytes(0), display - withheld));
        QCOMPARE(plan.fit.fits, display <= withheld && without.fit.fits);
    }
}

// Without a width in the config it is that of three matrices each; what is less than one column each is a bias, and no other part counts.
void VllmTest::widthOfExpertsByTheirMatrices() {
    const auto overhead = [](std::int64_t known, std::int64_t stored) {
        Scenario s = firstScenario();
        s.engine.id = "vllm";
        s.workload.context = Tokens(4096);
        s.hardware.count = s.parallel.tp.emplace(Count(1));
        auto model = std::make_shared<ModelSpec>(**presetModel("mixtral-8x7b").value);
        model->intermediate = 7; // of dense layers, which there are none of
        model->weights.expertWidth = known;
        const std::int64_t each = 8 * 3 * 4096; // a column of all experts of a layer
        model->weights.parts = {{WeightPartKind::Experts, 0, 20, 20 * each * stored, Bytes(1), false},  {WeightPartKind::Experts, 20, 12, 12 * each * stored, Bytes(1), false},
                                {WeightPartKind::Experts, 0, 32, 32 * each - 1, Bytes(1), true}, {WeightPartKind::FeedForward, 0, 32, 32 * each * 5, Bytes(1), false}};
        s.model = {{}, {}, {}, model};
        return evaluateHere(s).gpus.front().overhead;
    };
    QCOMPARE(overhead(0, 14'336), overhead(14'336, 14'336));
    QCOMPARE(overhead(0, 1), overhead(1, 1));
    QVERIFY(overhead(0, 14'336) > overhead(0, 7000)); // beyond half of the hidden width it counts
    QVERIFY(overhead(0, 1) < overhead(7, 1));
}

KV_TEST(VllmTest)
#include "vllmtest.moc"
