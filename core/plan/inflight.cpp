// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/inflight.h"

#include "core/engine/options.h"
#include "core/plan/deploy.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr std::int64_t mostSequences = std::int64_t{1} << 40; // beyond any memory; the search takes no longer for it

/// What one sequence of `tokens` takes on the fullest GPU, and what its replica keeps once.
struct Charge {
    Bytes each, once;
};

class Charger {
public:
    explicit Charger(const Scenario &scenario) : m_ready(deploy(scenario)), m_prefix(scenario.workload.sharedPrefix) {}

    std::optional<Charge> at(std::int64_t tokens) {
        const std::optional<Bytes> one = fullest(tokens, 1);
        if (!one)
            return std::nullopt;
        if (m_prefix == Tokens(0))
            return Charge{*one, Bytes(0)};
        const std::optional<Bytes> two = fullest(tokens, 2);
        return two ? std::optional(Charge{*two - *one, *one + *one - *two}) : std::nullopt;
    }
    const Deployed &ready() const { return m_ready; }
    /// More sequences than this the engine does not run however short they are: its own limit is asked at one token each.
    std::optional<std::int64_t> mostOfOneToken() {
        Deployment d = m_ready.deployment;
        d.context = Tokens(1);
        d.prefix = Tokens(0);
        d.sequences = Count(d.replicas);
        Plan plan;
        m_ready.engine->plan(d, plan);
        return plan.refusal ? std::nullopt : plan.fit.maxSequences;
    }

private:
    std::optional<Bytes> fullest(std::int64_t tokens, std::int64_t eachReplica) {
        Deployment d = m_ready.deployment;
        d.context = Tokens(tokens);
        d.prefix = std::min(m_prefix, d.context);
        d.sequences = Count(checked::mul(eachReplica, d.replicas));
        Plan plan;
        m_ready.engine->plan(d, plan);
        if (plan.refusal || plan.gpus.empty())
            return std::nullopt;
        const Bytes most = std::ranges::max(plan.gpus, {}, &GpuPlan::kv).kv;
        return most.inRange() ? std::optional(most) : std::nullopt;
    }

    Deployed m_ready;
    Tokens m_prefix;
};

std::optional<std::int64_t> limitOf(const Scenario &scenario, std::int64_t replicas) {
    const OptionReader options(scenario.engine.options);
    for (const char *name : {"max_num_seqs", "max_running_requests", "max_batch_size"})
        if (const auto limit = options.whole(name))
            return checked::mul(*limit, replicas);
    return std::nullopt;
}

/// How often the number that the mean says does not fit. False when cancelled.
bool askMean(const std::vector<SizeBin> &bins, std::int64_t room, const MixOptions &options, InFlight &out) {
    const std::int64_t planned = out.mostWithMean / std::max<std::int64_t>(out.replicas, 1);
    if (planned < 1)
        return true;
    MixOptions fewer = options;
    fewer.draws = std::min<std::int64_t>(options.draws, 20'000); // a third of a per cent is as far as it may be off
    const std::optional<MixTotal> total = totalOf(bins, planned, room, fewer);
    if (total && total->above) {
        out.meanFails = total->above;
        out.meanFailsError = total->aboveError;
    }
    return total.has_value() || !options.goOn || options.goOn();
}

} // namespace

std::optional<InFlight> inFlight(const Scenario &scenario, const Plan &plan, const MixOptions &options) {
    if (!plan.ok() || !scenario.workload.distribution || plan.gpus.empty())
        return std::nullopt;
    const Lengths &lengths = *scenario.workload.distribution;
    Charger charger(scenario);
    if (charger.ready().refusal)
        return std::nullopt;
    InFlight out;
    out.replicas = plan.replicas;
    out.sequences = charger.ready().deployment.fullest().value;
    out.reserved = plan.engine.id == "llama-cpp";
    // The room of the GPU with the most cache: what it has free and what the sequences take now.
    const GpuPlan &fullest = *std::ranges::max_element(plan.gpus, {}, &GpuPlan::kv);
    out.room = fullest.free + fullest.kv;
    const std::int64_t context = scenario.workload.context.value;
    std::vector<SizeBin> bins;
    double weight = 0;
    for (const LengthBin &bin : lengths.bins) {
        out.cut = out.cut || bin.tokens > context;
        out.meanTokens += bin.weight * static_cast<double>(std::min(bin.tokens, context));
        weight += bin.weight;
        const std::int64_t tokens = out.reserved ? context : std::clamp<std::int64_t>(bin.tokens, 1, std::max<std::int64_t>(context, 1));
        if (!bins.empty() && (out.reserved || bin.tokens > context) && bins.back().bytes == -tokens) {
            bins.back().weight += bin.weight;
            continue;
        }
        bins.push_back({-tokens, bin.weight}); // the length for now, told from a size by its sign
    }
    // Uncut lengths have a mean of their own, which their bins may have lost a little of.
    out.meanTokens = out.cut && weight > 0 ? out.meanTokens / weight : lengths.mean;
    for (SizeBin &bin : bins) {
        const std::optional<Charge> charge = charger.at(-bin.bytes);
        if (!charge)
            return std::nullopt;
        bin.bytes = out.reserved && out.sequences > 0 ? checked::ceilDiv(fullest.kv.value, out.sequences) : charge->each.value;
        out.prefix = std::max(out.prefix, charge->once);
    }
    const std::int64_t room = std::max<std::int64_t>((out.room - out.prefix).value, -1);
    std::optional<MixTotal> total = totalOf(bins, out.sequences, room, options);
    const std::optional<Charge> mean = charger.at(out.reserved ? context : std::clamp<std::int64_t>(std::llround(out.meanTokens), 1, std::max<std::int64_t>(context, 1)));
    const std::optional<std::int64_t> most = mostWithin(bins, room, 0.99, mostSequences, options);
    if (!total || !mean || !most)
        return std::nullopt;
    out.total = std::move(*total);
    out.withMean = out.reserved ? fullest.kv : mean->each * out.sequences;
    out.mostAtP99 = *most * plan.replicas;
    out.mostWithMean = mean->each > Bytes(0) && room >= 0 ? checked::mul(floorDiv(Bytes(room), mean->each), plan.replicas) : 0;
    if (const std::optional<std::int64_t> limit = out.reserved ? plan.fit.maxSequences : charger.mostOfOneToken()) {
        // Slots are set aside whole, so what fits is what the plan says; elsewhere the engine's own limit holds beside the memory.
        out.mostAtP99 = out.reserved ? *limit : std::min(out.mostAtP99, *limit);
        out.mostWithMean = out.reserved ? *limit : std::min(out.mostWithMean, *limit);
    }
    out.engineLimit = limitOf(scenario, plan.replicas);
    return !out.reserved && !askMean(bins, room, options, out) ? std::nullopt : std::optional(out);
}

} // namespace kv
