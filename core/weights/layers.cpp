// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a model's layers to the forms they take, and from a form to its tensors.
#include "core/weights/counting.h"

#include <algorithm>

namespace kv {

using namespace checked;

namespace {

/// The feed-forward of layer i: beside its attention, or a layer of its own.
FeedForwardForm feedForwardOf(const Counting &c, std::size_t layer) {
    const Idle idle = c.spec.layer(layer).idle;
    if (idle == Idle::Experts)
        return FeedForwardForm::Experts;
    if (idle == Idle::FeedForward)
        return FeedForwardForm::Dense;
    if (c.family.ownFeedForwardLayers)
        return FeedForwardForm::None;
    return c.experts.count > 0 && isSparseLayer(c, layer) ? FeedForwardForm::Experts : FeedForwardForm::Dense;
}

std::int64_t normCount(const Counting &c) {
    const WeightFields &f = c.fields;
    if (c.family.modelType == "falcon")
        return f.flag("new_decoder_architecture") || !f.flag("parallel_attn", true) ? 2 : 1;
    if (c.family.modelType == "stablelm" && f.flag("use_parallel_residual"))
        return 1;
    return c.family.layerNorms;
}

void addHeads(TensorList &list, const Counting &c, const CachePart &part) {
    if (usesLatentAttention(c))
        addLatentAttention(list, c);
    else if (const auto *full = std::get_if<FullAttention>(&part))
        addAttention(list, c, full->heads, AttentionReach::Full);
    else if (const auto *window = std::get_if<SlidingWindow>(&part))
        addAttention(list, c, window->heads, AttentionReach::Window);
    else
        addAttention(list, c, std::get<ChunkedAttention>(part).heads, AttentionReach::Window);
}

bool addPart(TensorList &list, const Counting &c, const CachePart &part) {
    switch (kindOf(part)) {
    case CacheKind::Full:
    case CacheKind::Window:
    case CacheKind::Chunked: addHeads(list, c, part); return true;
    case CacheKind::Latent: addLatentAttention(list, c); return true;
    case CacheKind::Index: addIndexer(list, c, std::get<IndexKeys>(part).size); return true;
    case CacheKind::State: return addRecurrent(list, c, std::get<RecurrentState>(part));
    case CacheKind::Cross: addCrossAttention(list, c, std::get<CrossAttention>(part)); return true;
    case CacheKind::Compressed: addCompressedAttention(list, c, std::get<CompressedAttention>(part)); return true;
    }
    return false;
}

} // namespace

std::vector<LayerForm> layerForms(Counting &c) {
    const ModelSpec &spec = c.spec;
    std::vector<LayerForm> forms(spec.layers.size());
    const bool varies = c.fields.list("block_configs") || c.fields.list("intermediate_size");
    const bool besideDense = c.family.special == WeightSpecial::Gemma4;
    const bool doubled = c.fields.flag("use_double_wide_mlp");
    std::int64_t width = -1;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        LayerForm &form = forms[i];
        form.shape = spec.layers[i];
        form.feedForward = feedForwardOf(c, i);
        const std::int32_t from = i < spec.sharedFrom.size() ? spec.sharedFrom[i] : -1;
        form.sharesCache = from >= 0 && from < spec.layerCount();
        if (form.sharesCache) // its own projections are those of the layer that it reads
            form.shape = spec.layers[static_cast<std::size_t>(from)];
        if (form.feedForward != FeedForwardForm::Dense && !besideDense)
            continue;
        if (width < 0 || varies)
            width = denseWidth(c, i);
        form.width = form.sharesCache && doubled ? mul(2, width) : width;
        if (width == 0)
            form.feedForward = FeedForwardForm::None;
    }
    return forms;
}

void addNorms(TensorList &list, const Counting &c, const LayerForm &form) {
    std::int64_t norms = normCount(c);
    const LayerShape &shape = c.spec.shapes[form.shape];
    // A block that a search has left out takes its norm with it.
    if (shape.idle == Idle::NoAttention)
        --norms;
    if (form.feedForward == FeedForwardForm::None && !c.family.ownFeedForwardLayers)
        --norms;
    list.vectors(mul(std::max<std::int64_t>(norms, 0), mul(c.family.normBias ? 2 : 1, c.hidden)));
}

bool addLayer(TensorList &list, const Counting &c, const LayerForm &form) {
    bool known = true;
    const LayerShape &shape = c.spec.shapes[form.shape];
    for (auto part = shape.parts.begin(); part != shape.parts.end(); ++part)
        if (std::find(shape.parts.begin(), part, *part) == part) // equal ones are caches of further runs: the weights are there once
            known = addPart(list, c, *part) && known;
    const bool gemma4 = c.family.special == WeightSpecial::Gemma4;
    if (form.feedForward == FeedForwardForm::Dense || (gemma4 && form.width > 0))
        addFeedForward(list, c, form.width);
    if (form.feedForward == FeedForwardForm::Experts)
        gemma4 ? addExpertsBesideDense(list, c) : addExperts(list, c);
    addNorms(list, c, form);
    if (gemma4)
        addPerLayerInputs(list, c);
    if (c.family.special == WeightSpecial::DeepSeekV4)
        addHyperConnections(list, c);
    return known;
}

} // namespace kv
