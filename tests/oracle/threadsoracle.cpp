// SPDX-License-Identifier: GPL-3.0-or-later
//
// kv_threads: what the core gives is the same on many threads at once as on one: plans of all engines, searches, levers, presets, a trace, a
// log, a config. Under the thread sanitizer (preset tsan) it also shows that they share nothing that is written.

#include "core/engine/engines.h"
#include "core/log/logreader.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/levers.h"
#include "core/report/markdown.h"
#include "core/scenario/scenario.h"
#include "core/workload/trace.h"

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace kv;

std::string planOf(const char *preset, const char *engine) {
    Scenario s = firstScenario();
    const auto model = presetModel(preset);
    if (!model)
        return "no such preset";
    s.model.spec = *model;
    s.engine.id = engine;
    const Plan plan = evaluate(s);
    std::string text = planMarkdown(s, plan, SizeUnit::Decimal);
    for (const Lever &lever : levers(s).list)
        text += lever.sentence + "\n";
    return text + verdict(s, plan, SizeUnit::Decimal).headline;
}

std::string configOf(int layers) {
    const std::string text = R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 8,
        "vocab_size": 1000, "num_hidden_layers": )" + std::to_string(layers) + "}";
    const auto model = readConfigText(text, "model", "config.json");
    return model ? (*model)->attentionName() + std::to_string((*model)->layerCount()) : "refused";
}

std::string traceOf(int rows) {
    std::string text = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
    for (int i = 0; i < rows; ++i)
        text += "now," + std::to_string(10 + i % 70) + ",5\n";
    const Parsed<Lengths> lengths = readTraceText(text, "trace.csv");
    return lengths ? std::to_string(lengths->count) + " " + std::to_string(lengths->p99) : "refused";
}

std::string logOf(int length) {
    const std::string text = "INFO [core.py:70] Initializing a V1 LLM engine (v0.9.1) with config: model='m', max_seq_len=" + std::to_string(length) +
                             "\nINFO [kv_cache_utils.py:716] GPU KV cache size: 123,456 tokens\n";
    return std::to_string(readServerLogText(text, "log")->lines);
}

} // namespace

int main() {
    std::vector<std::function<std::string()>> works;
    for (const char *preset : {"llama-3.1-70b", "gemma-3-27b", "deepseek-v3", "qwen3.5-35b-a3b", "gpt-oss-120b"})
        for (const Engine *engine : engines())
            works.emplace_back([preset, id = std::string(engine->id())] { return planOf(preset, id.c_str()); });
    for (int i = 1; i < 6; ++i) {
        works.emplace_back([i] { return configOf(i * 7); });
        works.emplace_back([i] { return traceOf(i * 100); });
        works.emplace_back([i] { return logOf(i * 1000); });
    }
    constexpr int threads = 8;
    std::atomic<int> wrong = 0;
    std::vector<std::vector<std::string>> answers(threads, std::vector<std::string>(works.size()));
    std::vector<std::thread> pool;
    // Nothing has been asked for before: the threads meet while every list is read for the first time.
    for (int t = 0; t < threads; ++t)
        pool.emplace_back([&, t] {
            for (std::size_t i = 0; i < works.size(); ++i) {
                const std::size_t at = (i + static_cast<std::size_t>(t) * 3) % works.size();
                answers[static_cast<std::size_t>(t)][at] = works[at]();
            }
        });
    for (std::thread &thread : pool)
        thread.join();
    for (std::size_t i = 0; i < works.size(); ++i) {
        const std::string alone = works[i]();
        for (const std::vector<std::string> &of : answers)
            if (of[i] != alone && wrong++ < 5)
                std::printf("work %zu: \"%.200s\" on a thread, \"%.200s\" alone\n", i, of[i].c_str(), alone.c_str());
    }
    std::printf("%zu works on %d threads, %d answers differ\n", works.size(), threads, wrong.load());
    return wrong == 0 ? 0 : 1;
}
