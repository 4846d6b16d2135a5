// SPDX-License-Identifier: GPL-3.0-or-later
//
// What has a line of its own in a GPU's memory: a display, LoRA slots, a draft model; what is warned about; limits that engines have by
// themselves. Known answers are worked out by hand from the sizes in the models' configs.
//
// Longer than other files, since its tables of known answers are; the checks beside them are short.
#include "core/engine/adapters.h"
#include "core/engine/draftmodel.h"
#include "core/launch/launch.h"
#include "core/plan/budget.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"

#include <QDir>
#include <QTemporaryFile>
#include <QTest>

#include <algorithm>
#include <thread>

using namespace kv;

namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

Scenario read(const QByteArray &json) {
    const Parsed<Json> object = parseJson(json.toStdString(), "test");
    const Parsed<Scenario> scenario = object ? readScenario(*object, {}, firstScenario()) : Parsed<Scenario>{};
    if (!scenario)
        qFatal("%s", firstError(object ? scenario.notes : object.notes)->text.c_str());
    return *scenario;
}

Scenario small(const char *engine, const char *options = "{}", const char *hardware = R"({"gpu": "h100-sxm-80gb", "count": 1})", const char *model = "llama-3.1-8b") {
    return read(QByteArray(R"({"model": {"preset": ")") + model + R"("}, "workload": {"context": 8192, "sequences": 4}, "hardware": )" + hardware +
                R"(, "engine": {"id": ")" + engine + R"(", "options": )" + options + "}}");
}

bool warns(const Plan &plan, std::string_view code) {
    return std::ranges::any_of(plan.warnings, [&](const Note &note) { return note.code == code; });
}

Bytes rowOf(const Scenario &s, const Plan &plan, std::string_view key) {
    const Budget budget = budgetOf(s, plan);
    const auto row = std::ranges::find(budget.rows, key, &BudgetRow::key);
    return row == budget.rows.end() ? Bytes(0) : row->bytes;
}

/// Rows add up, and what is free is what the rows leave.
void verifySums(const Scenario &s, const Plan &plan) {
    for (const GpuPlan &gpu : plan.gpus)
        QCOMPARE(gpu.free, gpu.memory - gpu.reserve - gpu.weights - gpu.overhead - gpu.kv);
    const Budget budget = budgetOf(s, plan);
    Bytes sum;
    for (const BudgetRow &row : budget.rows)
        if (row.key != "memory")
            sum += row.bytes;
    QCOMPARE(sum, budget.rows.front().bytes);
}

} // namespace

class OwnLinesTest : public QObject {
    Q_OBJECT

private slots:
    void adapters_data();
    void adapters();
    void displays_data();
    void displays();
    void displayThatKeepsVllmFromStarting();
    void draftModels_data();
    void draftModels();
    void draftModelsThatAreNone();
    void draftModelsReadElsewhere();
    void loraRanks_data();
    void loraRanks();
    void whatWouldNotStart_data();
    void whatWouldNotStart();
    void displayBeyondTheCard();
    void weightsOfARank_data();
    void weightsOfARank();
    void shares_data();
    void shares();
    void poolsInPairs();
    void launchedAndReadBack_data();
    void launchedAndReadBack();
    void warnings_data();
    void warnings();
    void unknownDtype();
    void limits_data();
    void limits();
    void roundTrip();
};

