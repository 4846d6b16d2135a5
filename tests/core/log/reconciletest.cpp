// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logreader.h"
#include "core/log/reconcile.h"
#include "core/plan/evaluate.h"
#include "core/scenario/measured.h"
#include "core/scenario/scenariofile.h"
#include "tests/core/log/logging.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kv;
using namespace kv::test;

namespace {

bool says(const LogDifference *difference, std::string_view words) { return difference && difference->text.find(words) != std::string::npos; }

std::int64_t whole(const Plan &plan, std::string_view name) {
    for (const auto &[key, value] : plan.engine.values)
        if (key == name)
            return std::get<std::int64_t>(value);
    return -1;
}

} // namespace

class ReconcileTest : public QObject {
    Q_OBJECT

private slots:
    void models_data();
    void models();
    void weightsOfAVariant_data();
    void weightsOfAVariant();
    void theScenarioOfALog();
    void whatAgrees();
    void memoryIsNotLayout();
    void hybridTokenLine();
    void blocksAlone();
    void withoutAModel();
    void countedLikeAnother();
    void theOtherEngines_data();
    void theOtherEngines();
    void calibrated();
    void calibratedElsewhere_data();
    void calibratedElsewhere();
    void outOfRangeNeverAgrees();
    void marksFollowTheValue();
};

void ReconcileTest::outOfRangeNeverAgrees() {
    LogDifference row;
    row.logged = -9'000'000'000'000'000'000;
    row.planned = 9'000'000'000'000'000'000;
    QVERIFY(!row.difference());
    row.logged = 1;
    QCOMPARE(row.difference().value_or(0), 8'999'999'999'999'999'999);
    ServerLog log;
    log.engine = "vllm";
    log.availableKv = Bytes(-9'200'000'000'000'000'000);
    Scenario s = firstScenario();
    s.engine.id = "vllm";
    const std::vector<LogDifference> rows = compareWithLog(log, s).differences;
    const auto left = std::ranges::find(rows, std::string("available_kv_bytes"), &LogDifference::quantity);
    QVERIFY(left != rows.end() && !left->agrees);
}

void ReconcileTest::models_data() {
    QTest::addColumn<QByteArray>("named");
    QTest::addColumn<QByteArray>("preset");
    QTest::addColumn<bool>("remark");
    QTest::newRow("repository") << QByteArray("Qwen/Qwen3-8B") << QByteArray("qwen3-8b") << false;
    QTest::newRow("repository in other letters") << QByteArray("qwen/qwen3-8b") << QByteArray("qwen3-8b") << false;
    QTest::newRow("name of the metadata") << QByteArray("Gpt Oss 20b") << QByteArray("gpt-oss-20b") << false;
    QTest::newRow("instruction tuned") << QByteArray("meta-llama/Llama-3.1-8B-Instruct") << QByteArray("llama-3.1-8b") << true;
    QTest::newRow("with blanks, as GGUF files write it") << QByteArray("Meta Llama 3.1 8B Instruct") << QByteArray("llama-3.1-8b") << true;
    QTest::newRow("quantised by another") << QByteArray("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic") << QByteArray("llama-3.3-70b") << true;
    QTest::newRow("a file that is not here") << QByteArray("/models/Qwen3-8B-Q4_K_M.gguf") << QByteArray("qwen3-8b") << true;
    QTest::newRow("unknown") << QByteArray("acme/tiny-9b") << QByteArray() << false;
    QTest::newRow("no name at all") << QByteArray("m") << QByteArray() << false;
}

void ReconcileTest::models() {
    QFETCH(QByteArray, named);
    QFETCH(QByteArray, preset);
    QFETCH(bool, remark);
    ServerLog log;
    log.model = named.toStdString();
    const LoggedModel found = findLoggedModel(log);
    QCOMPARE(QByteArray::fromStdString(found.choice.preset), preset);
    QCOMPARE(bool(found.choice.spec), !preset.isEmpty());
    QCOMPARE(std::ranges::any_of(found.notes, [](const Note &note) { return note.code == "log-model-by-name"; }), remark);
}

