// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launch.h"
#include "core/model/catalogue.h"
#include "core/scenario/scenariofile.h"
#include "tests/core/launch/launching.h"
#include "tests/testmain.h"

#include <QTest>

#include <random>

using namespace kv;
using namespace kv::test;

namespace {

/// What a launch line does not say.
Scenario baseOf(const Scenario &scenario) {
    Scenario base;
    base.workload = scenario.workload;
    base.hardware = scenario.hardware;
    if (const Json *version = scenario.engine.options.find("version")) {
        base.engine.id = scenario.engine.id;
        base.engine.options.set("version", *version);
    }
    base.model = scenario.model;
    return base;
}

using List = std::vector<Json>;

/// What a scenario of an engine is made of.
struct Choices {
    std::vector<std::pair<std::string, List>> options;
    std::vector<ElementType> types{ElementType::Auto}; ///< of the cache
};

Choices choicesOf(const QByteArray &engine) {
    Choices choices;
    const auto numbers = [](std::initializer_list<std::int64_t> list) {
        List out;
        for (const std::int64_t n : list)
            out.emplace_back(n);
        return out;
    };
    const List yesNo{true, false};
    auto &[options, types] = choices;
    if (engine == "vllm") {
        options = {{"version", {"0.11", "0.18", "0.22", "0.24", "0.28"}}, {"gpu_memory_utilization", {0.92, 0.9, 0.85, "0.5"}}, {"block_size", numbers({16, 32, 64})},
                   {"max_model_len", numbers({4096, 65536, 200000})}, {"max_num_seqs", numbers({64, 256, 1024})}, {"max_num_batched_tokens", numbers({2048, 8192})},
                   {"disable_hybrid_kv_cache_manager", yesNo}, {"decode_context_parallel", numbers({1, 2})}, {"prefix_caching", yesNo}, {"enforce_eager", yesNo},
                   {"mamba_ssm_cache_dtype", {"float32", "bf16"}}, {"draft_layers", numbers({0, 1})}, {"speculative_tokens", numbers({1, 3})}, {"available_kv_bytes", {Json(std::int64_t{20} << 30), "12GiB"}}};
        types.insert(types.end(), {ElementType::Fp8, ElementType::Bf16, ElementType::Fp8E5m2});
    } else if (engine == "sglang") {
        options = {{"mem_fraction_static", {0.8, 0.9}}, {"page_size", numbers({1, 16, 64})}, {"swa_full_tokens_ratio", {0.8, 0.5}}, {"enable_dp_attention", yesNo},
                   {"decode_context_parallel", numbers({1, 2})}, {"draft_layers", numbers({0, 1})}, {"conv_dtype", {"fp32", "bf16"}}, {"ssm_dtype", {"bf16", "fp32"}},
                   {"max_running_requests", numbers({16, 128})}, {"chunked_prefill_size", numbers({4096})}, {"cuda_graph_max_bs", numbers({32})},
                   {"mamba_full_memory_ratio", {0.9, 0.5}}, {"max_mamba_cache_size", numbers({100})}, {"disable_radix_cache", yesNo}};
        types.insert(types.end(), {ElementType::Fp8, ElementType::Bf16, ElementType::Mxfp8});
    } else if (engine == "tensorrt-llm") {
        options = {{"free_gpu_memory_fraction", {0.9, 0.7}}, {"max_batch_size", numbers({8, 64, 2048})}, {"tokens_per_block", numbers({16, 32, 128})},
                   {"enable_attention_dp", yesNo}, {"draft_layers", numbers({0, 1})}, {"ssm_dtype", {"float32", "bf16"}}, {"max_attention_window", {"4096", "4096,0"}},
                   {"available_kv_bytes", {Json(std::int64_t{20} << 30), "12GiB"}}};
        types.insert(types.end(), {ElementType::Fp8, ElementType::Nvfp4});
    } else {
        options = {{"n_ctx", numbers({0, 5000, 65536})}, {"n_parallel", numbers({1, 4, 16})}, {"kv_unified", yesNo}, {"swa_full", yesNo}, {"flash_attn", {"on", "off", "auto"}},
                   {"n_batch", numbers({512, 2048})}, {"n_ubatch", numbers({128, 512, 1024})}, {"fit_margin_bytes", {"2GiB", "512MiB"}}, {"n_gpu_layers", numbers({10, 99})},
                   {"tensor_split", {"3,1", "1,1"}}, {"no_kv_offload", yesNo}, {"cpu_moe", yesNo}, {"n_cpu_moe", numbers({4})}};
        types.insert(types.end(), {ElementType::Q8_0, ElementType::Q4_0, ElementType::Bf16, ElementType::Fp32});
    }
    return choices;
}

std::vector<const Preset *> modelsOfRepositories() {
    std::vector<const Preset *> models;
    for (const Preset &preset : presets())
        if (!preset.repository.empty())
            models.push_back(&preset);
    return models;
}

Scenario made(const QByteArray &engine, const Choices &choices, std::mt19937 &random) {
    static const std::vector<const Preset *> models = modelsOfRepositories();
    const auto pick = [&](const auto &list) { return list[random() % list.size()]; };
    Scenario s = firstScenario();
    s.model = {};
    s.model.preset = pick(models)->id;
    s.model.spec = *presetModel(s.model.preset);
    s.engine = {engine.toStdString(), Json::object()};
    for (const auto &[name, values] : choices.options)
        if (random() % 4 == 0)
            s.engine.options.set(name, pick(values));
    s.kv.key = s.kv.value = pick(choices.types);
    if (engine == "llama-cpp" && random() % 2 == 0)
        s.kv.value = pick(choices.types);
    if (engine == "vllm" || engine == "sglang")
        s.weights.dtype = pick(std::vector<const char *>{"", "", "bf16", "fp16"});
    s.workload.context = Tokens(pick(std::vector<std::int64_t>{1, 1000, 4096, 32768, 131072}));
    s.workload.sequences = Count(pick(std::vector<std::int64_t>{1, 3, 10}));
    s.hardware.gpu = pick(std::vector<const char *>{"h100-sxm-80gb", "h200-sxm-141gb", "rtx-4090-24gb"});
    s.parallel.tp = Count(pick(std::vector<std::int64_t>{1, 2, 4, 8}));
    s.parallel.pp = Count(engine == "llama-cpp" ? 1 : pick(std::vector<std::int64_t>{1, 1, 2}));
    s.parallel.dp = Count(engine == "vllm" || engine == "sglang" ? pick(std::vector<std::int64_t>{1, 1, 2}) : 1);
    s.parallel.expertParallel = engine != "llama-cpp" && s.parallel.tp->value > 1 && random() % 4 == 0;
    const Json *dpAttention = s.engine.options.find("enable_dp_attention");
    const bool dpInside = dpAttention && dpAttention->boolean();
    s.hardware.count = Count(s.parallel.tp->value * s.parallel.pp->value * (dpInside ? 1 : s.parallel.dp->value));
    // A limit that is the context is what vLLM is planned with anyway; the line cannot tell the two apart.
    if (const Json *longest = s.engine.options.find("max_model_len"); longest && longest->integer() == s.workload.context.value)
        s.engine.options.erase("max_model_len");
    if (const Json *served = s.engine.options.find("n_parallel"); served && served->integer() == s.workload.sequences.value) // nor these
        s.engine.options.erase("n_parallel");
    return s;
}

} // namespace