void OwnLinesTest::adapters_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<int>("tp");
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<qint64>("bytes");
    // 8B: hidden 4,096, 32 layers; in + out of q 8,192, k and v 5,120 each, o 8,192, gate, up and down 18,432 each: 81,920 a layer.
    // vLLM besides the embedding and the head of 128,256 × 4,096.
    QTest::newRow("vLLM") << QByteArray("vllm") << QByteArray(R"({"enable_lora": true, "max_loras": 4})") << 1 << QByteArray("llama-3.1-8b")
                          << qint64((81'920 * 32 + 2 * (128'256 + 4'096)) * 16 * 4 * 2);
    // The hidden width stays whole, the other sides are halved: 7 × 4,096 + 53,248 ÷ 2.
    QTest::newRow("vLLM, TP 2") << QByteArray("vllm") << QByteArray(R"({"enable_lora": true, "max_loras": 4})") << 2 << QByteArray("llama-3.1-8b")
                                << qint64((55'296 * 32 + 2 * (128'256 + 4'096)) * 16 * 4 * 2);
    QTest::newRow("vLLM, a class without embedding_modules") << QByteArray("vllm") << QByteArray(R"({"enable_lora": true, "max_lora_rank": 64})") << 1 << QByteArray("qwen3-8b")
                                                             << qint64((8'192 + 2 * 5'120 + 8'192 + 3 * (4'096 + 12'288)) * 36LL * 64 * 2);
    QTest::newRow("SGLang") << QByteArray("sglang") << QByteArray(R"({"enable_lora": true, "max_lora_rank": 64})") << 1 << QByteArray("llama-3.1-8b")
                            << qint64(81'920LL * 32 * 64 * 8 * 2);
    // K and V are cut at most into the 8 KV heads.
    QTest::newRow("SGLang, TP beyond the KV heads") << QByteArray("sglang") << QByteArray(R"({"enable_lora": true, "max_lora_rank": 16, "max_loras_per_batch": 1})") << 16
                                                    << QByteArray("llama-3.1-8b") << qint64((7 * 4'096 + 256 + 256 + 256 + 3 * 896) * 32 * 16 * 2);
    QTest::newRow("off") << QByteArray("vllm") << QByteArray(R"({"max_loras": 4})") << 1 << QByteArray("llama-3.1-8b") << qint64(0);
}

void OwnLinesTest::adapters() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, options);
    QFETCH(int, tp);
    QFETCH(QByteArray, model);
    QFETCH(qint64, bytes);
    const QByteArray hardware = R"({"gpu": "h100-sxm-80gb", "count": )" + QByteArray::number(tp) + "}";
    const Scenario s = small(engine, options, hardware, model);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(qint64(plan.gpus.front().adapters.value), bytes);
    QCOMPARE(qint64(rowOf(s, plan, "adapters").value), bytes);
    verifySums(s, plan);
    // The cache gets that much less.
    Scenario without = s;
    without.engine.options = Json::object();
    const Plan plain = evaluate(without);
    QCOMPARE(qint64((plain.fit.kvBudget - plan.fit.kvBudget).value), bytes * tp);
    QCOMPARE(warns(plan, "lora-off"), bytes == 0);
}

void OwnLinesTest::displays_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<double>("ofBudget"); // how much of 1 GiB the budget of one GPU loses
    QTest::newRow("textbook") << QByteArray("textbook") << 1.0;
    QTest::newRow("vLLM: out of what it withholds") << QByteArray("vllm") << 0.0;
    QTest::newRow("SGLang: its share is of what is free") << QByteArray("sglang") << -1.0;
    QTest::newRow("TensorRT-LLM: the fraction of what is free") << QByteArray("tensorrt-llm") << 0.9;
    QTest::newRow("llama.cpp") << QByteArray("llama-cpp") << 1.0;
    QTest::newRow("Transformers") << QByteArray("transformers") << 1.0;
}

void OwnLinesTest::displays() {
    QFETCH(QByteArray, engine);
    QFETCH(double, ofBudget);
    Scenario s = small(engine);
    const Plan before = evaluate(s);
    s.hardware.display = Bytes(gib);
    const Plan after = evaluate(s);
    QVERIFY(before.ok() && after.ok());
    QCOMPARE(after.gpus.front().display, Bytes(gib));
    QCOMPARE(before.gpus.front().display, Bytes(0));
    QCOMPARE(rowOf(s, after, "display"), Bytes(gib));
    verifySums(s, after);
    const double lost = static_cast<double>((before.fit.kvBudget - after.fit.kvBudget).value) / gib;
    if (ofBudget < 0)
        QVERIFY2(lost > 0.8 && lost < 0.9, QByteArray::number(lost).constData()); // mem_fraction_static
    else
        QVERIFY2(std::abs(lost - ofBudget) < 1e-6, QByteArray::number(lost).constData());
}

void OwnLinesTest::displayThatKeepsVllmFromStarting() {
    Scenario s = small("vllm", "{}", R"({"gpu": "h100-sxm-80gb", "count": 1, "display_bytes": 8589934592})");
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    QVERIFY(!plan.fit.fits && plan.fit.maxSequences == 0);
    QVERIFY(warns(plan, "engine-does-not-start"));
    QVERIFY(plan.fit.limit.find("gpu_memory_utilization") != std::string::npos);
    verifySums(s, plan);
    s.engine.options.set("gpu_memory_utilization", "0.85");
    QVERIFY(evaluate(s).fit.fits);
}

void OwnLinesTest::draftModels_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<int>("tp");
    QTest::addColumn<qint64>("draftKv"); // of one GPU
    QTest::addColumn<qint64>("weights"); // of one GPU; −1: not held here
    // 1B: 16 layers of 8 KV heads × 64: 32,768 bytes a token in 16 bit; 4 sequences of 8,192 tokens, whole blocks.
    QTest::newRow("vLLM") << QByteArray("vllm") << 1 << qint64(32'768) * 8'192 * 4 << qint64(-1);
    QTest::newRow("vLLM, TP 4") << QByteArray("vllm") << 4 << qint64(8'192) * 8'192 * 4 << qint64(-1);
    // SGLang: as 16 layers of the model's own shape, 4,096 bytes a token and layer.
    QTest::newRow("SGLang") << QByteArray("sglang") << 1 << qint64(4'096) * 16 * 8'192 * 4 << qint64(-1);
    QTest::newRow("llama.cpp") << QByteArray("llama-cpp") << 1 << qint64(32'768) * 8'192 * 4 << qint64(-1);
}

void OwnLinesTest::draftModels() {
    QFETCH(QByteArray, engine);
    QFETCH(int, tp);
    QFETCH(qint64, draftKv);
    const QByteArray hardware = R"({"gpu": "h100-sxm-80gb", "count": )" + QByteArray::number(tp) + "}";
    const Scenario s = small(engine, R"({"draft_model": "llama-3.2-1b"})", hardware);
    Scenario without = s;
    without.engine.options = Json::object();
    const Plan plan = evaluate(s), plain = evaluate(without);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    const GpuPlan &gpu = plan.gpus.front(), &alone = plain.gpus.front();
    QCOMPARE(qint64(gpu.draftKv.value), draftKv);
    QCOMPARE(qint64((gpu.kv - alone.kv).value), draftKv);
    QCOMPARE(rowOf(s, plan, "draft_kv"), gpu.draftKv);
    QCOMPARE(rowOf(s, plan, "draft_weights"), gpu.draftWeights);
    // 1.24 × 10^9 parameters in 16 bit, a norm or two more on each of several GPUs; llama.cpp keeps the embedding on the host as well.
    const double gb = static_cast<double>(gpu.draftWeights.value) * tp / 1e9;
    QVERIFY2(gb > 2.4 && gb < 2.6, QByteArray::number(gb).constData());
    QVERIFY(plain.gpus.front().draftWeights == Bytes(0));
    QVERIFY(plan.fit.kvBudget < plain.fit.kvBudget);
    verifySums(s, plan);
}

void OwnLinesTest::draftModelsThatAreNone() {
    const Plan missing = evaluate(small("vllm", R"({"draft_model": "/no/such/model"})"));
    QVERIFY(missing.refusal && missing.refusal->where == "engine.options.draft_model");
    QVERIFY(evaluate(small("vllm", R"({"draft_model": "none"})")).ok());
    QVERIFY(warns(evaluate(small("vllm", R"({"draft_model": "qwen3-0.6b"})")), "draft-vocabulary"));
}

// A thread that must not wait for a disk is told so, and has the model as soon as another has read it.
void OwnLinesTest::draftModelsReadElsewhere() {
    QTemporaryFile file(QDir::tempPath() + QStringLiteral("/XXXXXX.json"));
    QVERIFY(file.open());
    file.write(R"({"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "hidden_size": 256,
        "intermediate_size": 512, "vocab_size": 128256, "max_position_embeddings": 4096, "torch_dtype": "float16"})");
    file.flush();
    const QByteArray options = R"({"draft_model": ")" + file.fileName().toUtf8() + R"("})";
    const Scenario s = small("vllm", options.constData());
    std::string before, after;
    std::thread([&] {
        readDraftModelsElsewhere();
        const Plan waiting = evaluate(s);
        before = waiting.refusal ? waiting.refusal->code : std::string();
    }).join();
    QCOMPARE(before, std::string("draft-being-read"));
    QVERIFY(evaluate(s).ok()); // this thread reads
    std::thread([&] {
        readDraftModelsElsewhere();
        const Plan known = evaluate(s);
        after = known.refusal ? known.refusal->code : std::string("planned");
    }).join();
    QCOMPARE(after, std::string("planned"));
}

void OwnLinesTest::loraRanks_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<int>("rank");
    QTest::addColumn<bool>("taken");
    for (const int rank : {1, 8, 16, 32, 64, 128, 256, 320, 512})
        QTest::addRow("vLLM takes %d", rank) << QByteArray("vllm") << rank << true;
    for (const int rank : {2, 100, 513, 1024})
        QTest::addRow("vLLM refuses %d", rank) << QByteArray("vllm") << rank << false;
    QTest::newRow("SGLang takes any") << QByteArray("sglang") << 100 << true;
}

void OwnLinesTest::loraRanks() {
    QFETCH(QByteArray, engine);
    QFETCH(int, rank);
    QFETCH(bool, taken);
    const Plan plan = evaluate(small(engine, (R"({"enable_lora": true, "max_lora_rank": )" + QByteArray::number(rank) + "}").constData()));
    QCOMPARE(plan.ok(), taken);
    if (!taken)
        QCOMPARE(plan.refusal->where, std::string("engine.options.max_lora_rank"));
}

void OwnLinesTest::whatWouldNotStart_data() {
    QTest::addColumn<QByteArray>("scenario");
    QTest::addColumn<QByteArray>("says"); // empty: it starts
    QTest::newRow("a split into 3") << QByteArray(R"({"parallel": {"tp": 3}, "hardware": {"count": 3}, "workload": {"context": 1024, "sequences": 1}, "weights": {"dtype": "int4"}})")
                                    << QByteArray("no engine would start with this split");
    QTest::newRow("a split into 4") << QByteArray(R"({"parallel": {"tp": 4}, "hardware": {"count": 4}, "workload": {"context": 1024, "sequences": 1}, "weights": {"dtype": "int4"}})")
                                    << QByteArray();
    QTest::newRow("NVFP4 on Hopper") << QByteArray(R"({"kv": {"dtype": "nvfp4"}, "engine": {"id": "vllm"}, "workload": {"context": 1024, "sequences": 1}})")
                                     << QByteArray("would not start with a cache of this type");
}

// It is planned, and not said to be green.
void OwnLinesTest::whatWouldNotStart() {
    QFETCH(QByteArray, scenario);
    QFETCH(QByteArray, says);
    const Scenario s = read(scenario);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok() && plan.fit.fits, plan.refusal ? plan.refusal->text.c_str() : "does not fit");
    const Verdict v = verdict(s, plan, SizeUnit::Decimal);
    QCOMPARE(wouldNotStart(plan) != nullptr, !says.isEmpty());
    QCOMPARE(v.state == Verdict::State::Tight, !says.isEmpty());
    QVERIFY2(QByteArray::fromStdString(v.detail).contains(says), v.detail.c_str());
}

void OwnLinesTest::displayBeyondTheCard() {
    const Plan beyond = evaluate(small("vllm", "{}", R"({"gpu": "rtx-4090-24gb", "count": 1, "display_bytes": 26843545600})"));
    QVERIFY(beyond.refusal && beyond.refusal->where == "hardware.display_bytes");
    QVERIFY(evaluate(small("vllm", "{}", R"({"gpu": "rtx-4090-24gb", "count": 1, "display_bytes": 24696061952})")).ok());
}

// DeepSeek-V3 over 8 GPUs, by hand from its sizes: layers that only draft (15.6 GB) are loaded by nobody who does not draft; attention in data
// parallel holds attention (11.4 GB) and embedding (1.85 GB) whole, in TensorRT-LLM dense layers, shared experts and the head as well.
void OwnLinesTest::weightsOfARank_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("parallel");
    QTest::addColumn<double>("gb");
    const QByteArray one = R"({"tp": 8})", eight = R"({"tp": 8, "dp": 8})", two = R"({"tp": 8, "dp": 2})";
    QTest::newRow("SGLang") << QByteArray("sglang") << QByteArray("{}") << one << 85.1;
    QTest::newRow("SGLang, drafting") << QByteArray("sglang") << QByteArray(R"({"draft_layers": 1})") << one << 87.1;
    QTest::newRow("SGLang, attention over 4") << QByteArray("sglang") << QByteArray(R"({"enable_dp_attention": true})") << two << 88.1;
    QTest::newRow("SGLang, attention whole") << QByteArray("sglang") << QByteArray(R"({"enable_dp_attention": true})") << eight << 95.9;
    QTest::newRow("TensorRT-LLM") << QByteArray("tensorrt-llm") << QByteArray("{}") << one << 85.1;
    QTest::newRow("TensorRT-LLM, all but experts whole") << QByteArray("tensorrt-llm") << QByteArray(R"({"enable_attention_dp": true})") << one << 100.8;
    QTest::newRow("Transformers: an even eighth of 673.0 GB") << QByteArray("transformers") << QByteArray("{}") << one << 84.1;
}

void OwnLinesTest::weightsOfARank() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, parallel);
    QFETCH(double, gb);
    const Plan plan = evaluate(read(R"({"model": {"preset": "deepseek-v3"}, "workload": {"context": 8192, "sequences": 8}, "hardware": {"gpu": "h200-sxm-141gb", "count": 8}, "parallel": )" +
                                    parallel + R"(, "engine": {"id": ")" + engine + R"(", "options": )" + options + "}}"));
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(QByteArray::number(static_cast<double>(plan.weights.perGpu.value) / 1e9, 'f', 1), QByteArray::number(gb, 'f', 1));
}

void OwnLinesTest::shares_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("option");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("taken");
    const auto row = [](const char *engine, const char *option, const char *value, bool taken) {
        QTest::addRow("%s %s %s", engine, option, value) << QByteArray(engine) << QByteArray(option) << QByteArray(value) << taken;
    };
    for (const char *value : {"1.2", "5", "-0.1"}) {
        row("vllm", "gpu_memory_utilization", value, false);
        row("sglang", "mem_fraction_static", value, false);
        row("tensorrt-llm", "free_gpu_memory_fraction", value, false);
    }
    row("vllm", "gpu_memory_utilization", "0.95", true);
    row("sglang", "mem_fraction_static", "0.85", true);
    row("tensorrt-llm", "free_gpu_memory_fraction", "0.85", true);
    row("sglang", "mamba_full_memory_ratio", "1.5", true); // a ratio of two pools
    row("sglang", "mamba_full_memory_ratio", "-1", false);
}

// No engine plans with more memory than a card has.
void OwnLinesTest::shares() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, option);
    QFETCH(QByteArray, value);
    QFETCH(bool, taken);
    const Plan plan = evaluate(small(engine, (R"({")" + option + R"(": ")" + value + R"("})").constData()));
    QCOMPARE(plan.ok(), taken);
    if (!taken)
        QCOMPARE(plan.refusal->where, "engine.options." + option.toStdString());
}