void ReconcileTest::weightsOfAVariant_data() {
    QTest::addColumn<QByteArray>("named");
    QTest::addColumn<QByteArray>("quantization");
    QTest::addColumn<QByteArray>("type");
    QTest::newRow("as stored") << QByteArray("Qwen/Qwen3-8B") << QByteArray() << QByteArray();
    QTest::newRow("quantised while loading") << QByteArray("Qwen/Qwen3-8B") << QByteArray("fp8") << QByteArray("fp8");
    QTest::newRow("marlin") << QByteArray("acme/Qwen3-8B-AWQ") << QByteArray("awq_marlin") << QByteArray("int4");
    QTest::newRow("by the repository's name") << QByteArray("acme/Qwen3-8B-FP8-dynamic") << QByteArray("compressed-tensors") << QByteArray("fp8");
    QTest::newRow("by the file's name") << QByteArray("/nowhere/Qwen3-8B-Q8_0.gguf") << QByteArray("gguf") << QByteArray("q8_0");
    QTest::newRow("a preset that is stored so") << QByteArray("Qwen/Qwen3-8B-FP8") << QByteArray("fp8") << QByteArray();
}

void ReconcileTest::weightsOfAVariant() {
    QFETCH(QByteArray, named);
    QFETCH(QByteArray, quantization);
    QFETCH(QByteArray, type);
    ServerLog log = vllmLog("0.19.0", named.constData(), 4096);
    if (!quantization.isEmpty())
        log.weightsType = quantization.toStdString();
    const Reconciliation all = reconcile(log, logScenarioBase());
    QVERIFY(all.plan);
    QCOMPARE(QByteArray::fromStdString(all.scenario.weights.dtype), type);
}

void ReconcileTest::theScenarioOfALog() {
    ServerLog log = vllmLog("0.16.0", "Qwen/Qwen3-8B", 16384);
    log.tp = 2;
    log.dp = 2;
    log.kvDtype = "fp8_e5m2";
    log.gpuMemory = Bytes(79 * gib + gib * 19 / 100);
    log.gpuMemoryUtilization = 850'000'000;
    log.maxBatchedTokens = Tokens(4096);
    log.settings.set("enforce_eager", true);
    const Reconciliation all = reconcile(log, logScenarioBase());
    QVERIFY(all.plan);
    const Scenario &s = all.scenario;
    QCOMPARE(s.engine.id, std::string("vllm"));
    QCOMPARE(s.workload.context, Tokens(16384));
    QCOMPARE(s.hardware.count, Count(4));
    QCOMPARE(s.hardware.gpu, std::string("h100-sxm-80gb"));
    QCOMPARE(s.hardware.memory, log.gpuMemory);
    QVERIFY(s.kv.key == ElementType::Fp8E5m2 && s.kv.value == ElementType::Fp8E5m2);
    QCOMPARE(QByteArray::fromStdString(writeJson(s.engine.options)),
             QByteArray("{\"version\": \"0.16.0\", \"gpu_memory_utilization\": 0.85, \"max_model_len\": 16384, \"max_num_batched_tokens\": 4096, \"enforce_eager\": true}"));
    QCOMPARE(all.plan->gpusInAll, std::int64_t(4));
}

