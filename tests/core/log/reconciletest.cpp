// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logreader.h"
#include "core/log/reconcile.h"
#include "core/plan/evaluate.h"
#include "core/scenario/measured.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace kv;

namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

ServerLog vllmLog(const char *version, const char *model, std::int64_t length) {
    ServerLog log;
    log.engine = "vllm";
    log.version = version;
    log.model = model;
    log.tp = 1;
    log.pp = 1;
    log.dp = 1;
    log.maxModelLen = Tokens(length);
    return log;
}

const LogDifference *row(const Reconciliation &all, std::string_view quantity) {
    const auto found = std::ranges::find(all.differences, quantity, &LogDifference::quantity);
    return found == all.differences.end() ? nullptr : &*found;
}

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
    void cacheGivenInBytes();
    void saidButNotPlanned_data();
    void saidButNotPlanned();
    void drafters_data();
    void drafters();
    void drafterWeights();
    void unlikeCards();
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

// kv_cache_memory_bytes is a budget of its own: the plan counts from it, and the tokens are those that were logged.
void ReconcileTest::cacheGivenInBytes() {
    const Parsed<ServerLog> log = readServerLogText(
        "INFO [utils.py:233] non-default args: {'model': 'Qwen/Qwen3-32B', 'tensor_parallel_size': 2, 'kv_cache_memory_bytes': 20000000000, 'block_size': 32}\n"
        "INFO [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='Qwen/Qwen3-32B', max_seq_len=32768, tensor_parallel_size=2, pipeline_parallel_size=1\n"
        "(Worker_TP0 pid=2) INFO [gpu_worker.py:280] Initial free memory 78.5 GiB, reserved 18.63 GiB memory for KV Cache as specified by kv_cache_memory_bytes config and skipped memory profiling.\n"
        "INFO [kv_cache_utils.py:1087] GPU KV cache size: 152,576 tokens\n",
        "log");
    QVERIFY(log);
    const Reconciliation all = reconcile(*log, logScenarioBase());
    QVERIFY(all.plan);
    QCOMPARE(all.scenario.engine.options.find("available_kv_bytes")->integer(), std::int64_t(20'000'000'000));
    for (const char *quantity : {"tokens", "available_kv_bytes"})
        QVERIFY2(row(all, quantity) && row(all, quantity)->agrees && row(all, quantity)->text.find("does not say") == std::string::npos, quantity);
    // It is the server's own setting: measurements do not take its place.
    const Scenario measured = calibrate(all.scenario, *log);
    QVERIFY(measured.engine.options.find("available_kv_bytes") && !measured.engine.options.find("activation_bytes"));
}

// vLLM says a drafter's weights with the model's own: the plan holds them apart, and neither the row nor the calibration counts them twice.
void ReconcileTest::drafterWeights() {
    ServerLog log = vllmLog("0.19.0", "Qwen/Qwen3-8B", 4096);
    log.settings.set("speculative", true);
    log.settings.set("draft_model", "Qwen/Qwen3-0.6B");
    log.gpuMemory = Bytes(79 * gib);
    const Reconciliation all = reconcile(log, logScenarioBase());
    QVERIFY(all.plan && all.plan->gpus.front().draftWeights > Bytes(gib));
    log.weights = all.plan->weights.perGpu + all.plan->gpus.front().draftWeights;
    QVERIFY(row(reconcile(log, logScenarioBase()), "weights_bytes")->agrees);
    log.weights = *log.weights + Bytes(gib);
    const Plan calibrated = evaluate(calibrate(all.scenario, log));
    QVERIFY(calibrated.ok());
    QCOMPARE(calibrated.weights.perGpu, all.plan->weights.perGpu + Bytes(gib));
}

void ReconcileTest::saidButNotPlanned_data() {
    QTest::addColumn<QByteArray>("setting");
    QTest::addColumn<bool>("said");
    QTest::newRow("num_gpu_blocks_override") << QByteArray("num_gpu_blocks_override=512") << true;
    QTest::newRow("num_gpu_blocks_override of None") << QByteArray("num_gpu_blocks_override=None") << false;
    QTest::newRow("cpu_offload_gb") << QByteArray("cpu_offload_gb=8.5") << true;
    QTest::newRow("cpu_offload_gb of nothing") << QByteArray("cpu_offload_gb=0") << false;
}

void ReconcileTest::saidButNotPlanned() {
    QFETCH(QByteArray, setting);
    QFETCH(bool, said);
    const Parsed<ServerLog> log = readServerLogText("INFO args: Namespace(model='Qwen/Qwen3-8B', " + setting.toStdString() + ", port=1)\n"
                                                    "INFO Initializing a V1 LLM engine (v0.9.2) with config: model='Qwen/Qwen3-8B', max_seq_len=4096\n", "log");
    QVERIFY(log);
    const Reconciliation all = reconcile(*log, logScenarioBase());
    const std::string name(setting.constData(), std::size_t(setting.indexOf('=')));
    QCOMPARE(std::ranges::any_of(all.notes, [&](const Note &note) { return note.code == "log-assumption" && note.text.find(name) != std::string::npos; }), said);
}

// A model that drafts is planned where it is known, and named where it is not.
void ReconcileTest::drafters_data() {
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("drafter"); // the option's value; empty: none
    QTest::addColumn<QByteArray>("note");
    QTest::newRow("0.6") << QByteArray("SpeculativeConfig(draft_model='Qwen/Qwen3-0.6B', num_spec_tokens=5)") << QByteArray("qwen3-0.6b") << QByteArray();
    QTest::newRow("a dictionary") << QByteArray("{'model': 'Qwen/Qwen3-0.6B', 'num_speculative_tokens': 3}") << QByteArray("qwen3-0.6b") << QByteArray();
    QTest::newRow("not known") << QByteArray("{'model': 'acme/nothing', 'method': 'draft_model'}") << QByteArray() << QByteArray("acme/nothing");
    QTest::newRow("heads") << QByteArray("{'model': 'acme/heads', 'method': 'eagle3'}") << QByteArray() << QByteArray("draft_layers");
    QTest::newRow("n-grams") << QByteArray("SpeculativeConfig(draft_model='[ngram]', num_spec_tokens=5)") << QByteArray() << QByteArray("draft_layers");
    QTest::newRow("none") << QByteArray("None") << QByteArray() << QByteArray();
}

void ReconcileTest::drafters() {
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, drafter);
    QFETCH(QByteArray, note);
    const Parsed<ServerLog> log = readServerLogText("INFO Initializing a V1 LLM engine (v0.9.2) with config: model='Qwen/Qwen3-8B', speculative_config=" + config.toStdString() + ", max_seq_len=4096\n", "log");
    QVERIFY(log);
    const Reconciliation all = reconcile(*log, logScenarioBase());
    const Json *option = all.scenario.engine.options.find("draft_model");
    QCOMPARE(option ? QByteArray::fromStdString(option->text()) : QByteArray(), drafter);
    const auto drafts = std::ranges::find_if(all.notes, [](const Note &one) { return one.text.find("drafts") != std::string::npos; });
    QCOMPARE(drafts != all.notes.end(), !note.isEmpty());
    QVERIFY(note.isEmpty() || drafts->text.find(note.toStdString()) != std::string::npos);
}

// llama.cpp names every card; a projector and a drafter that it loads are told, for the plan has neither.
void ReconcileTest::unlikeCards() {
    const auto read = [](const char *cards) {
        return readServerLogText(std::string(cards) + "llama_model_loader: loaded meta data with 30 key-value pairs and 399 tensors from /m/Qwen3-8B-Q4_K_M.gguf (version GGUF V3 (latest))\n"
                                 "load_tensors:        CUDA0 model buffer size =  3000.00 MiB\nload_tensors:        CUDA1 model buffer size =  1460.00 MiB\n"
                                 "clip_model_loader: model size:         811.75 MiB\nsrv    load_model: loading draft model '/m/d.gguf'\n", "log");
    };
    const Parsed<ServerLog> mixed = read("llama: using device CUDA0 (NVIDIA GeForce RTX 4090) - 23306 MiB free\nllama: using device CUDA1 (NVIDIA GeForce RTX 3090) - 23000 MiB free\n");
    QVERIFY(mixed);
    const Reconciliation all = reconcile(*mixed, logScenarioBase());
    QCOMPARE(all.scenario.hardware.devices.size(), std::size_t(2));
    QCOMPARE(all.scenario.hardware.devices[0].gpu, all.scenario.hardware.gpu);
    QVERIFY(all.scenario.hardware.devices[1].gpu != all.scenario.hardware.gpu);
    for (const char *word : {"projector", "drafts"})
        QVERIFY2(std::ranges::any_of(all.notes, [&](const Note &note) { return note.text.find(word) != std::string::npos; }), word);
    const Parsed<ServerLog> alike = read("llama: using device CUDA0 (NVIDIA GeForce RTX 3090) - 1 MiB free\nllama: using device CUDA1 (NVIDIA GeForce RTX 3090) - 1 MiB free\n");
    const Scenario plain = reconcile(*alike, logScenarioBase()).scenario;
    QVERIFY(plain.hardware.devices.empty());
    QCOMPARE(plain.hardware.count, Count(2));
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
