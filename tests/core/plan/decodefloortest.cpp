// SPDX-License-Identifier: GPL-3.0-or-later

// The least time of a decoding step, against sums by hand: what a step reads of weights and cache in each engine and split.

#include "core/plan/decodefloor.h"
#include "core/base/json.h"
#include "core/hardware/gpu.h"
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/workload/lengths.h"
#include "core/workload/percentiles.h"
#include "tests/core/plan/models.h"
#include "tests/testmain.h"

#include <QTest>

#include <cmath>

using namespace kv;

class DecodeFloorTest : public QObject {
    Q_OBJECT

private slots:
    void floorByHand();
    void floorOfExperts();
    void floorBesideTheHost_data();
    void floorBesideTheHost();
    void cacheRead_data();
    void cacheRead();
    void expertsOfAllReplicas();
    void onlyThoseThatRun();
    void ofTheirOwnLengths();
    void lengthsOfUnlikeWeight();
    void chosenByTheirLengths();
    void noLengthsAtAll();
    void entriesWithoutChoice();
    void partsThatRest_data();
    void partsThatRest();
    void modelsWithoutParts();
    void notSaidHowManyAreActive();
    void guards();
    void reasons();
    void largestAndLeast();
};

// 17,638,426,624 B of weights and 10 × 5,368,709,120 B of cache on each of 8 GPUs at 3.35 TB/s.
void DecodeFloorTest::floorByHand() {
    Scenario s = firstScenario();
    const Plan plan = evaluateHere(s);
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->batch, std::int64_t(10));
    QCOMPARE(floor->cacheRead.value, std::int64_t(53'687'091'200));
    // Without the embedding of 128,256 rows of 8,192, which is looked up: 2.1 GB over 8 GPUs.
    const std::int64_t weights = (141'107'412'992 - std::int64_t(128'256) * 8192 * 2) / 8;
    QVERIFY2(std::abs(floor->weightsRead.value - weights) < 100, QByteArray::number(qint64(floor->weightsRead.value - weights)));
    const double bandwidth = findGpu("h100-sxm-80gb")->bandwidthGBs * 1e9;
    QVERIFY(std::abs(floor->secondsPerToken - static_cast<double>(weights + 53'687'091'200) / bandwidth) < 1e-9);
    QCOMPARE(floor->tokensPerSecond, 10 / floor->secondsPerToken);
    QCOMPARE(floor->cacheOvertakes.value_or(0), std::int64_t(4)); // 17.4 GB of weights are 3.2 sequences
    s.parallel.pp = Count(2);
    s.parallel.tp = Count(4);
    const std::optional<DecodeFloor> stages = decodeFloor(s, evaluateHere(s));
    QVERIFY(stages && std::abs(stages->secondsPerToken / floor->secondsPerToken - 2) < 0.01); // half as many cards at a time
}

void DecodeFloorTest::floorOfExperts() {
    QCOMPARE(expertsTouched(1, 7), 1.0);
    QVERIFY(std::abs(expertsTouched(8.0 / 256, 1) - 8.0 / 256) < 1e-12);
    QVERIFY(std::abs(expertsTouched(0.5, 2) - 0.75) < 1e-12);
    Scenario s = firstScenario();
    s.model.spec = *presetModel("deepseek-v3");
    s.hardware.gpu = "h200-sxm-141gb";
    s.workload.sequences = Count(1);
    s.workload.context = Tokens(4096);
    const std::optional<DecodeFloor> one = decodeFloor(s, evaluateHere(s));
    QVERIFY(one && std::abs(one->expertsTouched - 8.0 / 256) < 1e-3);
    s.workload.sequences = Count(64);
    const std::optional<DecodeFloor> many = decodeFloor(s, evaluateHere(s));
    QVERIFY(many && std::abs(many->expertsTouched - expertsTouched(8.0 / 256, 64)) < 1e-2);
    QVERIFY(many->weightsRead > one->weightsRead);
}

void DecodeFloorTest::floorBesideTheHost_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("options");
    QTest::addColumn<double>("weights"); ///< read each step, in 10^9 bytes; 0: none known
    QTest::newRow("the embedding is looked up there") << QStringLiteral("llama-3.1-70b") << QStringLiteral("{}") << 139.006;
    QTest::newRow("the head is a second copy of it") << QStringLiteral("llama-3.2-1b") << QStringLiteral("{}") << 2.472;
    QTest::newRow("layers left there") << QStringLiteral("llama-3.1-70b") << QStringLiteral(R"({"n_gpu_layers": 60})") << 0.0;
    QTest::newRow("the cache left there") << QStringLiteral("llama-3.1-70b") << QStringLiteral(R"({"no_kv_offload": true})") << 0.0;
    QTest::newRow("experts left there") << QStringLiteral("gpt-oss-20b") << QStringLiteral(R"({"n_cpu_moe": 2})") << 0.0;
}

// llama.cpp keeps the embedding on the host, always: 128,256 rows of 8,192 in 16 bit, none of which is read through.
void DecodeFloorTest::floorBesideTheHost() {
    QFETCH(QString, model);
    QFETCH(QString, options);
    QFETCH(double, weights);
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel(model.toStdString());
    s.workload = {Tokens(4096), Count(2), Tokens(0), {}};
    s.engine = {"llama-cpp", *parseJson(options.toStdString(), "t").value};
    const Plan plan = evaluateHere(s);
    QVERIFY(plan.ok() && plan.host && plan.host->weights > Bytes(0));
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QCOMPARE(floor.has_value(), weights > 0);
    QCOMPARE(whyNoFloor(s, plan).empty(), weights > 0);
    if (floor)
        QVERIFY2(std::abs(static_cast<double>(floor->weightsRead.value) / 1e9 / weights - 1) < 0.002, QByteArray::number(qint64(floor->weightsRead.value)));
}

void DecodeFloorTest::cacheRead_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("engine");
    QTest::addColumn<QString>("options");
    QTest::addColumn<qlonglong>("tp");
    QTest::addColumn<qlonglong>("context");
    QTest::addColumn<qlonglong>("prefix");
    QTest::addColumn<qlonglong>("read"); ///< by the fullest GPU, for two sequences
    const auto row = [](const char *name, const char *model, const char *engine, const char *options, qint64 tp, qint64 context, qint64 prefix, qint64 read) {
        QTest::newRow(name) << QString::fromLatin1(model) << QString::fromLatin1(engine) << QString::fromLatin1(options) << qlonglong(tp) << qlonglong(context) << qlonglong(prefix) << qlonglong(read);
    };
    // 80 layers, 8 KV heads of 128, 16 bit: 4,096 B a layer and token over all heads.
    row("heads are cut", "llama-3.1-70b", "vllm", "{}", 8, 16384, 0, 2LL * 80 * 16384 * 4096 / 8);
    row("a head is not", "llama-3.1-70b", "vllm", "{}", 16, 16384, 0, 2LL * 80 * 16384 * 4096 / 8);
    row("on paper it is", "llama-3.1-70b", "textbook", "{}", 16, 16384, 0, 2LL * 80 * 16384 * 4096 / 16);
    row("a prefix is read once", "llama-3.1-70b", "vllm", "{}", 8, 16384, 8192, 3LL * 80 * 8192 * 4096 / 8);
    // 52 layers see 1,024 tokens, 10 see all; 16 KV heads of 128, 2 of them on a GPU.
    row("windows as far as they reach", "gemma-3-27b", "vllm", R"({"version": "0.8.5"})", 8, 131072, 0, 2LL * (52 * 1024 + 10LL * 131072) * 1024);
    row("whatever the engine sets aside", "gemma-3-27b", "sglang", "{}", 8, 131072, 0, 2LL * (52 * 1024 + 10LL * 131072) * 1024);
    // 61 layers keep a latent of 576 elements, whole on each GPU.
    row("latents", "deepseek-v3", "vllm", "{}", 8, 16384, 0, 2LL * 61 * 16384 * 1152);
    // Of the latents the 2,048 that the index keys, 128 elements a token, choose.
    row("an index chooses", "deepseek-v3.2", "textbook", "{}", 8, 131072, 0, 2LL * 61 * (2048 * 1152 + 131072LL * 256) / 8);
    // DeepSeek V4, 16 bit on paper: 2 layers keep a window of 128 × 1,024 B; 21 layers of ratio 4 besides 32,768 entries, of which 512 are chosen, all their index
    // keys of 256 B and 81,920 B of state; 20 layers of ratio 128 all of 1,024 entries and 524,288 B of state.
    row("entries that an index chooses", "deepseek-v4-flash", "textbook", "{}", 8, 131072, 0,
        2LL * (2 * 131072 + 21 * (131072 + 512 * 1024 + 32768LL * 256 + 81920) + 20 * (131072 + 1024 * 1024 + 524288)) / 8);
    row("all of a short one", "deepseek-v3.2", "textbook", "{}", 8, 1024, 0, 2LL * 61 * 1024 * (1152 + 256) / 8);
}

void DecodeFloorTest::cacheRead() {
    QFETCH(QString, model);
    QFETCH(QString, engine);
    QFETCH(QString, options);
    QFETCH(qlonglong, tp);
    QFETCH(qlonglong, context);
    QFETCH(qlonglong, prefix);
    QFETCH(qlonglong, read);
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel(model.toStdString());
    s.engine = {engine.toStdString(), *parseJson(options.toStdString(), "t").value};
    s.hardware.gpu = "h200-sxm-141gb";
    s.hardware.count = Count(tp);
    s.parallel.tp = Count(tp);
    s.workload = {Tokens(context), Count(2), Tokens(prefix), {}};
    const Plan plan = evaluateHere(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->cacheRead.value, std::int64_t(read));
    QVERIFY(floor->cacheRead <= plan.gpus.front().kv);
}

// 256 routed experts of 3 × 7,168 × 2,048 on 58 layers, FP8 with a scale of 4 B for each 128 × 128, dealt over 16 GPUs, each of which serves
// a sequence of its own: 16 sequences pass the experts, 1 − (1 − 8/256)^16 of which are read. All else is whole on each GPU but the embedding.
void DecodeFloorTest::expertsOfAllReplicas() {
    const double experts = 58.0 * 256 * 3 * 7168 * 2048 * (1 + 4.0 / 16384);
    Scenario s = firstScenario();
    s.model.spec = *presetModel("deepseek-v3");
    s.engine = {"vllm", *parseJson("{}", "t").value};
    s.hardware.gpu = "h200-sxm-141gb";
    s.hardware.count = Count(16);
    s.parallel = {};
    s.parallel.dp = Count(16);
    s.workload = {Tokens(4096), Count(16), Tokens(0), {}};
    const Plan plan = evaluateHere(s);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.refusal->text.c_str());
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->batch, std::int64_t(1));
    const double touched = 1 - std::pow(1 - 8.0 / 256, 16);
    QVERIFY(std::abs(floor->expertsTouched - touched) < 2e-3);
    const double rest = static_cast<double>(plan.gpus.front().weights.value) - experts / 16 - 129280.0 * 7168 * 2;
    const double read = rest + experts / 16 * touched;
    QVERIFY2(std::abs(static_cast<double>(floor->weightsRead.value) / read - 1) < 5e-3, QByteArray::number(qint64(floor->weightsRead.value)));
}

