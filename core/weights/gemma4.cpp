// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Gemma 4 adds to a decoder layer: inputs of its own for every layer (an embedding beside the embedding, a gate and a projection in each
// layer), a scalar a layer, and in its mixture experts that work beside the dense feed-forward, with three more norms.
// Source: transformers/models/gemma4/modular_gemma4.py (August 2026). Layers that share keys and values have their projections stored all the same.
#include "core/weights/counting.h"

namespace kv {

using namespace checked;
using enum WeightPartKind;

namespace {
std::int64_t perLayerSize(const Counting &c) { return c.fields.number({"hidden_size_per_layer_input"}, 0); }
} // namespace

void addPerLayerInputs(TensorList &list, const Counting &c) {
    list.vectors(1); // the layer's scalar
    const std::int64_t size = perLayerSize(c);
    list.fine(FeedForward, c.family.feedForwardBlock, "per_layer_input_gate", size, c.hidden);
    list.fine(FeedForward, c.family.feedForwardBlock, "per_layer_projection", c.hidden, size);
    list.vectors(size > 0 ? c.hidden : 0);
}

void addPerLayerEmbedding(TensorList &list, const Counting &c) {
    const std::int64_t size = perLayerSize(c);
    const std::int64_t all = mul(c.spec.layerCount(), size);
    list.fine(Embedding, "", "embed_tokens_per_layer", c.fields.number({"vocab_size_per_layer_input", "vocab_size"}, 0), all);
    list.fine(FeedForward, "", "per_layer_model_projection", all, c.hidden);
    list.vectors(size);
}

void addExpertsBesideDense(TensorList &list, const Counting &c) {
    addExperts(list, c);
    list.vectors(Router, add(c.hidden, c.experts.count)); // scales of the input and of each expert
    list.vectors(mul(3, c.hidden));
}

} // namespace kv