/// A log made of the plan's own figures agrees with it, row for row.
void ReconcileTest::whatAgrees() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3-8B", 40960);
    log.gpuMemory = Bytes(79 * gib);
    const Plan plan = *reconcile(log, logScenarioBase()).plan;
    log.weights = plan.weights.perGpu;
    log.availableKv = plan.fit.kvBudget;
    log.tokens = Tokens(whole(plan, "logged_tokens"));
    log.numGpuBlocks = whole(plan, "num_gpu_blocks");
    const Reconciliation again = reconcile(log, logScenarioBase());
    QCOMPARE(again.differences.size(), std::size_t(5));
    for (const LogDifference &difference : again.differences)
        QVERIFY2(difference.agrees && difference.text.empty(), (difference.quantity + ": " + difference.text).c_str());
    log.weights = *log.weights + Bytes(gib);
    QVERIFY(!row(reconcile(log, logScenarioBase()), "weights_bytes")->agrees);
    log.tokens = Tokens(log.tokens->value * 11 / 10);
    const Reconciliation off = reconcile(log, logScenarioBase());
    QVERIFY(!row(off, "tokens")->agrees);
    QVERIFY2(says(row(off, "tokens"), "Even from"), row(off, "tokens")->text.c_str());
}

void ReconcileTest::memoryIsNotLayout() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3-8B", 40960);
    log.gpuMemory = Bytes(79 * gib);
    const Plan plan = *reconcile(log, logScenarioBase()).plan;
    // A server with 5 GiB less for KV than planned, and the tokens of that.
    log.availableKv = plan.fit.kvBudget - Bytes(5 * gib);
    log.tokens = Tokens(log.availableKv->value / (147'456 * 16) * 16);
    const Reconciliation all = reconcile(log, logScenarioBase());
    const LogDifference *tokens = row(all, "tokens");
    QVERIFY(tokens && !tokens->agrees);
    QCOMPARE(tokens->plannedFromLogged, std::optional(log.tokens->value));
    QCOMPARE(*tokens->difference(), whole(plan, "logged_tokens") - log.tokens->value);
    QVERIFY2(says(tokens, "as logged: the difference is the memory left for KV"), tokens->text.c_str());
    QCOMPARE(*row(all, "available_kv_bytes")->difference(), 5 * gib);
}

void ReconcileTest::hybridTokenLine() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3.5-27B", 32768);
    log.gpuMemory = Bytes(95 * gib);
    log.tokens = Tokens(290'864);
    log.maxConcurrency = 33.04;
    const Reconciliation all = reconcile(log, logScenarioBase());
    QVERIFY(all.plan);
    QVERIFY2(says(row(all, "tokens"), "3.72 × too low"), row(all, "tokens")->text.c_str());
    QVERIFY(says(row(all, "tokens"), "blocks ÷ 4 groups"));
    QVERIFY(says(row(all, "tokens"), "33.04 × 32,768 = 1,082,654 tokens"));
    // A newer release prints the line from the concurrency; there is no contradiction to tell, but what the line hangs on.
    log.version = "0.24.0";
    log.tokens = Tokens(1'082'654);
    QVERIFY(says(row(reconcile(log, logScenarioBase()), "tokens"), "concurrency × max_model_len"));
    // Without a model the two lines still contradict each other.
    log.version = "0.19.0";
    log.model = "acme/hybrid";
    log.tokens = Tokens(290'864);
    QVERIFY(says(row(reconcile(log, logScenarioBase()), "tokens"), "Read the concurrency line"));
}

void ReconcileTest::blocksAlone() {
    ServerLog log = vllmLog("0.6.6", "Qwen/Qwen2.5-7B", 4096);
    log.numGpuBlocks = 2708;
    log.tokens = Tokens(43'328);
    log.tokensFromBlocks = true;
    QVERIFY(says(row(reconcile(log, logScenarioBase()), "tokens"), "2,708 blocks × 16 tokens"));
}

void ReconcileTest::withoutAModel() {
    ServerLog log = vllmLog("0.19.0", "acme/tiny-9b", 4096);
    log.weights = Bytes(9 * gib);
    log.tp = 4;
    const Reconciliation all = reconcile(log, logScenarioBase());
    QVERIFY(!all.plan && all.noPlan);
    QVERIFY(all.noPlan->text.find("acme/tiny-9b") != std::string::npos);
    QCOMPARE(all.differences.size(), std::size_t(1));
    QVERIFY(!all.differences.front().planned && !all.differences.front().difference());
    QVERIFY(says(row(all, "weights_bytes"), "One rank of 4"));
    // Replicas of attention alone lie inside tp.
    log.engine = "sglang";
    log.dp = 4;
    log.settings.set("enable_dp_attention", true);
    QVERIFY(says(row(reconcile(log, logScenarioBase()), "weights_bytes"), "One rank of 4"));
    log.settings.set("enable_dp_attention", false);
    QVERIFY(says(row(reconcile(log, logScenarioBase()), "weights_bytes"), "One rank of 16"));
}

void ReconcileTest::countedLikeAnother() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3-8B", 40960);
    log.availableKv = Bytes(20 * gib);
    log.tokens = Tokens(145'632);
    Reconciliation all = reconcile(log, logScenarioBase());
    QVERIFY(std::ranges::none_of(all.notes, [](const Note &note) { return note.code == "log-other-engine"; }));
    all.scenario.engine = {"textbook", Json::object()};
    const Reconciliation other = compareWithLog(log, all.scenario);
    QVERIFY(other.plan);
    QVERIFY(std::ranges::any_of(other.notes, [](const Note &note) { return note.code == "log-other-engine"; }));
    QVERIFY(!row(other, "max_concurrency"));
}

void ReconcileTest::theOtherEngines_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArrayList>("agreeing");
    // Qwen3 8B: 36 layers, 8 KV heads of 128, 147,456 bytes a token in 16 bit.
    QTest::newRow("sglang") << QByteArray("[10:00:00] server_args=ServerArgs(model_path='Qwen/Qwen3-8B', tp_size=1, pp_size=1, dp_size=1, mem_fraction_static=0.8, kv_cache_dtype='auto')\n"
                                          "[10:00:09] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 200000, K size: 13.73 GB, V size: 13.73 GB\n"
                                          "[10:00:10] max_total_num_tokens=200000, chunked_prefill_size=8192, max_running_requests=64, context_len=40960\n")
                            << QByteArrayList{"tokens", "kv_cache_bytes"};
    QTest::newRow("tensorrt-llm") << QByteArray("[TRT-LLM] [I] TensorRT-LLM version: 1.1.0\n"
                                                "[TRT-LLM] [I] Peak memory during memory usage profiling (torch + non-torch): 18.40 GiB, available KV cache memory when calculating max tokens: 25.52 GiB, fraction is set 0.9, kv size is 147456. device total memory 44.39 GiB\n"
                                                "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 25.52 GiB for max tokens in paged KV cache (185824).\n"
                                                "[TRT-LLM] [I] max_seq_len=4096, max_num_requests=128\n")
                                  << QByteArrayList{"bytes_per_token", "gpu_memory_bytes"};
    QTest::newRow("llama-cpp") << QByteArray("llama_model_loader: loaded meta data with 41 key-value pairs and 400 tensors from /nowhere/Qwen3-8B-Q4_K_M.gguf (version GGUF V3 (latest))\n"
                                             "llama_context: n_seq_max     = 2\nllama_context: n_ctx         = 16384\nllama_context: n_ctx_seq     = 8192\n"
                                             "llama_kv_cache: size = 1224.00 MiB (  8192 cells,  36 layers,  2/2 seqs), K (q8_0): 612.00 MiB, V (q8_0): 612.00 MiB\n")
                               << QByteArrayList{"kv_cache_bytes", "n_ctx", "n_ctx_seq"};
}

void ReconcileTest::theOtherEngines() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArrayList, agreeing);
    const Parsed<ServerLog> log = readServerLogText(text.toStdString(), "log");
    QVERIFY(log);
    Scenario base = logScenarioBase();
    ServerLog qwen;
    qwen.model = "Qwen/Qwen3-8B";
    base.model = findLoggedModel(qwen).choice;
    const Reconciliation all = reconcile(*log, base);
    QVERIFY2(all.plan.has_value(), all.noPlan ? all.noPlan->text.c_str() : "");
    for (const QByteArray &quantity : agreeing) {
        const LogDifference *difference = row(all, quantity.toStdString());
        QVERIFY2(difference && difference->agrees, (quantity.toStdString() + ": " + std::to_string(difference && difference->planned ? *difference->planned : -1)).c_str());
    }
}