// 10 fit: of 20 that are asked for 10 wait. Of none there is nothing to say.
void DecodeFloorTest::onlyThoseThatRun() {
    Scenario s = firstScenario();
    const std::optional<DecodeFloor> all = decodeFloor(s, evaluateHere(s));
    s.workload.sequences = Count(20);
    const std::optional<DecodeFloor> twice = decodeFloor(s, evaluateHere(s));
    QVERIFY(all && twice);
    QCOMPARE(twice->batch, std::int64_t(10));
    QCOMPARE(twice->secondsPerToken, all->secondsPerToken);
    s.hardware.count = Count(1);
    QVERIFY(!decodeFloor(s, evaluateHere(s)));
    QVERIFY(whyNoFloor(s, evaluateHere(s)).find("Not one sequence fits") != std::string::npos);
}

// Half of the requests have 1,000 tokens and half 9,000, of which the context of 8,192 leaves 8,192: 4,596 on average.
void DecodeFloorTest::ofTheirOwnLengths() {
    Scenario s = firstScenario();
    s.workload = {Tokens(8192), Count(10), Tokens(0), {}};
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOfBins(Lengths::Kind::Trace, {{1000, 1}, {9000, 1}}));
    const std::optional<DecodeFloor> floor = decodeFloor(s, evaluateHere(s));
    QVERIFY(floor);
    QCOMPARE(floor->cacheRead.value, std::int64_t(10) * 4596 * 80 * 4096 / 8);
}