// TensorRT-LLM with two windows: half the layers keep all tokens, half 4,096 of them, and each pool's figures stand beside each other.
void OwnLinesTest::poolsInPairs() {
    Scenario s = firstScenario();
    s.engine.id = "tensorrt-llm";
    s.engine.options.set("max_attention_window", "4096,0");
    const Plan plan = evaluate(s);
    QVERIFY(plan.ok());
    const auto value = [&](std::string_view name) {
        const auto found = std::ranges::find(plan.engine.values, name, &std::pair<std::string, EngineValue>::first);
        return found == plan.engine.values.end() ? nullptr : &found->second;
    };
    const auto list = [&](std::string_view name) { return value(name) ? std::get<std::vector<std::int64_t>>(*value(name)) : std::vector<std::int64_t>{}; };
    const auto blocks = list("blocks_by_window"), bytes = list("bytes_per_block_by_window");
    QCOMPARE(list("windows"), (std::vector<std::int64_t>{0, 4096}));
    QCOMPARE(bytes, (std::vector<std::int64_t>{32 * 40 * 512, 32 * 40 * 512})); // 32 tokens, 40 layers, one KV head of 128 in 16 bit, K and V
    QCOMPARE(blocks.size(), std::size_t(2));
    QCOMPARE(std::get<std::int64_t>(*value("blocks")), blocks.front());
    QCOMPARE(std::get<std::int64_t>(*value("bytes_per_block")), bytes.front());
}

