// SPDX-License-Identifier: GPL-3.0-or-later
//
// Totals of sequences of unlike lengths against addition alone, over generated mixes: sums.h adds each size to each sum there is, one
// sequence after the other, and knows neither the transform nor the draws of core/workload. The same once more through engines: what a
// length takes is read off a plan of one sequence of it.
#include "core/model/catalogue.h"
#include "core/plan/evaluate.h"
#include "core/plan/inflight.h"
#include "core/workload/percentiles.h"
#include "tests/oracle/sums.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

using namespace kv;

namespace {

using Bins = std::vector<SizeBin>;
using Sums = std::map<std::int64_t, double>;
using Random = std::mt19937;

constexpr double exactly = 1e-9;

std::int64_t between(Random &random, std::int64_t low, std::int64_t high) { return std::uniform_int_distribution<std::int64_t>(low, high)(random); }

bool fails(int round, const char *what, double found, double expected) {
    std::printf("round %d: %s is %.12g, by addition %.12g\n", round, what, found, expected);
    return false;
}

/// Sizes on a grid of some unit over some base, a few or many, alike or far apart.
Bins madeUp(Random &random) {
    const std::int64_t unit = std::int64_t(1) << between(random, 0, 20), base = between(random, 0, 3) == 0 ? 0 : between(random, 1, 1 << 20), steps = between(random, 1, 50);
    Bins bins;
    for (std::int64_t i = between(random, 1, 9); i > 0; --i)
        bins.push_back({base + unit * between(random, 0, steps), static_cast<double>(between(random, 1, 1000))});
    return bins;
}

double shareUpTo(const Sums &sums, std::int64_t bytes) {
    double below = 0;
    for (const auto &[sum, chance] : sums)
        below += sum <= bytes ? chance : 0;
    return below;
}

bool agreesExactly(int round, const MixTotal &total, const Sums &sums, std::int64_t budget) {
    double mean = 0;
    for (const auto &[sum, chance] : sums)
        mean += static_cast<double>(sum) * chance;
    if (std::abs(total.mean - mean) > exactly * std::max(1.0, mean))
        return fails(round, "the mean", total.mean, mean);
    for (const auto &[said, share] : {std::pair(total.p50, 0.50), {total.p95, 0.95}, {total.p99, 0.99}})
        if (said < test::sumAt(sums, share, exactly) || said > test::sumAt(sums, share, -exactly))
            return fails(round, "a percentile", static_cast<double>(said), static_cast<double>(test::sumAt(sums, share)));
    if (std::abs(*total.above - test::shareAbove(sums, budget)) > exactly)
        return fails(round, "the chance", *total.above, test::shareAbove(sums, budget));
    double before = -1;
    for (const SumPoint &point : total.curve) {
        if (std::abs(point.share - shareUpTo(sums, point.bytes)) > exactly || point.share <= before)
            return fails(round, "a point of the curve", point.share, shareUpTo(sums, point.bytes));
        before = point.share;
    }
    return true;
}

bool mixAgrees(int round, Random &random) {
    const Bins bins = madeUp(random);
    const std::int64_t draws = between(random, 0, 20);
    const Sums sums = test::sumsSlowly(bins, draws);
    const std::int64_t budget = test::sumAt(sums, std::uniform_real_distribution<double>(0, 1)(random));
    const std::optional<MixTotal> total = totalOf(bins, draws, budget);
    if (!total || !total->exact)
        return fails(round, "exact", total.has_value(), 1);
    if (!agreesExactly(round, *total, sums, budget))
        return false;
    const std::int64_t most = mostWithin(bins, budget, 0.99, 40).value_or(-1);
    for (const std::int64_t n : {most, most + 1}) {
        if (n < 1 || n > 40)
            continue;
        const double above = test::shareAbove(test::sumsSlowly(bins, n), budget);
        if (n == most ? above > 0.01 + 2e-9 : above < 0.01 - 2e-9)
            return fails(round, "the chance at the most, or one more", above, 0.01);
    }
    MixOptions drawn;
    drawn.simulate = true;
    drawn.draws = 4000;
    drawn.seed = static_cast<std::uint64_t>(round);
    const double above = test::shareAbove(sums, budget), said = *totalOf(bins, draws, budget, drawn)->above;
    // Five standard errors: one round in two million fails by chance, and the seeds are fixed.
    if (std::abs(said - above) > 5 * std::sqrt(above * (1 - above) / 4000) + 1e-12)
        return fails(round, "the chance by draws", said, above);
    return true;
}

/// What the GPU with the most cache holds of one sequence.
std::int64_t chargeOf(Scenario scenario, std::int64_t tokens) {
    scenario.workload.context = Tokens(tokens);
    scenario.workload.sequences = Count(1);
    std::int64_t most = 0;
    for (const GpuPlan &gpu : evaluateHere(scenario).gpus)
        most = std::max(most, gpu.kv.value);
    return most;
}

bool scenarioAgrees(int round, Random &random) {
    constexpr const char *models[]{"llama-3.1-8b", "llama-3.1-70b", "gemma-3-27b"};
    constexpr const char *engines[]{"textbook", "vllm", "sglang", "transformers"};
    Scenario s = firstScenario();
    s.model.spec = *presetModel(models[between(random, 0, 2)]).value;
    s.engine.id = engines[between(random, 0, 3)];
    s.workload.context = Tokens(32'768);
    s.workload.sequences = Count(between(random, 1, 12));
    std::vector<RequestClass> classes;
    for (std::int64_t i = between(random, 1, 5); i > 0; --i)
        classes.push_back({"", static_cast<double>(between(random, 1, 100)), between(random, 1, 64) * 512, between(random, 0, 1) * 700, 0});
    s.workload.distribution.value = std::make_shared<const Lengths>(lengthsOf(classes));
    const Plan plan = evaluateHere(s);
    const std::optional<InFlight> flight = plan.ok() ? inFlight(s, plan) : std::nullopt;
    if (!flight)
        return fails(round, "a total", 0, 1);
    Bins bins;
    for (const RequestClass &one : classes)
        bins.push_back({chargeOf(s, std::min<std::int64_t>(one.input + one.output, s.workload.context.value)), one.share});
    const GpuPlan &fullest = *std::ranges::max_element(plan.gpus, {}, &GpuPlan::kv);
    const std::int64_t room = (fullest.free + fullest.kv).value;
    return !flight->total.exact || agreesExactly(round, flight->total, test::sumsSlowly(bins, s.workload.sequences.value), room);
}

} // namespace

int main() {
    Random random(20261130);
    const int mixes = 400, scenarios = 60;
    int unlike = 0;
    for (int round = 0; round < mixes; ++round)
        unlike += mixAgrees(round, random) ? 0 : 1;
    for (int round = 0; round < scenarios; ++round)
        unlike += scenarioAgrees(mixes + round, random) ? 0 : 1;
    std::printf("%d mixes and %d scenarios, %d unlike\n", mixes, scenarios, unlike);
    return unlike == 0 ? 0 : 1;
}
