// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_core: how long the core takes, as a table. Nothing is asserted here; machines differ.
#include "core/log/logreader.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/sweep.h"
#include "core/scenario/scenario.h"
#include "tests/bench/measured.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

namespace {

using namespace kv;
using Clock = std::chrono::steady_clock;

/// `rounds` rounds of `times` calls each, in microseconds a call.
void report(const std::string &name, int times, double aim, const std::function<void()> &call) {
    constexpr int rounds = 200;
    std::vector<double> micros;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        for (int i = 0; i < times; ++i)
            call();
        micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count() / times);
    }
    bench::say(bench::summary(name, "µs", std::move(micros), aim));
}

Scenario with(const char *preset, const char *engine) {
    Scenario s = firstScenario();
    if (const auto model = presetModel(preset); model)
        s.model.spec = *model;
    s.engine.id = engine;
    return s;
}

} // namespace

int main() {
    volatile std::int64_t sink = 0;
    for (const auto &[preset, engine] : {std::pair{"llama-3.1-70b", "textbook"}, {"qwen3.5-35b-a3b", "textbook"}, {"gemma-3-27b", "textbook"},
                                         {"llama-3.1-70b", "sglang"}, {"llama-3.1-70b", "tensorrt-llm"}, {"llama-3.1-70b", "vllm"},
                                         {"qwen3.5-35b-a3b", "vllm"}, {"qwen3.5-35b-a3b", "sglang"}, {"qwen3.5-35b-a3b", "tensorrt-llm"},
                                         {"qwen3.5-35b-a3b", "llama-cpp"}, {"qwen3.5-35b-a3b", "transformers"}, {"gpt-oss-120b", "vllm"}, {"gpt-oss-120b", "sglang"}}) {
        const Scenario s = with(preset, engine);
        if (!evaluate(s).ok())
            continue;
        report(std::string("evaluate, ") + preset + ", " + engine, 50, std::string_view(engine) == "textbook" ? 2 : 50, [&] { sink = sink + evaluate(s).kv.total.value; });
    }
    const Scenario first = firstScenario();
    const Plan plan = evaluate(first);
    const ElementType types[]{ElementType::Fp8, ElementType::Int4};
    report("three curves over the context", 5, NAN, [&] { sink = sink + static_cast<std::int64_t>(sweepContext(first, plan, Tokens(1024), Tokens(262144), types).curves.size()); });
    report("explain", 20, NAN, [&] { sink = sink + static_cast<std::int64_t>(explain(first, plan, SizeUnit::Decimal).size()); });
    report("verdict", 20, NAN, [&] { sink = sink + static_cast<std::int64_t>(verdict(first, plan, SizeUnit::Decimal).headline.size()); });
    const std::string config = writeJson(*first.model.spec->source);
    report("a config of " + std::to_string(config.size()) + " bytes read", 20, 50, [&] { sink = sink + (readConfigText(config, "model", "config.json") ? 1 : 0); });
    std::string log = "INFO 06-20 10:00:12 [core.py:70] Initializing a V1 LLM engine (v0.9.1) with config: model='m', max_seq_len=40960\n";
    while (log.size() < 600'000)
        log += "INFO:     127.0.0.1:40000 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n";
    report("a log of 600 kB read", 1, NAN, [&] { sink = sink + readServerLogText(log, "log")->lines; });
    return 0;
}