// Three of four requests have 1,000 tokens, the fourth 9,000, of which the context leaves 8,192: 2,798 on average. A prefix of 500 is read once.
void DecodeFloorTest::lengthsOfUnlikeWeight() {
    Scenario s = firstScenario();
    s.workload = {Tokens(8192), Count(10), Tokens(0), {}};
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOfBins(Lengths::Kind::Trace, {{1000, 3}, {9000, 1}}));
    const std::optional<DecodeFloor> apart = decodeFloor(s, evaluateHere(s));
    QVERIFY(apart);
    QCOMPARE(apart->cacheRead.value, std::int64_t(10) * 2798 * 80 * 4096 / 8);
    s.workload.sharedPrefix = Tokens(500);
    const std::optional<DecodeFloor> shared = decodeFloor(s, evaluateHere(s));
    QVERIFY(shared);
    QCOMPARE(shared->cacheRead.value, std::int64_t(500 + 10 * (2798 - 500)) * 80 * 4096 / 8);
}

// Of the latents, 1,152 B on each of 61 layers, an index chooses 2,048: 1,000 and 2,048 are 1,262 on average; its own keys of 256 B are read all, 2,798.
void DecodeFloorTest::chosenByTheirLengths() {
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel("deepseek-v3.2");
    s.hardware.gpu = "h200-sxm-141gb";
    s.workload = {Tokens(8192), Count(10), Tokens(0), {}};
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOfBins(Lengths::Kind::Trace, {{1000, 3}, {9000, 1}}));
    const std::optional<DecodeFloor> floor = decodeFloor(s, evaluateHere(s));
    QVERIFY(floor);
    QCOMPARE(floor->cacheRead.value, std::int64_t(10) * 61 * (1262 * 1152 + 2798 * 256) / 8);
}

