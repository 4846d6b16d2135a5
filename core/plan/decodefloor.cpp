// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/decodefloor.h"

#include "core/base/rounding.h"
#include "core/cache/cachepart.h"
#include "core/workload/lengths.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kv {

namespace {

/// The host holds more than the embedding, which is looked up there row by row and not read (llama.cpp keeps it there always).
bool readsFromHost(const Plan &plan) {
    return plan.host && (plan.host->kv > Bytes(0) || plan.host->weights > plan.host->lookedUp);
}

/// k/E of the routed experts.
double activeShareOf(const WeightSpec &weights) {
    double elements = 0;
    for (const WeightPart &part : weights.parts)
        elements += part.kind == WeightPartKind::Experts ? static_cast<double>(part.elements) : 0;
    if (!(elements > 0) || weights.activeParameters <= 0)
        return 1;
    return std::clamp(1 - static_cast<double>(weights.parameters - weights.activeParameters) / elements, 0.0, 1.0);
}

std::int64_t headsOf(const CachePart &part) {
    return std::visit([](const auto &kind) -> std::int64_t {
        if constexpr (requires { kind.heads.kvHeads; })
            return std::max<std::int64_t>(1, kind.heads.kvHeads);
        else
            return 1;
    }, part);
}

/// Into how many pieces the GPUs that work side by side on a request cut a part of the cache.
double piecesOf(const Plan &plan, CacheKind kind, const CachePart &part, std::int64_t abreast) {
    if (plan.engine.id == "textbook" || plan.engine.id == "transformers" || kind == CacheKind::State)
        return static_cast<double>(abreast); // even on paper
    return static_cast<double>(std::min(abreast, headsOf(part)));
}

/// What a sequence of `tokens` keeps of one part, all its layers, and what a step attends to of it.
struct Kept {
    double all = 0, chosen = 0;
};

/// Of a token, all layers. vLLM (v1/attention/backends/mla/indexer.py) and SGLang (mem_cache/memory_pool.py) keep index keys in bytes with a
/// scale of four for every 128, whatever the type of the rest.
Bytes tokenOf(const Plan &plan, const PartTerms &terms, const CachePart &part) {
    const auto *index = std::get_if<IndexKeys>(&part);
    return index && (plan.engine.id == "vllm" || plan.engine.id == "sglang") ? std::min(terms.perToken, Bytes(index->size + index->size / 128 * 4) * terms.layers) : terms.perToken;
}

Kept keptAt(const Plan &plan, const PartTerms &terms, const CachePart &part, double tokens) {
    const CacheTypes &types = plan.kv.types;
    const double token = static_cast<double>(tokenOf(plan, terms, part).value), most = static_cast<double>(plan.model->sparseTokens);
    if (const auto *compressed = std::get_if<CompressedAttention>(&part)) {
        const double all = static_cast<double>(bytesAt(part, Tokens(static_cast<std::int64_t>(tokens)), types).value) * static_cast<double>(terms.layers);
        const double entries = compressed->ratio > 0 ? std::floor(tokens / static_cast<double>(compressed->ratio)) : 0;
        const bool chooses = compressed->indexSize > 0 && most > 0;
        return {all, all - (chooses ? std::max(0.0, entries - most) * static_cast<double>(vectorBytes(compressed->headDim, types.key).value * terms.layers) : 0)};
    }
    const double limit = static_cast<double>(terms.terms.limit.value);
    const double all = token * (limit > 0 ? std::min(tokens, limit) : tokens);
    return {all, terms.kind == CacheKind::Latent && most > 0 ? std::min(all, token * most) : all};
}

/// The same, on average over the lengths of the workload, none beyond the context.
Kept keptBy(const Scenario &scenario, const Plan &plan, const PartTerms &terms, const CachePart &part) {
    const double context = static_cast<double>(scenario.workload.context.value);
    const SharedLengths &lengths = scenario.workload.distribution;
    if (!lengths)
        return keptAt(plan, terms, part, context);
    Kept mean;
    double weight = 0;
    for (const LengthBin &bin : lengths->bins) {
        const Kept kept = keptAt(plan, terms, part, std::min(context, static_cast<double>(bin.tokens)));
        mean.all += bin.weight * kept.all;
        mean.chosen += bin.weight * kept.chosen;
        weight += bin.weight;
    }
    return weight > 0 ? Kept{mean.all / weight, mean.chosen / weight} : keptAt(plan, terms, part, context);
}

/// What one chain of GPUs, one of each stage, reads of the cache.
double cacheReadBy(const Scenario &scenario, const Plan &plan, std::int64_t abreast, double batch) {
    const double prefix = static_cast<double>(std::min(scenario.workload.sharedPrefix, scenario.workload.context).value);
    double sum = 0;
    for (const PartTerms &terms : plan.derivation) {
        if (terms.shape >= plan.model->shapes.size() || terms.part >= plan.model->shapes[terms.shape].parts.size())
            continue;
        const CachePart &part = plan.model->shapes[terms.shape].parts[terms.part];
        const Kept kept = keptBy(scenario, plan, terms, part);
        const double shared = sharesPrefix(part) ? std::min(kept.all, static_cast<double>(terms.perToken.value) * prefix) : 0;
        const double read = std::min(shared + batch * (kept.all - shared), batch * kept.chosen) + batch * static_cast<double>(terms.fixed.value);
        sum += read / piecesOf(plan, terms.kind, part, abreast);
    }
    return sum;
}

/// Sequences beyond those that fit wait, and are not decoded. How many of unlike lengths fit is not the plan's most, which counts whole contexts.
std::int64_t runningOf(const Scenario &scenario, const Plan &plan) {
    const std::int64_t asked = scenario.workload.sequences.value;
    return scenario.workload.distribution ? asked : std::min(asked, plan.fit.maxSequences.value_or(asked));
}

/// Of each stage its fullest GPU, summed over the stages of the first replica.
struct Stages {
    Bytes always, experts, cache;
    std::int64_t count = 0;
};

Stages stagesOf(const Plan &plan) {
    std::map<std::int64_t, Stages> fullest;
    for (const GpuPlan &gpu : plan.gpus) {
        if (gpu.dp != 0)
            continue;
        // llama.cpp's cards follow each other like stages; all others of one stage work side by side.
        Stages &stage = fullest[plan.engine.id == "llama-cpp" ? gpu.index : gpu.pp];
        stage.always = std::max(stage.always, gpu.weights - gpu.experts - gpu.resting);
        stage.experts = std::max(stage.experts, gpu.experts);
        stage.cache = std::max(stage.cache, gpu.kv);
    }
    Stages sum;
    for (const auto &[index, stage] : fullest) {
        sum.always += stage.always;
        sum.experts += stage.experts;
        sum.cache += stage.cache;
        ++sum.count;
    }
    return sum;
}

} // namespace

