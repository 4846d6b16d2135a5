// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/layers.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

namespace {

struct KindName {
    std::string_view name;
    LayerKind kind;
};

constexpr std::array kindNames{
    KindName{"full_attention", LayerKind::Full},
    KindName{"attention", LayerKind::Full},
    KindName{"attn", LayerKind::Full},
    KindName{"global_attention", LayerKind::Full},
    KindName{"global", LayerKind::Full},
    KindName{"full", LayerKind::Full},
    KindName{"deepseek_sparse_attention", LayerKind::Full}, // reads few entries, keeps all
    KindName{"minimax_m3_sparse", LayerKind::Full},
    KindName{"sliding_attention", LayerKind::Window},
    KindName{"sliding_window", LayerKind::Window},
    KindName{"sliding_window_attention", LayerKind::Window},
    KindName{"swa", LayerKind::Window},
    KindName{"local_attention", LayerKind::Window},
    KindName{"local", LayerKind::Window},
    KindName{"sliding", LayerKind::Window},
    KindName{"chunked_attention", LayerKind::Chunked},
    KindName{"linear_attention", LayerKind::State},
    KindName{"linear", LayerKind::State},
    KindName{"mamba", LayerKind::State},
    KindName{"mamba2", LayerKind::State},
    KindName{"recurrent", LayerKind::State},
    KindName{"jet", LayerKind::State},
    KindName{"conv", LayerKind::State},
    KindName{"short_conv", LayerKind::State},
    KindName{"kda", LayerKind::State},
    KindName{"gated_deltanet", LayerKind::State},
    KindName{"hybrid", LayerKind::Hybrid},
    KindName{"cross_attention", LayerKind::Cross},
    KindName{"mlp", LayerKind::FeedForward},
    KindName{"dense", LayerKind::FeedForward},
    KindName{"moe", LayerKind::Experts},
    KindName{"no_op", LayerKind::NoAttention},
};

} // namespace

std::optional<LayerKind> layerKindFromName(std::string_view name) {
    const auto it = std::ranges::find(kindNames, name, &KindName::name);
    return it == kindNames.end() ? std::nullopt : std::optional(it->kind);
}

bool longEnough(Reader &reader, std::string_view key, std::size_t entries, std::int64_t layers) {
    if (static_cast<std::int64_t>(entries) >= layers)
        return true;
    reader.refuse("contradiction", reader.at(key),
                  "lists " + counted(static_cast<std::int64_t>(entries), "layer") + ", but the model has " + writeNumber(layers));
    return false;
}

std::optional<LayerKinds> listedKinds(Reader &reader, std::string_view key, std::int64_t layers) {
    const Json *list = reader.list(key);
    if (!list || !longEnough(reader, key, list->items().size(), layers))
        return std::nullopt;
    LayerKinds kinds;
    kinds.reserve(static_cast<std::size_t>(layers));
    for (std::size_t i = 0; i < static_cast<std::size_t>(layers); ++i) {
        const Json &entry = list->items()[i];
        const std::optional<LayerKind> kind = entry.isString() ? layerKindFromName(entry.text()) : std::nullopt;
        if (!kind) {
            reader.refuse("unknown-layer-kind", reader.at(key) + "[" + std::to_string(i) + "]",
                          "the layer kind " + describe(entry) + " is not known here, so what such a layer keeps is not known");
            return std::nullopt;
        }
        kinds.push_back(*kind);
    }
    return kinds;
}

std::vector<std::int64_t> listedNumbers(Reader &reader, std::string_view key, std::int64_t layers, Range range) {
    const Json *list = reader.list(key);
    if (!list || !longEnough(reader, key, list->items().size(), layers))
        return {};
    std::vector<std::int64_t> numbers;
    numbers.reserve(static_cast<std::size_t>(layers));
    for (std::size_t i = 0; i < static_cast<std::size_t>(layers) && !reader.failed(); ++i)
        numbers.push_back(reader.entry(list->items()[i], reader.at(key) + "[" + std::to_string(i) + "]", range));
    return reader.failed() ? std::vector<std::int64_t>() : numbers;
}

bool uses(const LayerKinds &kinds, LayerKind kind) { return std::ranges::find(kinds, kind) != kinds.end(); }

Idle idleOf(LayerKind kind) {
    switch (kind) {
    case LayerKind::FeedForward: return Idle::FeedForward;
    case LayerKind::Experts: return Idle::Experts;
    case LayerKind::NoAttention: return Idle::NoAttention;
    default: return Idle::None;
    }
}

void addLayers(Reader &reader, const LayerKinds &kinds, const Palette &palette) {
    for (const LayerKind kind : kinds)
        reader.spec().addLayer(palette[kind], idleOf(kind));
}

} // namespace kv