// A distribution without any request says nothing: the context counts.
void DecodeFloorTest::noLengthsAtAll() {
    Scenario s = firstScenario();
    s.workload = {Tokens(8192), Count(10), Tokens(0), {}};
    const Plan plan = evaluateHere(s);
    s.workload.distribution.value = std::make_shared<const Lengths>();
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->cacheRead.value, std::int64_t(10) * 8192 * 80 * 4096 / 8);
}

// Where no number of chosen entries is known, all are read.
void DecodeFloorTest::entriesWithoutChoice() {
    Scenario s = firstScenario();
    const auto spec = std::make_shared<ModelSpec>(**presetModel("deepseek-v4-flash"));
    spec->sparseTokens = 0;
    s.model = {};
    s.model.spec = spec;
    s.hardware.gpu = "h200-sxm-141gb";
    s.workload = {Tokens(131072), Count(2), Tokens(0), {}};
    const std::optional<DecodeFloor> floor = decodeFloor(s, evaluateHere(s));
    QVERIFY(floor);
    QCOMPARE(floor->cacheRead.value, std::int64_t(2LL * (2 * 131072 + 21 * (131072 + 32768LL * (1024 + 256) + 81920) + 20 * (131072 + 1024 * 1024 + 524288)) / 8));
}

void DecodeFloorTest::partsThatRest_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<qlonglong>("weights"); ///< read each step
    // 1,235,814,400 parameters; the embedding is the head as well, and read as such
    QTest::newRow("an embedding that is the head") << QStringLiteral("llama-3.2-1b") << qlonglong(1'235'814'400LL * 2);
    // 8,292,166,656 parameters, of which the embedding's 152,064 rows of 3,584 and the tower's 676,550,144 rest
    QTest::newRow("a tower and an embedding") << QStringLiteral("qwen2.5-vl-7b") << qlonglong((8'292'166'656LL - 152'064LL * 3584 - 676'550'144) * 2);
}

