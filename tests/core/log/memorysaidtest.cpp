// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a log says of memory that is set by hand, lies elsewhere or belongs to a second model, and what becomes of it in the plan beside it.
#include "core/log/logreader.h"
#include "core/log/reconcile.h"
#include "core/plan/evaluate.h"
#include "tests/core/log/logging.h"
#include "tests/testmain.h"

#include <QTest>

#include <algorithm>

using namespace kv;
using namespace kv::test;

class MemorySaidTest : public QObject {
    Q_OBJECT

private slots:
    void cacheGivenInBytes();
    void saidButNotPlanned_data();
    void saidButNotPlanned();
    void drafters_data();
    void drafters();
    void drafterWeights();
    void unlikeCards();
};

// kv_cache_memory_bytes is a budget of its own: the plan counts from it, and the tokens are those that were logged.
void MemorySaidTest::cacheGivenInBytes() {
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
void MemorySaidTest::drafterWeights() {
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

void MemorySaidTest::saidButNotPlanned_data() {
    QTest::addColumn<QByteArray>("setting");
    QTest::addColumn<bool>("said");
    QTest::newRow("num_gpu_blocks_override") << QByteArray("num_gpu_blocks_override=512") << true;
    QTest::newRow("num_gpu_blocks_override of None") << QByteArray("num_gpu_blocks_override=None") << false;
    QTest::newRow("cpu_offload_gb") << QByteArray("cpu_offload_gb=8.5") << true;
    QTest::newRow("cpu_offload_gb of nothing") << QByteArray("cpu_offload_gb=0") << false;
}

void MemorySaidTest::saidButNotPlanned() {
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
void MemorySaidTest::drafters_data() {
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

void MemorySaidTest::drafters() {
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
void MemorySaidTest::unlikeCards() {
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

KV_TEST(MemorySaidTest)
#include "memorysaidtest.moc"
