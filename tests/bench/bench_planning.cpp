// SPDX-License-Identifier: GPL-3.0-or-later
//
// bench_planning: how long the questions turned round take, as a table: maps, levers, traces, sums of sequences. Nothing is asserted here.
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/fitmap.h"
#include "core/plan/inflight.h"
#include "core/plan/levers.h"
#include "core/plan/solve.h"
#include "core/workload/percentiles.h"
#include "core/workload/trace.h"
#include "tests/bench/measured.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

namespace {

using namespace kv;
using Clock = std::chrono::steady_clock;

std::vector<double> timed(int rounds, const std::function<void()> &call) {
    std::vector<double> millis;
    for (int round = 0; round < rounds; ++round) {
        const auto start = Clock::now();
        call();
        millis.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    return millis;
}

struct Beside {
    const char *what;
    std::function<void()> call;
};

void report(const std::string &name, int rounds, double aim, const std::function<void()> &call, const Beside &beside = {}) {
    bench::Measured m = bench::summary(name, "ms", timed(rounds, call), aim);
    if (beside.call) {
        m.yardstick = bench::summary({}, "ms", timed(rounds, beside.call)).median;
        m.limit = beside.what;
    }
    bench::say(m);
}

Scenario with(const char *preset, const char *engine) {
    Scenario s = firstScenario();
    if (const auto model = presetModel(preset); model)
        s.model.spec = *model;
    s.engine.id = engine;
    return s;
}

std::string millionRows() {
    const std::string path = (std::filesystem::temp_directory_path() / "kvplanner-bench-trace.csv").string();
    std::ofstream file(path);
    file << "TIMESTAMP,ContextTokens,GeneratedTokens\n";
    for (int i = 0; i < 1'000'000; ++i)
        file << "2023-11-16 18:15:46.6805900," << 100 + i % 29'989 << "," << i % 900 << "\n";
    return path;
}

} // namespace

int main() {
    volatile std::int64_t sink = 0;
    for (const auto &[preset, engine] : {std::pair{"llama-3.1-70b", "textbook"}, {"llama-3.1-70b", "vllm"}, {"qwen3.5-35b-a3b", "vllm"}, {"gemma-3-27b", "sglang"},
                                         {"gemma-3-27b", "llama-cpp"}, {"llama-3.1-70b", "tensorrt-llm"}, {"gemma-3-27b", "transformers"}}) {
        const Scenario s = with(preset, engine);
        const std::string of = std::string(", ") + preset + ", " + engine;
        report("fit map 256 x 256" + of, 15, std::string_view(engine) == "textbook" ? 8 : 20, [&] { sink = sink + static_cast<std::int64_t>(fitMap(s, {}).columns.size()); },
               {"one plan a column, of 256", [&] { for (int i = 0; i < 256; ++i) sink = sink + evaluate(s).kv.total.value; }});
        report("levers" + of, 15, 20, [&] { sink = sink + static_cast<std::int64_t>(levers(s).list.size()); },
               {"one plan a lever", [&, n = levers(s).list.size()] { for (std::size_t i = 0; i < n; ++i) sink = sink + evaluate(s).kv.total.value; }});
        report("most users" + of, 15, NAN, [&] { sink = sink + solve(s, Question::Users).answer.value_or(0); },
               {"one plan", [&] { sink = sink + evaluate(s).kv.total.value; }});
    }
    const std::string trace = millionRows();
    report("a trace of a million rows", 5, 500, [&] { sink = sink + readTrace(trace)->count; },
           {"the file read and its lines counted", [&] {
                std::ifstream file(trace, std::ios::binary);
                std::string block(1 << 16, '\0');
                while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
                    sink = sink + std::count(block.begin(), block.begin() + file.gcount(), '\n');
            }});
    std::filesystem::remove(trace);
    const Lengths lengths = lengthsThrough(2000, 9000, 40'000);
    std::vector<SizeBin> bins;
    for (const LengthBin &bin : lengths.bins)
        bins.push_back({bin.tokens * 40'960, bin.weight});
    report("100,000 draws of 1,000 sequences", 5, 100, [&] { sink = sink + totalOf(bins, 1000, {})->p99; });
    std::vector<SizeBin> blocks;
    for (const LengthBin &bin : lengths.bins)
        blocks.push_back({(bin.tokens + 1023) / 1024 * 1024, bin.weight});
    report("convolution of 1,000 sequences in blocks of 1,024 tokens", 5, NAN, [&] { sink = sink + totalOf(blocks, 1000, {})->p99; });
    report("most sequences at p99, drawn", 5, NAN, [&] { sink = sink + mostWithin(bins, std::int64_t(54) << 30, 0.99, 1'000'000).value_or(0); });
    Scenario s = with("llama-3.1-70b", "vllm");
    s.workload.distribution.value = std::make_shared<const Lengths>(lengths);
    const Plan plan = evaluateHere(s);
    report("lengths in flight, llama-3.1-70b, vllm", 5, NAN, [&] { sink = sink + inFlight(s, plan)->mostAtP99; });
    return 0;
}