void DecodeFloorTest::partsThatRest() {
    QFETCH(QString, model);
    QFETCH(qlonglong, weights);
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = *presetModel(model.toStdString());
    s.engine = {"vllm", *parseJson("{}", "t").value};
    s.hardware.gpu = "h200-sxm-141gb";
    s.hardware.count = Count(1);
    s.workload = {Tokens(4096), Count(1), Tokens(0), {}};
    const std::optional<DecodeFloor> floor = decodeFloor(s, evaluateHere(s));
    QVERIFY(floor);
    QCOMPARE(floor->weightsRead.value, std::int64_t(weights));
}

// Without parts nothing is known to rest: 141,107,412,992 B over 8 GPUs. A host that holds nothing is none.
void DecodeFloorTest::modelsWithoutParts() {
    Scenario s = firstScenario();
    s.model = {};
    s.model.spec = test::llama70b();
    Plan plan = evaluateHere(s);
    const std::optional<DecodeFloor> floor = decodeFloor(s, plan);
    QVERIFY(floor);
    QCOMPARE(floor->weightsRead.value, std::int64_t(141'107'412'992 / 8));
    plan.host = HostPlan{};
    QVERIFY(decodeFloor(s, plan));
}

void DecodeFloorTest::notSaidHowManyAreActive() {
    Scenario s = firstScenario();
    const auto spec = std::make_shared<ModelSpec>(**presetModel("deepseek-v3"));
    s.model = {};
    s.model.spec = spec;
    s.hardware.gpu = "h200-sxm-141gb";
    s.workload = {Tokens(4096), Count(1), Tokens(0), {}};
    s.engine = {"transformers", *parseJson("{}", "t").value}; // leaves the drafting layer out, and the experts are known all the same
    const std::optional<DecodeFloor> few = decodeFloor(s, evaluateHere(s));
    QVERIFY(few && std::abs(few->expertsTouched - 8.0 / 256) < 1e-3);
    Plan none = evaluateHere(s);
    for (GpuPlan &gpu : none.gpus)
        gpu.experts = Bytes(0);
    QCOMPARE(decodeFloor(s, none)->expertsTouched, 1.0);
    spec->weights.activeParameters = 0;
    QCOMPARE(decodeFloor(s, evaluateHere(s))->expertsTouched, 1.0);
}

void DecodeFloorTest::guards() {
    Scenario s = firstScenario();
    const Plan plan = evaluateHere(s);
    Plan refused = plan;
    refused.refusal = errorNote("range", "workload", "too large");
    QVERIFY(!decodeFloor(s, refused));
    Plan weightless = plan;
    weightless.weights.total = Bytes(0);
    QVERIFY(!decodeFloor(s, weightless));
    QVERIFY(whyNoFloor(s, weightless).find("size of the weights") != std::string::npos);
    Plan heavy = plan;
    heavy.gpus.resize(1);
    heavy.gpus[0].weights = Bytes(9'100'000'000'000'000'000);
    heavy.gpus[0].experts = heavy.gpus[0].resting = Bytes(0);
    QVERIFY(!decodeFloor(s, heavy));
    Scenario other = s;
    other.hardware.gpu = "l20x-141gb"; // whose bandwidth is not known
    QVERIFY(!decodeFloor(other, plan));
    QVERIFY(whyNoFloor(other, plan).find("memory bandwidth of") != std::string::npos);
    other.hardware.gpu = "no-such-card";
    QVERIFY(!decodeFloor(other, plan));
    QVERIFY(whyNoFloor(other, plan).find("no-such-card") != std::string::npos);
    // Three sequences on two replicas: two on the fuller.
    s.parallel.tp = Count(4);
    s.parallel.dp = Count(2);
    s.workload = {Tokens(4096), Count(3), Tokens(0), {}};
    const std::optional<DecodeFloor> fuller = decodeFloor(s, evaluateHere(s));
    QVERIFY(fuller);
    QCOMPARE(fuller->batch, std::int64_t(2));
}

void DecodeFloorTest::reasons() {
    Scenario s = firstScenario();
    s.workload = {Tokens(131'072), Count(1), Tokens(0), {}};
    s.hardware.count = Count(1);
    QVERIFY(whyNoFloor(s, evaluateHere(s)).find("Not one sequence fits") != std::string::npos);
    s.hardware.count = Count(8);
    s.workload.context = Tokens(4096);
    s.engine = {"llama-cpp", *parseJson(R"({"n_gpu_layers": 60})", "t").value};
    QVERIFY(whyNoFloor(s, evaluateHere(s)).find("host's memory") != std::string::npos);
    // What is looked up there is no reason, a byte beside it is one.
    s.engine.options = *parseJson("{}", "t").value;
    Plan plan = evaluateHere(s);
    QVERIFY(plan.ok() && plan.host && plan.host->weights > Bytes(0));
    QVERIFY(decodeFloor(s, plan));
    Plan besides = plan;
    besides.host->weights += Bytes(1);
    QVERIFY(!decodeFloor(s, besides));
    besides = plan;
    besides.host->kv = Bytes(1);
    QVERIFY(!decodeFloor(s, besides));
    // Lengths of no request say nothing: the context counts, of which a step reads 4,000 of the 4,096 cells.
    s.workload.context = Tokens(4000);
    plan = evaluateHere(s);
    const std::int64_t read = decodeFloor(s, plan)->cacheRead.value;
    QCOMPARE(read, plan.kv.total.value / 4096 * 4000);
    s.workload.distribution = SharedLengths{std::make_shared<const Lengths>()};
    QCOMPARE(decodeFloor(s, plan)->cacheRead.value, read);
}

void DecodeFloorTest::largestAndLeast() {
    Scenario s = firstScenario();
    Plan empty = evaluateHere(s);
    for (GpuPlan &gpu : empty.gpus)
        gpu.weights = gpu.experts = gpu.resting = gpu.kv = Bytes(0);
    QCOMPARE(decodeFloor(s, empty)->tokensPerSecond, 0.0);
    // 800 B of weights; a sequence of 100 tokens, 2 × 1 × 1 × 2 B each: two are as much as the weights, three are more.
    auto spec = test::model(1, {FullAttention{{1, 1, 1}}}, 1000);
    spec->weights.stored = Bytes(800);
    spec->weights.source = WeightSource::CountedFromConfig;
    s.model = {};
    s.model.spec = spec;
    s.hardware.count = Count(1);
    s.workload = {Tokens(100), Count(1), Tokens(0), {}};
    const std::optional<DecodeFloor> floor = decodeFloor(s, evaluateHere(s));
    QVERIFY(floor);
    QCOMPARE(floor->cacheOvertakes.value_or(0), std::int64_t(3));
    // Half of it is read once for all: three sequences are as much, four are more, however many there are now.
    s.workload.sharedPrefix = Tokens(50);
    for (const std::int64_t now : {1, 3, 40}) {
        s.workload.sequences = Count(now);
        QCOMPARE(decodeFloor(s, evaluateHere(s))->cacheOvertakes.value_or(0), std::int64_t(4));
    }
}

KV_TEST(DecodeFloorTest)
#include "decodefloortest.moc"
