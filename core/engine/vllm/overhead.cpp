// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/overhead.h"

#include "core/base/units.h"

#include <algorithm>

namespace kv::vllm {

namespace {

constexpr std::int64_t fifthGib = gibibyte / 5;

bool hasVision(const WeightSpec &weights) {
    return std::ranges::any_of(
        weights.parts, [](const WeightPart &part) { return part.kind == WeightPartKind::Vision && part.elements > 0; });
}

/// Some classes have experts where no layer of the model has (Nemotron-H 56B). Without parts nothing tells.
bool isSparse(const ModelSpec &model) {
    const std::vector<WeightPart> &parts = model.weights.parts;
    const bool anywhere = parts.empty() || std::ranges::any_of(parts, [](const WeightPart &part) { return part.kind == WeightPartKind::Experts; });
    return anywhere && model.experts > 0 && model.expertsPerToken > 0;
}

/// Width of one expert as its config says it, else what its three matrices of this model come to (biases are no matrices), else the
/// feed-forward's.
std::int64_t expertWidth(const ModelSpec &model) {
    if (model.weights.expertWidth > 0)
        return model.weights.expertWidth;
    std::int64_t elements = 0, layers = 0;
    for (const WeightPart &part : model.weights.parts) {
        const std::int64_t experts = checked::mul(part.layerCount, model.experts);
        if (part.kind != WeightPartKind::Experts || part.elements < checked::mul(experts, checked::mul(3, model.hidden)))
            continue;
        elements = checked::add(elements, part.elements);
        layers += part.layerCount;
    }
    const std::int64_t each = checked::mul(checked::mul(layers, model.experts), checked::mul(3, model.hidden));
    return elements > 0 && each > 0 ? elements / each : model.intermediate;
}

std::int64_t expertBytes(const ModelSpec &model, std::int64_t batch, std::int64_t tp) {
    const std::int64_t width = expertWidth(model) / tp;
    return checked::mul(checked::mul(2 * batch, model.expertsPerToken), std::max(2 * width, model.hidden) + width);
}

Bytes activationOf(const Deployment &d, const Settings &s, std::int64_t maxLength, bool lastStage) {
    const ModelSpec &model = *d.model;
    const std::int64_t batch = s.batchFor(maxLength), hidden = 2 * model.hidden;
    const bool sparse = isSparse(model);
    const std::int64_t logits =
        lastStage ? checked::mul(checked::mul(s.maxSeqs, model.vocabulary), s.rules().logitTenths) / 10 : 0;
    const std::int64_t forward = checked::mul(batch, (sparse ? 0 : 6 * model.intermediate / d.tp) + hidden);
    std::int64_t bytes = checked::add(checked::mul(batch, hidden + 15000), std::max(logits, forward));
    if (sparse)
        bytes = checked::add(bytes, expertBytes(model, batch, d.tp));
    if (!lastStage)
        bytes = checked::add(bytes, fifthGib);
    if (hasVision(model.weights))
        bytes = checked::add(bytes, fifthGib);
    return Bytes(bytes);
}

Bytes outsideOf(const Deployment &d, const Settings &s) {
    constexpr std::int64_t stagesAlone = 72; // 0.07 GiB
    return Bytes(mebibyte * (d.tp > 1 ? s.rules().outsideMany : d.pp > 1 ? stagesAlone : s.rules().outsideOne));
}

Bytes graphsOf(const Deployment &d, const Settings &s) {
    const bool none = s.eager || !s.rules().graphsInside || (d.gpu && d.gpu->vendor != "NVIDIA");
    return none ? Bytes(0) : d.memory >= Bytes(70 * gibibyte) ? Bytes(gibibyte) : Bytes(gibibyte / 10 * 7);
}

} // namespace

Overhead overheadOf(const Deployment &d, const Settings &s, std::int64_t maxLength, bool lastStage) {
    Overhead overhead;
    overhead.activation = s.activation ? *s.activation : activationOf(d, s, maxLength, lastStage);
    overhead.outside = s.outside ? *s.outside : outsideOf(d, s);
    // By hand it counts where the release counts it: before 0.21 graphs are captured outside the budget.
    overhead.graphs = !s.rules().graphsInside ? Bytes(0) : s.graphs ? *s.graphs : graphsOf(d, s);
    constexpr Bytes usual(gibibyte / 10 * 3);
    if (!s.activation)
        overhead.activationBand = hasVision(d.model->weights) ? Bytes(gibibyte) : usual;
    if (!s.outside)
        overhead.outsideBand = std::min(usual, overhead.outside);
    if (!s.graphs)
        overhead.graphsBand = std::min(usual, overhead.graphs);
    overhead.band = std::max({overhead.activationBand, overhead.outsideBand, overhead.graphsBand});
    return overhead;
}

} // namespace kv::vllm