void OwnLinesTest::launchedAndReadBack_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("vLLM LoRA") << QByteArray("vllm") << QByteArray(R"({"enable_lora": true, "max_loras": 4, "max_lora_rank": 64})") << QByteArray("--enable-lora --max-loras 4 --max-lora-rank 64");
    QTest::newRow("SGLang LoRA") << QByteArray("sglang") << QByteArray(R"({"enable_lora": true, "max_loras_per_batch": 4, "max_lora_rank": 64})")
                                 << QByteArray("--enable-lora --max-loras-per-batch 4 --max-lora-rank 64");
    QTest::newRow("vLLM draft") << QByteArray("vllm") << QByteArray(R"({"draft_model": "llama-3.2-1b", "speculative_tokens": 3})")
                                << QByteArray(R"("method": "draft_model", "model": "meta-llama/Llama-3.2-1B)");
    QTest::newRow("SGLang draft") << QByteArray("sglang") << QByteArray(R"({"draft_model": "llama-3.2-1b"})")
                                  << QByteArray("--speculative-algorithm STANDALONE --speculative-draft-model-path meta-llama/Llama-3.2-1B");
    QTest::newRow("llama.cpp draft") << QByteArray("llama-cpp") << QByteArray(R"({"draft_model": "llama-3.2-1b"})") << QByteArray("-md llama-3.2-1b.gguf");
}

