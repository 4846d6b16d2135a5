// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp/fixedrules.h"

#include "core/engine/llamacpp/converters.h"

#include <algorithm>
#include <array>

namespace kv::llamacpp {

namespace {

constexpr auto withoutCache = std::to_array<std::string_view>({
    "bert", "dream", "eurobert", "gemma-embedding", "jina-bert-v2", "llada", "llada-moe", "modern-bert", "neo-bert", "nomic-bert", "rnd1", "t5encoder", "wavtokenizer-dec",
});

struct Pattern {
    std::string_view architecture;
    std::int64_t period;     ///< one layer of so many sees everything
    bool denseFirst;         ///< the first of them, else the last
    std::int64_t window;     ///< tokens, whatever the config says; 0: as it says
};

constexpr auto patterns = std::to_array<Pattern>({
    {"gemma2", 2, false, 0}, {"gemma3", 6, false, 0}, {"gpt-oss", 2, false, 0}, {"cohere2", 4, false, 0}, {"llama4", 4, false, 8192}, {"smallthinker", 4, true, 4096},
});

/// The one window that the config gives; 0: none.
std::int64_t windowOf(const ModelSpec &model, const Layers &layers) {
    for (const Layer &layer : layers.list)
        if (layer.window > 0)
            return layer.window;
    return std::max<std::int64_t>(0, configNumber(model, "sliding_window").value_or(0));
}

void applyPattern(const ModelSpec &model, const Pattern &pattern, Layers &layers) {
    const bool named = pattern.architecture == "llama4" && hasConfigKey(model, "layer_types");
    const std::int64_t own = windowOf(model, layers);
    const std::int64_t window = named && own == 0 ? 0 : pattern.window > 0 ? pattern.window : own;
    for (std::size_t i = 0; i < layers.list.size(); ++i) {
        const std::int64_t place = static_cast<std::int64_t>(i) % pattern.period;
        layers.list[i].window = place == (pattern.denseFirst ? 0 : pattern.period - 1) ? 0 : window;
    }
}

/// KV heads as the converter writes them, where that is not what the model has.
std::optional<std::int64_t> writtenKvHeads(const ModelSpec &model, std::string_view architecture) {
    if (architecture == "starcoder")
        return 1;
    if (architecture == "chatglm")
        return configNumber(model, "multi_query_group_num");
    if (architecture != "falcon")
        return std::nullopt;
    const auto given = configNumber(model, "num_kv_heads");
    return given ? *given : configNumber(model, "n_head_kv").value_or(1);
}

/// Layers beyond the 20th read the cache of one before; those before own theirs, even where the config shares more.
void fixOwners(const ModelSpec &model, Layers &layers) {
    constexpr std::size_t owning = 20;
    for (std::size_t i = 0; i < layers.list.size(); ++i) {
        if (i >= owning)
            layers.list[i] = {};
        else if (!layers.list[i].created && i < model.sharedFrom.size() && model.sharedFrom[i] >= 0)
            layers.list[i] = layers.list[static_cast<std::size_t>(model.sharedFrom[i])];
    }
}

} // namespace

void applyFixedRules(const ModelSpec &model, Layers &layers) {
    if (std::ranges::find(withoutCache, std::string_view(layers.architecture)) != withoutCache.end()) {
        std::ranges::fill(layers.list, Layer{});
        return;
    }
    if (model.sourceIsGguf || !model.source)
        return;
    if (const auto pattern = std::ranges::find(patterns, std::string_view(layers.architecture), &Pattern::architecture); pattern != patterns.end())
        applyPattern(model, *pattern, layers);
    if (const auto heads = writtenKvHeads(model, layers.architecture); heads && *heads > 0)
        for (Layer &layer : layers.list)
            if (layer.created)
                layer.keyWidth = layer.valueWidth = checked::mul(*heads, layer.headSize);
    if (layers.architecture == "gemma3n")
        fixOwners(model, layers);
}

} // namespace kv::llamacpp