void ReconcileTest::calibrated() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3-8B", 40960);
    log.gpuMemory = Bytes(79 * gib);
    log.weights = Bytes(16 * gib);
    log.activation = Bytes(3 * gib);
    log.nonTorch = Bytes(gib / 2);
    const Scenario planned = reconcile(log, logScenarioBase()).scenario;
    const Scenario measured = calibrate(planned, log);
    const Plan plan = evaluate(measured);
    QVERIFY(plan.ok());
    QCOMPARE(plan.weights.perGpu, *log.weights);
    QCOMPARE(plan.gpus.front().overhead, Bytes(3 * gib + gib / 2));
    QCOMPARE(plan.gpus.front().memory, *log.gpuMemory);
    QVERIFY(!plan.fit.estimate);
    QVERIFY(std::ranges::any_of(plan.warnings, [](const Note &note) { return note.code == "measured" && note.text.find("vLLM 0.19.0") != std::string::npos; }));
    QCOMPARE(measuredPlaces(measured).size(), std::size_t(4));
    // The consumed memory of newer logs names weights and the rest together: what is left of the budget is the overhead.
    log.nonTorch.reset();
    log.availableKv = Bytes(45 * gib);
    const Plan rest = evaluate(calibrate(planned, log));
    QVERIFY(std::abs((rest.fit.kvBudget - *log.availableKv).value) < 1 << 20);
}