void OwnLinesTest::launchedAndReadBack() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, says);
    const Scenario s = small(engine, options);
    const LaunchCommand command = launchCommand(s);
    const std::string text = command.text();
    QVERIFY2(QByteArray::fromStdString(text).contains(says), text.c_str());
    const Parsed<Scenario> again = readLaunch(text, s, LaunchLoad::Base);
    QVERIFY2(again.value.has_value(), again.notes.empty() ? "" : again.notes.front().text.c_str());
    for (const auto &[key, value] : s.engine.options.members()) {
        const Json *read = again->engine.options.find(key);
        QVERIFY2(read, key.c_str());
        QCOMPARE(QByteArray::fromStdString(writeJson(*read)).replace('"', ""), QByteArray::fromStdString(writeJson(value)).replace('"', ""));
    }
}

void OwnLinesTest::warnings_data() {
    QTest::addColumn<QByteArray>("scenario");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *name, const char *scenario, const char *code, bool expected = true) { QTest::newRow(name) << QByteArray(scenario) << QByteArray(code) << expected; };
    row("KV beyond the card", R"({"engine": {"id": "vllm", "options": {"available_kv_bytes": "100GiB"}}})", "kv-beyond-card");
    row("KV within it", R"({"engine": {"id": "vllm", "options": {"available_kv_bytes": "50GiB"}}})", "kv-beyond-card", false);
    row("reserve under vLLM", R"({"hardware": {"reserve": 0.2}, "engine": {"id": "vllm"}})", "no-effect");
    row("reserve under llama.cpp", R"({"hardware": {"reserve": "0.05"}, "engine": {"id": "llama-cpp"}})", "no-effect");
    row("reserve as usual", R"({"hardware": {"reserve": 0.1}, "engine": {"id": "vllm"}})", "no-effect", false);
    row("reserve in the textbook", R"({"hardware": {"reserve": 0.2}})", "no-effect", false);
    row("NVFP4 on Ampere", R"({"kv": {"dtype": "nvfp4"}, "hardware": {"gpu": "a100-sxm-80gb"}, "engine": {"id": "vllm"}})", "type-beyond-card");
    row("NVFP4 on Hopper, SGLang", R"({"kv": {"dtype": "nvfp4"}, "engine": {"id": "sglang"}})", "type-beyond-card");
    row("NVFP4 on Blackwell", R"({"kv": {"dtype": "nvfp4"}, "hardware": {"gpu": "b200-sxm-180gb"}, "engine": {"id": "vllm"}})", "type-beyond-card", false);
    row("FP8 on Ampere", R"({"kv": {"dtype": "fp8"}, "hardware": {"gpu": "a100-sxm-80gb"}, "engine": {"id": "vllm"}})", "type-beyond-card", false);
    row("TP beyond the KV heads", R"({"parallel": {"tp": 16}})", "one-copy-counted");
    row("TP up to them", R"({"parallel": {"tp": 8}})", "one-copy-counted", false);
    row("a latent over several GPUs", R"({"model": {"preset": "deepseek-v3"}, "parallel": {"tp": 8}})", "one-copy-counted");
    row("a latent on one", R"({"model": {"preset": "deepseek-v2-lite"}, "parallel": {"tp": 1}})", "one-copy-counted", false);
    row("TensorRT-LLM on AMD", R"({"hardware": {"gpu": "mi300x-192gb"}, "engine": {"id": "tensorrt-llm"}})", "engine-not-on-card");
    row("TensorRT-LLM on Apple", R"({"hardware": {"gpu": "m3-ultra-512gb", "count": 1}, "engine": {"id": "tensorrt-llm"}})", "engine-not-on-card");
    row("TensorRT-LLM on NVIDIA", R"({"engine": {"id": "tensorrt-llm"}})", "engine-not-on-card", false);
    row("SGLang on Apple", R"({"hardware": {"gpu": "m3-ultra-512gb", "count": 1}, "engine": {"id": "sglang"}})", "engine-not-on-card");
    row("SGLang on AMD", R"({"hardware": {"gpu": "mi300x-192gb"}, "engine": {"id": "sglang"}})", "engine-not-on-card", false);
    row("SGLang on TPU", R"({"hardware": {"gpu": "tpu-v5p-95gb"}, "engine": {"id": "sglang"}})", "engine-apart");
    row("llama.cpp on TPU", R"({"hardware": {"gpu": "tpu-v6e-32gb"}, "engine": {"id": "llama-cpp"}})", "engine-not-on-card");
    row("llama.cpp on Apple", R"({"hardware": {"gpu": "m3-ultra-512gb", "count": 1}, "engine": {"id": "llama-cpp"}})", "engine-not-on-card", false);
    row("llama.cpp on Gaudi", R"({"hardware": {"gpu": "gaudi-3-128gb"}, "engine": {"id": "llama-cpp"}})", "engine-not-on-card");
    row("llama.cpp on Arc", R"({"hardware": {"gpu": "arc-pro-b60-24gb"}, "engine": {"id": "llama-cpp"}})", "engine-not-on-card", false);
    row("vLLM on Apple", R"({"hardware": {"gpu": "m3-ultra-512gb", "count": 1}, "engine": {"id": "vllm"}})", "engine-apart");
    row("vLLM on AMD", R"({"hardware": {"gpu": "mi300x-192gb"}, "engine": {"id": "vllm"}})", "engine-apart", false);
    row("tensor parallel over slices", R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 4096}, "hardware": {"gpu": "a100-80gb-mig-3g.40gb", "count": 2}, "engine": {"id": "vllm"}})", "no-engine-splits-so");
    row("stages over slices", R"({"model": {"preset": "llama-3.1-8b"}, "hardware": {"gpu": "a100-80gb-mig-3g.40gb", "count": 2}, "parallel": {"tp": 1, "pp": 2}})", "no-engine-splits-so");
    row("a replica on each slice", R"({"model": {"preset": "llama-3.1-8b"}, "workload": {"context": 4096}, "hardware": {"gpu": "a100-80gb-mig-3g.40gb", "count": 2}, "parallel": {"tp": 1, "dp": 2}, "engine": {"id": "vllm"}})", "no-engine-splits-so", false);
    row("a length for a cache that grows", R"({"engine": {"id": "transformers", "options": {"max_cache_len": 200000}}})", "no-effect");
    row("a length for a static cache", R"({"engine": {"id": "transformers", "options": {"cache": "static", "max_cache_len": 200000}}})", "no-effect", false);
    row("steps beyond all requests", R"({"engine": {"id": "vllm", "options": {"max_num_batched_tokens": 999999999}}})", "batch-beyond-requests");
    row("steps within them", R"({"engine": {"id": "vllm", "options": {"max_num_batched_tokens": 16384}}})", "batch-beyond-requests", false);
    row("memory without its unit", R"({"hardware": {"memory_bytes": 80}})", "size-without-unit");
    row("memory in bytes", R"({"hardware": {"memory_bytes": 80000000000}})", "size-without-unit", false);
    row("an option without its unit", R"({"engine": {"id": "vllm", "options": {"available_kv_bytes": "20"}}})", "size-without-unit");
    row("SGLang without a rank", R"({"engine": {"id": "sglang", "options": {"enable_lora": true}}})", "rank-assumed");
}

