// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp/layers.h"

#include "core/engine/llamacpp/converters.h"
#include "core/engine/llamacpp/fixedrules.h"

#include <algorithm>
#include <array>

namespace kv::llamacpp {

namespace {

// llm_arch_supports_rs_rollback (src/llama-arch.cpp).
constexpr auto rollbackArchitectures = std::to_array<std::string_view>({
    "qwen35", "qwen35moe", "qwen4exp", "nemotron_h", "nemotron_h_moe", "lfm2", "lfm2moe", "deepseek4", "bailingmoe3", "kimi-k3",
});

const Json *sourceKey(const ModelSpec &model, const std::string &key) { return model.source ? model.source->find(key) : nullptr; }

std::int64_t sourceNumber(const ModelSpec &model, const std::string &key, std::int64_t otherwise) {
    const Json *value = sourceKey(model, key);
    return value && value->kind() == Json::Kind::Integer ? value->integer() : otherwise;
}

struct Traits {
    bool keepsLatent = false;
    bool windows = false;
};

Layer layerOf(const LayerShape &shape, const Traits &traits, bool minimaxIndex) {
    Layer layer;
    const auto take = [&](const HeadShape &heads, std::int64_t window) {
        layer.keyWidth = checked::mul(heads.kvHeads, heads.keySize);
        layer.valueWidth = checked::mul(heads.kvHeads, heads.valueSize);
        layer.headSize = heads.keySize;
        layer.valueHead = heads.valueSize;
        layer.window = traits.windows ? window : 0;
        layer.created = true;
        if (minimaxIndex)
            layer.indexValue = heads.valueSize;
    };
    for (const CachePart &part : shape.parts) {
        if (const auto *full = std::get_if<FullAttention>(&part))
            take(full->heads, 0);
        else if (const auto *window = std::get_if<SlidingWindow>(&part))
            take(window->heads, window->window.value);
        else if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
            take(chunked->heads, chunked->chunk.value);
        else if (const auto *latent = std::get_if<LatentAttention>(&part); latent && traits.keepsLatent)
            layer.keyWidth = checked::add(latent->rank, latent->ropeSize), layer.headSize = layer.keyWidth, layer.created = true;
        else if (latent)
            take(latent->expanded, 0);
        else if (const auto *index = std::get_if<IndexKeys>(&part))
            layer.indexKey = index->size;
        else if (const auto *state = std::get_if<RecurrentState>(&part))
            layer.recurrent = checked::add(state->convElements(), state->stateElements());
        else if (const auto *compressed = std::get_if<CompressedAttention>(&part))
            layer.compressed = *compressed, layer.headSize = compressed->headDim, layer.created = true;
    }
    if (layer.indexKey == 0)
        layer.indexValue = 0;
    return layer;
}

/// T5's cache has the encoder's number of layers, whatever the decoder's.
void resizeT5(const ModelSpec &model, Layers &out) {
    const std::int64_t blocks = sourceNumber(model, model.sourceIsGguf ? "t5.block_count" : "num_layers", model.layerCount());
    if (out.architecture == "t5" && !out.list.empty() && blocks > 0 && blocks <= 100'000)
        out.list.assign(static_cast<std::size_t>(blocks), out.list.front());
    if (out.architecture == "t5")
        out.blocks = static_cast<std::int64_t>(out.list.size()); // block_count is the encoder's as well
}

} // namespace

Layers layersOf(const ModelSpec &model) {
    Layers out;
    Traits traits;
    if (model.sourceIsGguf) {
        const Json *name = sourceKey(model, "general.architecture");
        out.architecture = name && name->isString() ? name->text() : model.modelType;
        traits.keepsLatent = sourceKey(model, out.architecture + ".attention.key_length_mla") && sourceKey(model, out.architecture + ".attention.value_length_mla");
        traits.windows = readsWindow(out.architecture);
        out.blocks = sourceNumber(model, out.architecture + ".block_count", model.layerCount());
    } else {
        const Conversion converted = conversionOf(model);
        out.refusal = converted.refusal;
        if (out.refusal)
            return out;
        if (converted.warning)
            out.warnings.push_back(*converted.warning);
        out.architecture = converted.architecture;
        traits.keepsLatent = out.architecture != "minicpm3" && out.architecture != "plm";
        traits.windows = converted.windows;
        out.blocks = checked::add(model.layerCount(), converted.drafts);
    }
    if (out.architecture == "exaone4" && model.layerCount() != 64)
        traits.windows = false; // the pattern is used for the 64-layer model only
    const bool minimaxIndex = out.architecture == "minimax-m3";
    std::vector<Layer> byShape;
    for (const LayerShape &shape : model.shapes) {
        byShape.push_back(layerOf(shape, traits, minimaxIndex));
        // A layer without KV heads still has its place in the attention cache (deci), but for the state layers and feed-forward blocks of hybrids.
        if (shape.parts.empty() && shape.idle == Idle::NoAttention && out.architecture == "deci")
            byShape.back().created = true;
    }
    out.list.reserve(model.layers.size());
    for (const std::uint16_t shape : model.layers)
        out.list.push_back(byShape[shape]);
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            out.latent = out.latent || (traits.keepsLatent && kindOf(part) == CacheKind::Latent);
    out.rollback = std::ranges::find(rollbackArchitectures, std::string_view(out.architecture)) != rollbackArchitectures.end();
    resizeT5(model, out);
    applyFixedRules(model, out);
    return out;
}

bool keepsDrafts(const ModelSpec &model) {
    return model.sourceIsGguf || conversionOf(model).writesDrafts;
}

} // namespace kv::llamacpp
