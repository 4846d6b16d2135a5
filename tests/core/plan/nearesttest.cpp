// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/evaluate.h"
#include "core/plan/nearest.h"
#include "core/report/planjson.h"
#include "core/scenario/scenariofile.h"
#include "tests/testmain.h"

#include <QTest>

using namespace kv;

namespace {

Scenario read(const char *json) {
    const Parsed<Json> object = parseJson(json, "test");
    const Parsed<Scenario> scenario = object ? readScenario(*object, {}, firstScenario()) : Parsed<Scenario>{};
    return scenario ? *scenario : Scenario{};
}

/// RFC 7396, as somebody who reads "set" from the JSON would apply it.
void merge(Json &target, const Json &patch) {
    for (const auto &[key, value] : patch.members()) {
        Json *there = target.find(key);
        if (value.isNull())
            target.erase(key);
        else if (there && there->isObject() && value.isObject())
            merge(*there, value);
        else
            target.set(key, value);
    }
}

} // namespace

class NearestTest : public QObject {
    Q_OBJECT

private slots:
    void offered_data();
    void offered();
    void nothingWhenItWorks();
    void countsBeyondAnySearchEnd();
    void saidInJson();
};

// A number of GPUs that nobody has is not walked through; before, this did not end.
void NearestTest::countsBeyondAnySearchEnd() {
    Scenario s = firstScenario();
    s.parallel.tp = Count(8);
    s.hardware.count = Count(1'000'000'000'000);
    QVERIFY(!evaluate(s).ok());
    for (const Alternative &other : nearestThatWork(s))
        QVERIFY(evaluate(other.scenario).ok());
}

void NearestTest::offered_data() {
    QTest::addColumn<QByteArray>("scenario");
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<QByteArray>("wanted"); // one of the changes
    const auto row = [](const char *name, const char *scenario, const char *code, const char *wanted) {
        QTest::newRow(name) << QByteArray(scenario) << QByteArray(code) << QByteArray(wanted);
    };
    row("six GPUs as stages", R"({"parallel": {"tp": 6}, "engine": {"id": "vllm"}})", "tp-does-not-divide", "TP 2 × PP 3 on 6 GPUs");
    row("six GPUs, four of them", R"({"parallel": {"tp": 6}, "engine": {"id": "vllm"}})", "tp-does-not-divide", "TP 4 on 4 GPUs");
    row("six GPUs and two more", R"({"parallel": {"tp": 6}, "engine": {"id": "vllm"}})", "tp-does-not-divide", "TP 8 on 8 GPUs");
    row("SGLang", R"({"parallel": {"tp": 6}, "engine": {"id": "sglang"}})", "impossible-parallel", "TP 8 on 8 GPUs");
    row("TensorRT-LLM", R"({"parallel": {"tp": 6}, "engine": {"id": "tensorrt-llm"}})", "tp-does-not-divide", "TP 4 on 4 GPUs");
    row("DCP with windows", R"({"model": {"preset": "gpt-oss-20b"}, "parallel": {"tp": 2}, "engine": {"id": "vllm", "options": {"decode_context_parallel": 2}}})",
        "context-parallel-needs-one-group", "decode_context_parallel 1");
    row("stages beyond the layers", R"({"parallel": {"tp": 1, "pp": 100}, "engine": {"id": "vllm"}})", "more-stages-than-layers", "TP 1 × PP 80 on 80 GPUs");
    row("llama.cpp in stages", R"({"parallel": {"tp": 2, "pp": 4}, "engine": {"id": "llama-cpp"}})", "impossible-parallel", "TP 8 on 8 GPUs");
    row("quantised V without flash attention", R"({"kv": {"dtype": "q8_0"}, "engine": {"id": "llama-cpp", "options": {"flash_attn": "off"}}})",
        "needs-flash-attention", "flash_attn on");
    row("the same, by the type", R"({"kv": {"dtype": "q8_0"}, "engine": {"id": "llama-cpp", "options": {"flash_attn": "off"}}})",
        "needs-flash-attention", "K in q8_0, V in fp16");
    row("unlike types of a latent model", R"({"model": {"preset": "deepseek-v3"}, "kv": {"k": "q8_0", "v": "fp16"}, "engine": {"id": "llama-cpp"}})",
        "unlike-kv-types", "KV cache in q8_0");
    row("GGUF's type in vLLM", R"({"kv": {"dtype": "q8_0"}, "engine": {"id": "vllm"}})", "type-not-taken", "KV cache in fp8");
    row("a block between", R"({"engine": {"id": "vllm", "options": {"block_size": 33}}})", "bad-block-size", "block_size 32");
    row("a misspelt option", R"({"engine": {"id": "vllm", "options": {"block_sise": 32}}})", "unknown-option", "block_size 32");
    row("a misspelt engine", R"({"engine": {"id": "vlm"}})", "unknown-engine", "count like vLLM");
    row("a release before all", R"({"engine": {"id": "vllm", "options": {"version": "0.5"}}})", "unknown-version", "version 0.6");
    row("too many slots", R"({"workload": {"sequences": 300}, "engine": {"id": "llama-cpp"}})", "too-many-slots", "256 sequences");
    row("a static cache too short", R"({"workload": {"context": 4000}, "engine": {"id": "transformers", "options": {"cache": "static", "max_cache_len": 1000}}})",
        "context-beyond-cache", "max_cache_len 4,000");
    row("the same, by the context", R"({"workload": {"context": 4000}, "engine": {"id": "transformers", "options": {"cache": "static", "max_cache_len": 1000}}})",
        "context-beyond-cache", "context 1,000");
    row("a step without a token for each", R"({"engine": {"id": "vllm", "options": {"max_num_seqs": 512, "max_num_batched_tokens": 256}}})",
        "batch-below-sequences", "max_num_batched_tokens 512");
    row("the same, by the sequences", R"({"engine": {"id": "vllm", "options": {"max_num_seqs": 512, "max_num_batched_tokens": 256}}})", "batch-below-sequences",
        "max_num_seqs 256");
    row("unlike cards", R"({"hardware": {"gpu": null, "count": null, "devices": [{"gpu": "h100-sxm-80gb", "count": 2}, {"gpu": "l40s-48gb", "count": 1}]}, "engine": {"id": "vllm"}})",
        "unlike-devices", "alike cards: 2 × H100 SXM 80 GB");
    row("weights in a misspelt type", R"({"weights": {"dtype": "bf61"}})", "unknown-weight-type", "weights in bf16");
    row("weights in no type", R"({"weights": {"dtype": "bf61"}})", "unknown-weight-type", "weights as they are stored");
    row("a count that contradicts", R"({"hardware": {"count": 8}, "parallel": {"tp": 3}})", "count-contradicts-parallel", "TP 8 on 8 GPUs");
    row("a prefix longer than all", R"({"workload": {"context": 100, "shared_prefix": 200}})", "prefix-beyond-context", "shared prefix 100");
    row("a card misspelt", R"({"hardware": {"gpu": "h100-sxm-80g"}})", "unknown-gpu", "GPU h100-sxm-80gb");
}