double expertsTouched(double activeShare, std::int64_t batch) { return 1 - std::pow(1 - activeShare, static_cast<double>(batch)); }

std::string whyNoFloor(const Scenario &scenario, const Plan &plan) {
    if (decodeFloor(scenario, plan))
        return {};
    const Gpu *gpu = findGpu(scenario.hardware.gpu);
    if (!plan.ok())
        return "There is no plan to take it from.";
    if (!scenario.hardware.devices.empty())
        return "Cards of unlike bandwidth: which layers lie on which decides. Plan with alike ones for a bound.";
    if (!gpu || !(gpu->bandwidthGBs > 0))
        return "The memory bandwidth of " + (gpu ? gpu->name : scenario.hardware.gpu) + " is not known: choose a card that has one, or add yours with its bandwidth to the list of GPUs.";
    if (plan.weights.total <= Bytes(0))
        return "The size of the weights is not known: choose their type, or give their bytes by hand.";
    if (runningOf(scenario, plan) < 1)
        return scenario.workload.sequences < Count(1) ? "There is no sequence to decode." : "Not one sequence fits, so that none is decoded.";
    if (readsFromHost(plan))
        return "Part of it lies in the host's memory, whose bandwidth is not known: put all of it on the GPUs for a bound.";
    return "The figures are too large to be divided by a bandwidth.";
}

std::optional<DecodeFloor> decodeFloor(const Scenario &scenario, const Plan &plan) {
    const Gpu *gpu = findGpu(scenario.hardware.gpu);
    if (!plan.ok() || !gpu || !(gpu->bandwidthGBs > 0) || plan.weights.total <= Bytes(0) || !scenario.hardware.devices.empty())
        return std::nullopt;
    if (readsFromHost(plan))
        return std::nullopt; // the host's memory is another bandwidth
    const Stages stages = stagesOf(plan);
    DecodeFloor floor;
    floor.batch = checked::ceilDiv(runningOf(scenario, plan), std::max<std::int64_t>(plan.replicas, 1));
    if (floor.batch < 1 || stages.count < 1 || !stages.always.inRange() || !stages.experts.inRange() || !stages.cache.inRange())
        return std::nullopt;
    const double activeShare = activeShareOf(plan.model->weights);
    const auto touched = [&](std::int64_t batch) { return expertsTouched(activeShare, checked::mul(batch, plan.replicasAtExperts)); };
    const auto weights = [&](std::int64_t batch) { return static_cast<double>(stages.always.value) + static_cast<double>(stages.experts.value) * touched(batch); };
    const std::int64_t abreast = std::max<std::int64_t>(1, plan.gpusInAll / std::max<std::int64_t>(1, checked::mul(plan.replicas, stages.count)));
    const double lies = static_cast<double>(stages.cache.value); // no more is read than lies there
    const double whole = cacheReadBy(scenario, plan, abreast, static_cast<double>(floor.batch)), cache = std::min(lies, whole);
    if (!(cache < 9e18) || !(weights(floor.batch) < 9e18))
        return std::nullopt;
    floor.expertsTouched = stages.experts > Bytes(0) ? touched(floor.batch) : 1;
    floor.weightsRead = Bytes(checked::nearest(weights(floor.batch)));
    floor.cacheRead = Bytes(checked::nearest(cache));
    const double seconds = static_cast<double>((floor.weightsRead + floor.cacheRead).value) / (gpu->bandwidthGBs * 1e9);
    floor.secondsPerToken = seconds;
    floor.tokensPerSecond = seconds > 0 ? static_cast<double>(floor.batch) / seconds : 0;
    constexpr std::int64_t beyondAll = std::int64_t(1) << 32;
    const double part = whole > 0 ? cache / whole : 0; // what lies there, as far as it is less
    const auto overtakes = [&](std::int64_t batch) { return part * cacheReadBy(scenario, plan, abreast, static_cast<double>(batch)) > weights(batch); };
    if (!overtakes(beyondAll))
        return floor;
    std::int64_t low = 0, high = beyondAll;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (overtakes(middle) ? high : low) = middle;
    }
    floor.cacheOvertakes = high;
    return floor;
}

} // namespace kv