/// A command that was written plans the same when it is read.
class LaunchRoundTripTest : public QObject {
    Q_OBJECT

private slots:
    void roundTrip_data();
    void roundTrip();
};

void LaunchRoundTripTest::roundTrip_data() {
    QTest::addColumn<QByteArray>("engine");
    for (const char *engine : {"vllm", "sglang", "tensorrt-llm", "llama-cpp"})
        QTest::newRow(engine) << QByteArray(engine);
}

void LaunchRoundTripTest::roundTrip() {
    QFETCH(QByteArray, engine);
    const Choices choices = choicesOf(engine);
    std::mt19937 random(20);
    constexpr int rounds = 500;
    int planned = 0;
    for (int round = 0; round < rounds; ++round) {
        const Scenario s = made(engine, choices, random);
        if (!evaluate(s).ok())
            continue;
        const LaunchCommand launch = launchCommand(s);
        QVERIFY(!launch.empty());
        // What the command cannot say is said beside it, and is lost on the way back.
        const QByteArray codes = codesOf(launch.notes);
        if (codes.contains("no-flag") || codes.contains("weights-need-checkpoint") || codes.contains("draft-of-its-own"))
            continue;
        ++planned;
        const Parsed<Scenario> back = readLaunch(launch.script(round % 2 == 0), baseOf(s), LaunchLoad::Base);
        QVERIFY2(back.value.has_value(), launch.text().c_str());
        QVERIFY2(figures(*back) == figures(s), (launch.text() + "\n" + writeJson(writeScenario(s, {})) + "\n" + writeJson(writeScenario(*back, {}))).c_str());
    }
    QVERIFY2(planned > rounds / 4, QByteArray::number(planned).constData());
}

KV_TEST(LaunchRoundTripTest)
#include "launchroundtriptest.moc"
