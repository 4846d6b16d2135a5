// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models built by hand for tests of the plan, so that they stand apart from the reader of configs.

#include "core/model/modelspec.h"

namespace kv::test {

inline std::shared_ptr<ModelSpec> model(std::int64_t layers, std::vector<CachePart> parts, std::int64_t limit) {
    auto spec = std::make_shared<ModelSpec>();
    spec->name = "Test model";
    spec->shapes.push_back({std::move(parts), Idle::None, layers});
    spec->layers.assign(static_cast<std::size_t>(layers), 0);
    spec->maxContext = Tokens(limit);
    spec->facts = {{Role::Layers, layers, Origin::File, "num_hidden_layers", {}}};
    return spec;
}

/// The shape of Llama 3.1 70B: 80 layers, 8 KV heads of 128, 70,553,706,496 parameters in 16 bit.
inline std::shared_ptr<ModelSpec> llama70b() {
    auto spec = model(80, {FullAttention{{8, 128, 128}}}, 131072);
    spec->name = "Llama 3.1 70B";
    spec->facts.push_back({Role::KvHeads, 8, Origin::File, "num_key_value_heads", "not the 64 of num_attention_heads"});
    spec->facts.push_back({Role::HeadDim, 128, Origin::Derived, "hidden_size 8,192 ÷ 64 heads", {}});
    spec->weights.stored = Bytes(141'107'412'992);
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

/// Of layers 0 … n − 1 every `period`-th is full, the others keep a window.
inline std::shared_ptr<ModelSpec> windowed(std::int64_t full, std::int64_t sliding, std::int64_t window) {
    auto spec = model(full, {FullAttention{{4, 128, 128}}}, 131072);
    spec->shapes.push_back({{SlidingWindow{{4, 128, 128}, Tokens(window)}}, Idle::None, sliding});
    spec->layers.insert(spec->layers.end(), static_cast<std::size_t>(sliding), 1);
    spec->weights.source = WeightSource::CountedFromConfig;
    return spec;
}

} // namespace kv::test
