// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/adapters.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum WeightPartKind;

/// What one layer's part comes to, in elements a unit of rank: inputs and outputs of its matrices together.
struct Sides {
    std::int64_t whole = 0; ///< the hidden width, as often as there are matrices
    std::int64_t cut = 0;   ///< the other sides together
    std::int64_t ways = 1;  ///< pieces that tensor parallelism cuts those into
};

std::int64_t matricesOf(WeightPartKind kind, std::int64_t elements, const ModelSpec &model) {
    const std::int64_t hidden = std::max<std::int64_t>(1, model.hidden);
    switch (kind) {
    case AttentionQuery:
    case AttentionOutput:
    case Router: return 1;
    case AttentionKeyValue:
    case LatentDown:
    case Recurrent: return 2;
    case FeedForward: { // gated or not
        const std::int64_t wide = checked::mul(hidden, std::max<std::int64_t>(1, model.intermediate));
        return elements >= checked::mul(wide, 5) / 2 || elements % checked::mul(wide, 2) != 0 ? 3 : 2;
    }
    case SharedExpert: return 3;
    case Experts: return checked::mul(3, std::max<std::int64_t>(1, model.experts));
    default: return 0;
    }
}

const LatentAttention *latentOf(const ModelSpec &model) {
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const auto *latent = std::get_if<LatentAttention>(&part))
                return latent;
    return nullptr;
}

/// The way up from the latents: K and V from theirs, the queries from the hidden width or a latent of their own.
Sides latentUp(std::int64_t elements, const Deployment &d) {
    const LatentAttention *latent = latentOf(*d.model);
    if (!latent || latent->expanded.kvHeads <= 0)
        return {};
    const std::int64_t keyValue = latent->expanded.kvHeads * (latent->expanded.keySize - latent->ropeSize + latent->expanded.valueSize);
    const std::int64_t query = std::max<std::int64_t>(1, latent->expanded.kvHeads * latent->expanded.keySize);
    const std::int64_t inputs = std::max<std::int64_t>(0, elements - checked::mul(latent->rank, keyValue)) / query;
    return {latent->rank + inputs, keyValue + query, d.tp};
}

Sides sidesOf(WeightPartKind kind, std::int64_t elements, const Deployment &d) {
    if (kind == LatentUp)
        return latentUp(elements, d);
    const std::int64_t matrices = matricesOf(kind, elements, *d.model), hidden = std::max<std::int64_t>(1, d.model->hidden);
    if (matrices == 0)
        return {};
    Sides sides{checked::mul(matrices, hidden), elements / hidden, d.tp};
    if (kind == AttentionKeyValue)
        sides.ways = std::min(d.tp, std::max<std::int64_t>(1, d.model->kvHeads));
    else if (kind == Router || kind == LatentDown)
        sides.ways = 1;
    return sides;
}

bool namesEmbeddings(const ModelSpec &model) {
    static constexpr std::array<std::string_view, 4> classes{"LlamaForCausalLM", "MistralForCausalLM", "MixtralForCausalLM", "GraniteForCausalLM"};
    return std::ranges::find(classes, model.architecture) != classes.end();
}

} // namespace

std::vector<Bytes> adapterBytes(const Deployment &d, const std::vector<std::int64_t> &stages, const AdapterSlots &room) {
    std::vector<std::int64_t> sides(stages.size(), 0);
    for (const WeightPart &part : d.model->weights.parts) {
        const std::int64_t layers = part.layer < 0 ? d.model->layerCount() : std::max<std::int64_t>(1, part.layerCount), from = std::max(part.layer, 0);
        const Sides one = sidesOf(part.kind, part.elements / std::max<std::int64_t>(1, layers), d);
        const std::int64_t each = checked::add(one.whole, checked::ceilDiv(one.cut, one.ways));
        std::int64_t begin = 0;
        auto side = sides.begin();
        for (const std::int64_t own : stages) {
            const std::int64_t held = std::min(begin + own, from + layers) - std::max<std::int64_t>(begin, from);
            if (held > 0 && each > 0)
                *side = checked::add(*side, checked::mul(each, held));
            begin += own;
            ++side;
        }
    }
    if (room.vocabulary && namesEmbeddings(*d.model)) {
        const std::int64_t one = checked::add(d.model->vocabulary, d.model->hidden);
        sides.front() = checked::add(sides.front(), one);
        sides.back() = checked::add(sides.back(), one);
    }
    const ElementType type = d.model->dtype == ElementType::Fp32 ? ElementType::Fp16 : d.model->dtype; // engines run FP32 in 16 bit
    std::vector<Bytes> bytes;
    bytes.reserve(sides.size());
    for (const std::int64_t stage : sides)
        bytes.push_back(bytesFor(checked::mul(checked::mul(stage, room.rank), room.count), type));
    return bytes;
}

bool adaptersAreExact(const ModelSpec &model) {
    static constexpr std::array inexact{LatentDown, LatentUp, Indexer, Recurrent, Vision};
    return !model.weights.parts.empty() &&
           std::ranges::none_of(model.weights.parts, [](const WeightPart &part) { return std::ranges::find(inexact, part.kind) != inexact.end(); });
}

} // namespace kv
