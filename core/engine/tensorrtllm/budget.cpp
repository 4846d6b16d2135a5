// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensorrtllm/budget.h"

#include "core/base/units.h"
#include "core/engine/options.h"
#include "core/engine/rankweights.h"

#include <algorithm>

namespace kv::tensorrtllm {

namespace {

constexpr std::int64_t megabyte = 1'000'000;
constexpr std::int64_t maxNumTokens = 8192; // llm_args.py BuildConfig default

std::int64_t byTp(std::int64_t tp, std::int64_t one, std::int64_t two, std::int64_t four, std::int64_t eight) {
    return tp >= 8 ? eight : tp >= 4 ? four : tp >= 2 ? two : one;
}

Bytes peak(const Deployment &d) {
    const std::int64_t width = checked::mul(d.model->queryHeads, d.model->headDim);
    const std::int64_t activation = checked::mul(checked::mul(2 * maxNumTokens, width), byTp(d.tp, 10, 6, 5, 5));
    return Bytes(std::max(activation, 70 * mebibyte)) + Bytes(byTp(d.tp, 0, 342, 392, 392) * megabyte) + Bytes(551 * megabyte);
}

} // namespace

std::vector<RankBudget> budgets(const Deployment &d, const std::vector<std::int64_t> &stageLayers) {
    const OptionReader options(d.scenario->engine.options);
    const std::int64_t fraction = options.fraction("free_gpu_memory_fraction").value_or(fractionOne / 10 * 9);
    std::vector<RankBudget> ranks;
    ranks.reserve(stageLayers.size());
    WeightRules rules;
    rules.drafts = options.whole("draft_layers").value_or(0) > 0; // modeling_deepseekv3.py makes them for a speculative mode alone
    if (options.boolean("enable_attention_dp").value_or(false)) {
        rules.attentionTp = 1;
        rules.wholeEmbedding = rules.wholeDense = true;
    }
    for (const RankWeights &weights : rankWeights(d, stageLayers, rules)) {
        RankBudget rank;
        rank.weights = weights.all;
        rank.experts = weights.experts;
        rank.resting = weights.resting;
        if (d.availableKv) {
            rank.available = *d.availableKv;
            rank.reserve = fraction > 0 ? Bytes(checked::mulDiv(rank.available.value, fractionOne - fraction, fraction)) : Bytes(0);
            rank.reserve = std::min(rank.reserve, std::max(Bytes(0), d.memory - rank.weights - rank.available));
            rank.overhead = std::max(Bytes(0), d.memory - rank.reserve - rank.weights - rank.available);
        } else {
            const std::optional<Bytes> byHand = options.size("overhead_bytes");
            rank.display = std::min(d.display, d.memory); // the peak is measured with all that others hold
            rank.overhead = (byHand ? *byHand : peak(d)) + rank.display;
            rank.band = byHand ? Bytes(0) : peakBand;
            const Bytes freeAfterPeak = d.memory - rank.weights - rank.overhead;
            rank.available = freeAfterPeak > Bytes(0) ? Bytes(checked::mulDiv(freeAfterPeak.value, fraction, fractionOne)) : freeAfterPeak;
            rank.reserve = freeAfterPeak - rank.available;
        }
        ranks.push_back(rank);
    }
    return ranks;
}

} // namespace kv::tensorrtllm
