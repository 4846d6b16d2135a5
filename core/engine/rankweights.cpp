// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rankweights.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(WeightPartKind::Vision) + 1;
constexpr std::size_t layerInputs = kinds; ///< embeddings that name a layer: looked up, and never the head
using Sums = std::array<Bytes, kinds + 1>; ///< of one stage, by kind, before anything is cut

bool isLayerInput(const WeightPart &part) { return part.kind == WeightPartKind::Embedding && part.layer >= 0; }

/// Into how many pieces tensor parallel cuts a part.
std::int64_t pieces(WeightPartKind kind, const Deployment &d, const WeightRules &rules) {
    const std::int64_t attention = rules.attentionTp > 0 ? rules.attentionTp : d.tp;
    switch (kind) {
    case WeightPartKind::FinalNorm:
    case WeightPartKind::LatentDown:
    case WeightPartKind::Indexer:
    case WeightPartKind::Router:
    case WeightPartKind::Norms: return 1;
    case WeightPartKind::AttentionQuery:
    case WeightPartKind::AttentionOutput:
    case WeightPartKind::LatentUp:
    case WeightPartKind::Recurrent: return attention;
    case WeightPartKind::AttentionKeyValue: return std::min(attention, std::max<std::int64_t>(1, d.model->kvHeads));
    case WeightPartKind::Embedding: return rules.wholeEmbedding ? 1 : d.tp;
    case WeightPartKind::FeedForward:
    case WeightPartKind::SharedExpert:
    case WeightPartKind::Head: return rules.wholeDense ? 1 : d.tp;
    case WeightPartKind::Experts: return rules.expertsOverReplicas ? checked::mul(d.tp, d.dp) : d.tp;
    default: return d.tp;
    }
}

bool standsOn(WeightPartKind kind, bool first, bool last, bool tied) {
    switch (kind) {
    case WeightPartKind::Embedding: return first || (last && tied);
    case WeightPartKind::Vision: return first;
    default: return last; // head, final norm, draft layers
    }
}

bool liesInLayers(WeightPartKind kind) {
    return kind != WeightPartKind::Embedding && kind != WeightPartKind::Vision && kind != WeightPartKind::Head && kind != WeightPartKind::FinalNorm &&
           kind != WeightPartKind::Draft;
}

/// What a decoding step does not read through. `asHead`: the embedding serves as the head here.
bool rests(WeightPartKind kind, bool asHead) {
    return kind == WeightPartKind::Draft || kind == WeightPartKind::Vision || (kind == WeightPartKind::Embedding && !asHead);
}

/// Adds what each stage holds of a part of the layers; one that names no layers lies evenly over all of them.
void deal(const WeightPart &part, const std::vector<std::int64_t> &stages, std::int64_t allLayers, std::vector<Sums> &sums) {
    const std::int64_t from = part.layer < 0 ? 0 : part.layer, count = part.layer < 0 ? allLayers : std::max<std::int64_t>(1, part.layerCount);
    std::int64_t begin = 0;
    for (std::size_t stage = 0; stage < stages.size() && begin < from + count; begin += stages[stage++]) {
        const std::int64_t held = std::min(begin + stages[stage], from + count) - std::max(begin, from);
        if (held > 0)
            sums[stage][static_cast<std::size_t>(part.kind)] += held == count ? part.stored : Bytes(checked::mulDiv(part.stored.value, held, count));
    }
}

std::vector<Sums> sumsOf(const Deployment &d, const std::vector<std::int64_t> &stages) {
    std::vector<Sums> sums(stages.size());
    for (const WeightPart &part : d.model->weights.parts) {
        if (liesInLayers(part.kind)) {
            deal(part, stages, d.model->layerCount(), sums);
            continue;
        }
        const bool input = isLayerInput(part);
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            if (standsOn(part.kind, stage == 0, stage + 1 == stages.size(), d.model->tiedEmbeddings && !input))
                sums[stage][input ? layerInputs : static_cast<std::size_t>(part.kind)] += part.stored;
    }
    return sums;
}

} // namespace

std::vector<RankWeights> rankWeights(const Deployment &d, const std::vector<std::int64_t> &stages, const WeightRules &rules) {
    Bytes known;
    for (const WeightPart &part : d.model->weights.parts)
        known += part.stored;
    std::vector<RankWeights> ranks(stages.size());
    if (!known.inRange() || known <= Bytes(0)) {
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            ranks[stage].all = Bytes(checked::ceilDiv(checked::mulDiv(d.weights.value, stages[stage], std::max<std::int64_t>(1, d.model->layerCount())), d.tp));
        return ranks;
    }
    const std::vector<Sums> sums = sumsOf(d, stages);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        for (std::size_t k = 0; k < sums[stage].size(); ++k) {
            const auto kind = k == layerInputs ? WeightPartKind::Embedding : static_cast<WeightPartKind>(k);
            const Bytes bytes = sums[stage][k];
            if (bytes == Bytes(0) || (kind == WeightPartKind::Draft && !rules.drafts))
                continue;
            const std::int64_t scaled = d.weights == known ? bytes.value : checked::mulDiv(bytes.value, d.weights.value, known.value);
            const std::int64_t parts = pieces(kind, d, rules);
            // Whole experts are dealt where their number is known: the fullest GPU has one more where they do not come out even.
            const std::int64_t experts = kind == WeightPartKind::Experts && d.scenario->parallel.expertParallel ? d.model->experts : 0;
            const Bytes held(experts > 0 ? checked::mulDiv(scaled, checked::ceilDiv(experts, parts), experts) : checked::ceilDiv(scaled, parts));
            ranks[stage].all += held;
            if (kind == WeightPartKind::Experts)
                ranks[stage].experts += held;
            if (rests(kind, d.model->tiedEmbeddings && k != layerInputs && stage + 1 == stages.size()))
                ranks[stage].resting += held;
        }
    return ranks;
}

void shareEvenly(const Deployment &d, bool embeddingApart, GpuPlan &gpu) {
    const ModelSpec &model = *d.model;
    Bytes all, experts, resting;
    for (const WeightPart &part : model.weights.parts) {
        if ((part.kind == WeightPartKind::Embedding && embeddingApart && (!model.tiedEmbeddings || isLayerInput(part))) || (part.kind == WeightPartKind::Draft && !d.drafts))
            continue;
        all += part.stored;
        if (part.kind == WeightPartKind::Experts)
            experts += part.stored;
        if (rests(part.kind, model.tiedEmbeddings && !isLayerInput(part)))
            resting += part.stored;
    }
    if (!all.inRange() || all <= Bytes(0))
        return;
    gpu.experts = Bytes(checked::mulDiv(gpu.weights.value, experts.value, all.value));
    gpu.resting = Bytes(checked::mulDiv(gpu.weights.value, resting.value, all.value));
}

bool runsIn16Bit(const Deployment &d) {
    const WeightsChoice &choice = d.scenario->weights;
    return d.model->dtype == ElementType::Fp32 && d.model->quantMethod.empty() && !choice.bytes && choice.dtype.empty();
}

void halve(std::vector<RankWeights> &weights) {
    for (RankWeights &rank : weights)
        for (Bytes *bytes : {&rank.all, &rank.experts, &rank.resting})
            *bytes = Bytes(checked::ceilDiv(bytes->value, 2));
}

} // namespace kv