void NearestTest::offered() {
    QFETCH(QByteArray, scenario);
    QFETCH(QByteArray, code);
    QFETCH(QByteArray, wanted);
    const Scenario asked = read(scenario.constData());
    const Plan plan = evaluate(asked);
    QVERIFY(plan.refusal);
    QCOMPARE(QByteArray::fromStdString(plan.refusal->code), code);
    const std::vector<Alternative> found = nearestThatWork(asked);
    QVERIFY(!found.empty() && found.size() <= mostAlternatives);
    QByteArray all;
    for (const Alternative &other : found) {
        all += QByteArray::fromStdString(other.change) + "; ";
        const Plan made = evaluate(other.scenario);
        QVERIFY2(made.ok(), other.change.c_str());
        QCOMPARE(other.fits, made.fit.fits);
        // The patch says the same as the scenario beside it.
        Json object = writeScenario(asked, {});
        merge(object, other.patch);
        const Parsed<Scenario> patched = readScenario(object, {}, firstScenario());
        QVERIFY2(patched.value.has_value(), other.change.c_str());
        QCOMPARE(writeJson(planToJson(*patched, evaluate(*patched))), writeJson(planToJson(other.scenario, made)));
    }
    QVERIFY2(all.contains(wanted + ';'), all.constData());
}

void NearestTest::nothingWhenItWorks() {
    QVERIFY(nearestThatWork(firstScenario()).empty());
    QVERIFY(nearestThatWork(Scenario{}).empty()); // no model: nothing near it works
}

void NearestTest::saidInJson() {
    const Scenario asked = read(R"({"parallel": {"tp": 6}, "engine": {"id": "vllm"}})");
    std::string text;
    appendRefusalJson(text, *evaluate(asked).refusal, nullptr, false, nearestThatWork(asked));
    const Parsed<Json> object = parseJson(text, "refusal");
    QVERIFY(object.value.has_value());
    const Json *list = object->find("error")->find("try");
    QVERIFY(list && list->isArray() && !list->items().empty());
    QVERIFY(list->items().front().find("set")->find("parallel")->find("tp"));
}

KV_TEST(NearestTest)
#include "nearesttest.moc"