void OwnLinesTest::warnings() {
    QFETCH(QByteArray, scenario);
    QFETCH(QByteArray, code);
    QFETCH(bool, expected);
    const Plan plan = evaluate(read(scenario));
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(warns(plan, code.toStdString()), expected);
}

void OwnLinesTest::unknownDtype() {
    const QByteArray config = R"("config": {"model_type": "llama", "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "hidden_size": 256,
        "intermediate_size": 512, "vocab_size": 1000, "max_position_embeddings": 4096, "torch_dtype": ")";
    const Plan weird = evaluate(read(R"({"model": {)" + config + R"(weird"}}})"));
    QVERIFY(weird.ok());
    QVERIFY(warns(weird, "unknown-dtype"));
    const auto note = std::ranges::find(weird.warnings, "unknown-dtype", &Note::code);
    QVERIFY2(note->text.find("weird") != std::string::npos && note->text.find("BF16") != std::string::npos, note->text.c_str());
    QVERIFY(!warns(evaluate(read(R"({"model": {)" + config + R"(float16"}}})")), "unknown-dtype"));
}

void OwnLinesTest::limits_data() {
    QTest::addColumn<QByteArray>("engine");
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<int>("context");
    QTest::addColumn<qint64>("most");
    QTest::addColumn<QByteArray>("limit");
    QTest::newRow("SGLang's default") << QByteArray("sglang") << QByteArray("{}") << 16 << qint64(4096) << QByteArray("default of max_running_requests");
    QTest::newRow("SGLang, given") << QByteArray("sglang") << QByteArray(R"({"max_running_requests": 100})") << 16 << qint64(100) << QByteArray("max_running_requests runs 100");
    QTest::newRow("SGLang, half of the tokens") << QByteArray("sglang") << QByteArray(R"({"available_kv_bytes": 1310720})") << 1 << qint64(5) << QByteArray("max_running_requests");
    QTest::newRow("TensorRT-LLM's default") << QByteArray("tensorrt-llm") << QByteArray("{}") << 16 << qint64(2048) << QByteArray("default of max_batch_size");
    QTest::newRow("TensorRT-LLM, given") << QByteArray("tensorrt-llm") << QByteArray(R"({"max_batch_size": 4096})") << 16 << qint64(4096) << QByteArray("max_batch_size runs");
}

