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

/// Heads of a layer that reads another's cache: those of the layer it reads.
const HeadShape *sharedHeads(const ModelSpec &spec, const LayerForm &form) {
    for (std::size_t i = 0; i < spec.layers.size() && i < spec.sharedFrom.size(); ++i) {
        if (spec.layers[i] != form.shape || spec.sharedFrom[i] < 0 || spec.sharedFrom[i] >= spec.layerCount())
            continue;
        for (const CachePart &part : spec.layer(static_cast<std::size_t>(spec.sharedFrom[i])).parts) {
            if (const auto *full = std::get_if<FullAttention>(&part))
                return &full->heads;
            if (const auto *window = std::get_if<SlidingWindow>(&part))
                return &window->heads;
        }
    }
    return nullptr;
}

bool addPart(TensorList &list, const Counting &c, const CachePart &part) {
    switch (kindOf(part)) {
    case CacheKind::Full:
    case CacheKind::Window:
    case CacheKind::Chunked: {
        if (usesLatentAttention(c)) {
            addLatentAttention(list, c);
            return true;
        }
        const auto *full = std::get_if<FullAttention>(&part);
        const auto *window = std::get_if<SlidingWindow>(&part);
        addAttention(list, c, full ? full->heads : window ? window->heads : std::get<ChunkedAttention>(part).heads, true);
        return true;
    }
    case CacheKind::Latent: addLatentAttention(list, c); return true;
    case CacheKind::Index: addIndexer(list, c, std::get<IndexKeys>(part).size); return true;
    case CacheKind::State: return addRecurrent(list, c, std::get<RecurrentState>(part));
    case CacheKind::Cross: addCrossAttention(list, c, std::get<CrossAttention>(part)); return true;
    case CacheKind::Compressed: return false;
    }
    return false;
}

} // namespace

std::vector<LayerForm> layerForms(Counting &c) {
    const ModelSpec &spec = c.spec;
    std::vector<LayerForm> forms(spec.layers.size());
    const bool varies = c.fields.list("block_configs") || c.fields.list("intermediate_size");
    std::int64_t width = -1;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        LayerForm &form = forms[i];
        form.shape = spec.layers[i];
        form.feedForward = feedForwardOf(c, i);
        form.sharesCache = i < spec.sharedFrom.size() && spec.sharedFrom[i] >= 0;
        if (form.feedForward != FeedForwardForm::Dense)
            continue;
        if (width < 0 || varies)
            width = denseWidth(c, i);
        form.width = width;
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
    for (const CachePart &part : shape.parts)
        known = addPart(list, c, part) && known;
    if (form.sharesCache && shape.parts.empty()) {
        const HeadShape *heads = sharedHeads(c.spec, form);
        if (heads)
            addAttention(list, c, *heads, true);
        known = known && heads;
    }
    if (form.feedForward == FeedForwardForm::Dense)
        addFeedForward(list, c, form.width);
    else if (form.feedForward == FeedForwardForm::Experts)
        addExperts(list, c);
    addNorms(list, c, form);
    return known;
}

} // namespace kv
