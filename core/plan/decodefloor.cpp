// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/decodefloor.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace kv {

namespace {

struct Read {
    double always = 0, experts = 0; ///< shares of the stored bytes that a step reads whatever the batch, and that routed experts are
    double activeShare = 1;         ///< k/E
};

/// The host holds no more than the embedding, which is looked up there row by row and not read (llama.cpp keeps it there always).
bool onlyEmbeddingOnHost(const Plan &plan) {
    if (!plan.host || plan.host->kv > Bytes(0))
        return false;
    double embedding = 0, all = 0;
    for (const WeightPart &part : plan.model->weights.parts) {
        all += static_cast<double>(part.elements);
        embedding += part.kind == WeightPartKind::Embedding ? static_cast<double>(part.elements) : 0;
    }
    return all > 0 && static_cast<double>(plan.host->weights.value) <= static_cast<double>(plan.weights.total.value) * embedding / all * 1.001;
}

bool readsFromHost(const Plan &plan) {
    return plan.host && (plan.host->weights > Bytes(0) || plan.host->kv > Bytes(0)) && !onlyEmbeddingOnHost(plan);
}

/// `apart`: an embedding that is not the head as well does not lie on the GPUs.
Read sharesOf(const WeightSpec &weights, bool apart) {
    Read read;
    double all = 0, skipped = 0, experts = 0, expertElements = 0;
    const bool ownHead = std::ranges::any_of(weights.parts, [](const WeightPart &part) { return part.kind == WeightPartKind::Head; });
    for (const WeightPart &part : weights.parts) {
        const double bytes = static_cast<double>(part.stored.value);
        const bool lookedUp = part.kind == WeightPartKind::Embedding && ownHead;
        if (lookedUp && apart)
            continue;
        all += bytes;
        if (lookedUp || part.kind == WeightPartKind::Draft || part.kind == WeightPartKind::Vision)
            skipped += bytes;
        if (part.kind == WeightPartKind::Experts) {
            experts += bytes;
            expertElements += static_cast<double>(part.elements);
        }
    }
    if (!(all > 0))
        return {1, 0, 1};
    read.experts = experts / all;
    read.always = 1 - (skipped + experts) / all;
    if (expertElements > 0 && weights.activeParameters > 0) {
        const double resting = static_cast<double>(weights.parameters - weights.activeParameters);
        read.activeShare = std::clamp(1 - resting / expertElements, 0.0, 1.0);
    }
    return read;
}

/// Of each stage its fullest GPU, summed over the stages of the first replica.
struct Stages {
    Bytes weights, cache;
};

Stages stagesOf(const Plan &plan) {
    std::map<std::int64_t, Stages> fullest;
    for (const GpuPlan &gpu : plan.gpus) {
        if (gpu.dp != 0)
            continue;
        // llama.cpp's cards follow each other like stages; all others of one stage work side by side.
        Stages &stage = fullest[plan.engine.id == "llama-cpp" ? gpu.index : gpu.pp];
        stage.weights = std::max(stage.weights, gpu.weights);
        stage.cache = std::max(stage.cache, gpu.kv);
    }
    Stages sum;
    for (const auto &[index, stage] : fullest) {
        sum.weights += stage.weights;
        sum.cache += stage.cache;
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
    const Read read = sharesOf(plan.model->weights, onlyEmbeddingOnHost(plan));
    const Stages stages = stagesOf(plan);
    DecodeFloor floor;
    floor.batch = checked::ceilDiv(scenario.workload.sequences.value, std::max<std::int64_t>(plan.replicas, 1));
    if (floor.batch < 1 || !stages.weights.inRange() || !stages.cache.inRange())
        return std::nullopt;
    const double stored = static_cast<double>(stages.weights.value);
    const auto weights = [&](std::int64_t batch) { return stored * (read.always + read.experts * expertsTouched(read.activeShare, batch)); };
    const double each = static_cast<double>(stages.cache.value) / static_cast<double>(floor.batch);
    floor.expertsTouched = read.experts > 0 ? expertsTouched(read.activeShare, floor.batch) : 1;
    floor.weightsRead = Bytes(std::llround(weights(floor.batch)));
    floor.cacheRead = stages.cache;
    const double seconds = static_cast<double>((floor.weightsRead + floor.cacheRead).value) / (gpu->bandwidthGBs * 1e9);
    floor.secondsPerToken = seconds;
    floor.tokensPerSecond = seconds > 0 ? static_cast<double>(floor.batch) / seconds : 0;
    constexpr std::int64_t beyondAll = std::int64_t(1) << 32;
    const auto overtakes = [&](std::int64_t batch) { return each * static_cast<double>(batch) > weights(batch); };
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