void OwnLinesTest::limits() {
    QFETCH(QByteArray, engine);
    QFETCH(QByteArray, options);
    QFETCH(int, context);
    QFETCH(qint64, most);
    QFETCH(QByteArray, limit);
    Scenario s = small(engine, options);
    s.workload.context = Tokens(context);
    s.workload.sequences = Count(100'000);
    const Plan plan = evaluate(s);
    QVERIFY2(plan.ok(), plan.refusal ? plan.refusal->text.c_str() : "");
    QCOMPARE(qint64(plan.fit.maxSequences.value_or(-1)), most);
    QVERIFY(!plan.fit.fits);
    QVERIFY2(QByteArray::fromStdString(plan.fit.limit).contains(limit), plan.fit.limit.c_str());
}

void OwnLinesTest::roundTrip() {
    Scenario s = small("vllm", R"({"draft_model": "llama-3.2-1b"})");
    s.hardware.display = Bytes(gib);
    const Parsed<Scenario> again = readScenario(writeScenario(s, {}), {}, firstScenario());
    QVERIFY(again);
    QCOMPARE(again->hardware.display, s.hardware.display);
    QVERIFY(again->engine == s.engine);
    s.hardware.display = Bytes(0);
    QVERIFY(!writeScenario(s, {}).find("hardware")->find("display_bytes"));
}

KV_TEST(OwnLinesTest)
#include "ownlinestest.moc"
