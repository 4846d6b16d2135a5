// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_core: how long the core takes and how often it asks for memory, as a table. Beside each result, what a copy of it takes: it has to be
// written at least once. Nothing is asserted here; machines differ.
#include "core/log/logreader.h"
#include "core/model/catalogue.h"
#include "core/model/configreader.h"
#include "core/plan/evaluate.h"
#include "core/plan/explain.h"
#include "core/plan/sweep.h"
#include "core/report/planjson.h"
#include "core/scenario/scenario.h"
#include "core/scenario/scenariofile.h"
#include "tests/bench/countednews.h"
#include "tests/bench/measured.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace {

using namespace kv;
using Clock = std::chrono::steady_clock;

/// Rounds of `times` calls each, in microseconds a call.
std::vector<double> timed(int times, const std::function<void()> &call) {
    constexpr int rounds = 200;
    std::vector<double> micros;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        for (int i = 0; i < times; ++i)
            call();
        micros.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count() / times);
    }
    return micros;
}

struct Beside {
    const char *what;
    std::function<void()> call;
};

void report(const std::string &name, int times, double aim, const std::function<void()> &call, const Beside &beside) {
    bench::Measured m = bench::summary(name, "µs", timed(times, call), aim);
    m.yardstick = bench::summary({}, "µs", timed(times, beside.call)).median;
    m.limit = beside.what;
    bench::say(m);
}

/// What one call asks the heap for.
void reportNews(const std::string &name, double aim, const std::function<void()> &call, const Beside &beside) {
    const auto counted = [](const std::function<void()> &one) {
        const long before = bench::news();
        one();
        return static_cast<double>(bench::news() - before);
    };
    const double n = counted(call);
    bench::Measured m{name, "allocations", n, n, n, aim};
    m.yardstick = counted(beside.call);
    m.limit = beside.what;
    bench::say(m);
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
    const auto copied = [&](const auto &value) { return Beside{"a copy of the result", [&] { const auto copy = value; sink = sink + (&copy != &value); }}; };
    const std::pair<const char *, const char *> pairs[]{
        {"llama-3.1-70b", "textbook"}, {"qwen3.5-35b-a3b", "textbook"}, {"gemma-3-27b", "textbook"}, {"llama-3.1-70b", "sglang"}, {"llama-3.1-70b", "tensorrt-llm"},
        {"llama-3.1-70b", "vllm"}, {"qwen3.5-35b-a3b", "vllm"}, {"qwen3.5-35b-a3b", "sglang"}, {"qwen3.5-35b-a3b", "tensorrt-llm"}, {"qwen3.5-35b-a3b", "llama-cpp"},
        {"qwen3.5-35b-a3b", "transformers"}, {"gpt-oss-120b", "vllm"}, {"gpt-oss-120b", "sglang"}};
    for (const auto &[preset, engine] : pairs) {
        const Scenario s = with(preset, engine);
        const Plan plan = evaluate(s);
        if (plan.ok())
            report(std::string("evaluate, ") + preset + ", " + engine, 50, std::string_view(engine) == "textbook" ? 2 : 50, [&] { sink = sink + evaluate(s).kv.total.value; }, copied(plan));
    }
    for (const char *engine : {"textbook", "vllm", "sglang", "tensorrt-llm", "llama-cpp", "transformers"}) {
        const Scenario s = with("llama-3.1-70b", engine);
        const Plan plan = evaluate(s);
        reportNews(std::string("a drag step in the core's numbers, llama-3.1-70b, ") + engine, 0, [&] { sink = sink + evaluate(s).kv.total.value; }, copied(plan));
    }
    const Scenario first = firstScenario();
    const Plan plan = evaluate(first);
    const ElementType types[]{ElementType::Fp8, ElementType::Int4};
    const auto sweep = [&] { return sweepContext(first, plan, Tokens(1024), Tokens(262144), types); };
    const Sweep swept = sweep();
    report("three curves over the context", 5, NAN, [&] { sink = sink + static_cast<std::int64_t>(sweep().curves.size()); }, copied(swept));
    const auto explained = explain(first, plan, SizeUnit::Decimal);
    report("explain", 20, NAN, [&] { sink = sink + static_cast<std::int64_t>(explain(first, plan, SizeUnit::Decimal).size()); }, copied(explained));
    const auto judged = verdict(first, plan, SizeUnit::Decimal);
    report("verdict", 20, NAN, [&] { sink = sink + static_cast<std::int64_t>(verdict(first, plan, SizeUnit::Decimal).headline.size()); }, copied(judged));
    const std::string line = R"({"model": {"preset": "llama-3.1-70b"}, "workload": {"context": 131072, "sequences": 10}, "hardware": {"count": 8}})";
    const auto answer = nlohmann::json::parse(writeJson(planToJson(first, plan)));
    report("a line of a batch, from text to text", 20, NAN, [&] {
        const Parsed<Json> object = parseJson(line, "line 1");
        const Parsed<Scenario> scenario = readScenario(*object, {}, first);
        std::string out;
        appendPlanJson(out, *scenario, evaluate(*scenario));
        sink = sink + static_cast<std::int64_t>(out.size());
    }, {"nlohmann_json alone: the line parsed and the answer written", [&] { sink = sink + static_cast<std::int64_t>(nlohmann::json::parse(line).size() + answer.dump().size()); }});
    const std::string config = writeJson(*first.model.spec->source);
    report("a config of " + std::to_string(config.size()) + " bytes read", 20, 50, [&] { sink = sink + (readConfigText(config, "model", "config.json") ? 1 : 0); },
           {"nlohmann_json alone: the text parsed and checked, nothing kept", [&] { sink = sink + nlohmann::json::accept(config); }});
    std::string log = "INFO 06-20 10:00:12 [core.py:70] Initializing a V1 LLM engine (v0.9.1) with config: model='m', max_seq_len=40960\n";
    while (log.size() < 600'000)
        log += "INFO:     127.0.0.1:40000 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n";
    report("a log of 600 kB read", 1, NAN, [&] { sink = sink + readServerLogText(log, "log")->lines; }, {"its lines counted", [&] { sink = sink + std::count(log.begin(), log.end(), '\n'); }});
    return 0;
}
