// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rankweights.h"

#include <algorithm>

namespace kv {

namespace {

/// Into how many pieces tensor parallel cuts a part.
std::int64_t pieces(WeightPartKind kind, const Deployment &d) {
    switch (kind) {
    case WeightPartKind::FinalNorm:
    case WeightPartKind::LatentDown:
    case WeightPartKind::Indexer:
    case WeightPartKind::Router:
    case WeightPartKind::Norms:
        return 1;
    case WeightPartKind::AttentionKeyValue:
        return std::min(d.tp, std::max<std::int64_t>(1, d.model->kvHeads));
    case WeightPartKind::Experts:
        return d.scenario->parallel.expertParallel ? checked::mul(d.tp, d.dp) : d.tp;
    default:
        return d.tp;
    }
}

/// Bytes of a part on stage `stage` before they are cut.
Bytes onStage(const WeightPart &part, Bytes stored, std::size_t stage, const std::vector<std::int64_t> &stages, const Deployment &d) {
    const bool first = stage == 0, last = stage + 1 == stages.size();
    switch (part.kind) {
    case WeightPartKind::Embedding:
        return first || (last && d.model->tiedEmbeddings) ? stored : Bytes(0);
    case WeightPartKind::Vision:
        return first ? stored : Bytes(0);
    case WeightPartKind::Head:
    case WeightPartKind::FinalNorm:
    case WeightPartKind::Draft:
        return last ? stored : Bytes(0);
    default:
        // Parts of the layers lie evenly over them: a stage has its layers' share.
        return Bytes(checked::mulDiv(stored.value, stages[stage], std::max<std::int64_t>(1, d.model->layerCount())));
    }
}

} // namespace

std::vector<Bytes> rankWeights(const Deployment &d, const std::vector<std::int64_t> &stages) {
    const WeightSpec &spec = d.model->weights;
    Bytes known;
    for (const WeightPart &part : spec.parts)
        known += part.stored;
    std::vector<Bytes> ranks(stages.size());
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        if (!known.inRange() || known <= Bytes(0)) {
            ranks[stage] = Bytes(checked::ceilDiv(checked::mulDiv(d.weights.value, stages[stage], std::max<std::int64_t>(1, d.model->layerCount())), d.tp));
            continue;
        }
        for (const WeightPart &part : spec.parts) {
            const Bytes scaled(checked::mulDiv(part.stored.value, d.weights.value, known.value));
            ranks[stage] += Bytes(checked::ceilDiv(onStage(part, scaled, stage, stages, d).value, pieces(part.kind, d)));
        }
    }
    return ranks;
}

} // namespace kv