void ReconcileTest::calibratedElsewhere_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("place");
    QTest::newRow("sglang") << QByteArray("sglang") << QByteArray("engine.options.overhead_bytes");
    QTest::newRow("tensorrt-llm") << QByteArray("tensorrt-llm") << QByteArray("engine.options.overhead_bytes");
    QTest::newRow("llama-cpp") << QByteArray("llama-cpp") << QByteArray("engine.options.compute_bytes");
}

void ReconcileTest::calibratedElsewhere() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, place);
    ServerLog log;
    log.engine = engine.toStdString();
    log.model = "Qwen/Qwen3-8B";
    log.gpuMemory = Bytes(44 * gib);
    log.kvCache = Bytes(16 * gib);
    log.compute = Bytes(3 * gib);
    log.nCtx = Tokens(8192);
    const Scenario measured = calibrate(reconcile(log, logScenarioBase()).scenario, log);
    const std::vector<std::string> places = measuredPlaces(measured);
    QVERIFY(std::ranges::find(places, place.toStdString()) != places.end());
    const Plan plan = evaluate(measured);
    QVERIFY(plan.ok());
    if (log.engine == "llama-cpp")
        QCOMPARE(plan.gpus.front().overhead, *log.compute);
    else
        QVERIFY2(std::abs((plan.fit.kvBudget - *log.kvCache).value) < 1 << 20, std::to_string(plan.fit.kvBudget.value).c_str());
}

void ReconcileTest::marksFollowTheValue() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3-8B", 40960);
    log.gpuMemory = Bytes(79 * gib);
    Scenario s = calibrate(reconcile(log, logScenarioBase()).scenario, log);
    QCOMPARE(measuredPlaces(s), std::vector<std::string>{"hardware.memory_bytes"});
    const Parsed<Scenario> again = readScenario(writeScenario(s, {}), {}, scenarioDefaults());
    QVERIFY(again);
    QVERIFY(again->measured == s.measured);
    QVERIFY(again.notes.empty());
    s.hardware.memory = Bytes(80 * gib);
    QVERIFY(measuredPlaces(s).empty());
    QVERIFY(!measuredNote(s));
}

KV_TEST(ReconcileTest)
#include "reconciletest.moc"
