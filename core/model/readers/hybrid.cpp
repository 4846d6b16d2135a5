// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/hybrid.h"

#include "core/base/quantity.h"
#include "core/model/readers/attention.h"

#include <algorithm>

namespace kv {

namespace {

LayerKinds all(std::int64_t layers, LayerKind kind) { return LayerKinds(static_cast<std::size_t>(layers), kind); }

/// States, with attention where i mod period = offset.
LayerKinds attendAt(std::int64_t layers, std::int64_t period, std::int64_t offset) {
    LayerKinds kinds = all(layers, LayerKind::State);
    for (std::int64_t i = offset; i < layers; i += period)
        kinds[static_cast<std::size_t>(i)] = LayerKind::Full;
    return kinds;
}

/// States, with attention on the layers that a list of indices names.
std::optional<LayerKinds> attendOn(Reader &reader, std::string_view key, std::int64_t layers) {
    const Json *list = reader.list(key);
    if (!list)
        return std::nullopt;
    LayerKinds kinds = all(layers, LayerKind::State);
    for (std::size_t i = 0; i < list->items().size() && !reader.failed(); ++i) {
        const std::int64_t layer = reader.entry(list->items()[i], reader.at(key) + "[" + std::to_string(i) + "]", {0, layers - 1});
        kinds[static_cast<std::size_t>(layer)] = LayerKind::Full;
    }
    return kinds;
}

/// The file's own list under either name; nothing when absent (or refused).
std::optional<LayerKinds> ownList(Reader &reader, std::int64_t layers) {
    for (const std::string_view key : {"layer_types", "layers_block_type"})
        if (reader.has(key))
            return listedKinds(reader, key, layers);
    return std::nullopt;
}

void addHybrid(Reader &reader, const ModelShape &shape, LayerKinds kinds) {
    if (!reader.failed())
        addAttentionLayers(reader, shape, {std::move(kinds), {}, {}});
}

} // namespace

void readGatedDeltaNet(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    if (!kinds && !reader.failed()) {
        constexpr std::int64_t usual = 4;
        const Whole interval = reader.whole({"full_attention_interval"}, layerRange);
        const std::int64_t n = interval ? interval.value : usual;
        kinds = attendAt(shape.layers, n, n - 1);
        if (reader.type() == "olmo_hybrid" && !uses(*kinds, LayerKind::Full))
            kinds->back() = LayerKind::Full;
    }
    if (kinds)
        addHybrid(reader, shape, std::move(*kinds));
}

void readJamba(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    if (!kinds && !reader.failed()) {
        const Whole period = reader.whole({"attn_layer_period"}, layerRange);
        const Whole offset = reader.whole({"attn_layer_offset"}, {0, layerRange.most});
        reader.need(period, "attn_layer_period");
        reader.need(offset, "attn_layer_offset");
        if (reader.refuseMissing())
            return;
        if (offset.value >= period.value) {
            reader.refuse("contradiction", reader.at("attn_layer_offset"), writeNumber(offset.value) + " is no place within a period of "
                              + counted(period.value, "layer") + " (attn_layer_period)");
            return;
        }
        kinds = attendAt(shape.layers, period.value, offset.value);
    }
    if (kinds)
        addHybrid(reader, shape, std::move(*kinds));
}

/// Kinds by a list of their own, else by the layers that attend, where the config has a key for them; where it says neither, all are `otherwise`.
void readListed(Reader &reader, const char *attending, LayerKind otherwise) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    if (!kinds && attending && !reader.failed())
        kinds = attendOn(reader, attending, shape.layers);
    addHybrid(reader, shape, kinds ? std::move(*kinds) : all(shape.layers, otherwise));
}

void readBamba(Reader &reader) { readListed(reader, "attn_layer_indices", LayerKind::State); }

void readGraniteHybrid(Reader &reader) { readListed(reader, nullptr, LayerKind::State); }

void readFalconH1(Reader &reader) {
    ModelShape shape;
    if (readShape(reader, shape))
        addHybrid(reader, shape, all(shape.layers, LayerKind::Hybrid));
}

void readLfm2(Reader &reader) { readListed(reader, "full_attn_idxs", LayerKind::Full); }

void readRecurrentGemma(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    const Json *blocks = reader.list("block_types");
    if (!blocks || blocks->items().empty()) {
        if (!reader.failed())
            reader.needAlso(reader.at("block_types"));
        reader.refuseMissing();
        return;
    }
    const std::optional<LayerKinds> period = listedKinds(reader, "block_types", static_cast<std::int64_t>(blocks->items().size()));
    if (!period)
        return;
    WindowRule rule;
    for (std::int64_t i = 0; i < shape.layers; ++i)
        rule.kinds.push_back((*period)[static_cast<std::size_t>(i) % period->size()]);
    const Whole window = reader.whole({"attention_window_size", "sliding_window"}, tokenRange);
    if (window) {
        std::ranges::replace(rule.kinds, LayerKind::Full, LayerKind::Window);
        rule.window = Tokens(window.value);
        reader.addFact(Role::Window, window);
    }
    if (!reader.failed())
        addAttentionLayers(reader, shape, rule);
}

void readMiniMax(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    if (!kinds && !reader.failed() && reader.has("attn_type_list")) {
        kinds.emplace();
        for (const std::int64_t attends : listedNumbers(reader, "attn_type_list", shape.layers, {0, 1}))
            kinds->push_back(attends == 1 ? LayerKind::Full : LayerKind::State);
    }
    if (!kinds && !reader.failed() && reader.type() == "minimax")
        kinds = attendAt(shape.layers, 2, 0);
    if (!kinds && !reader.failed()) {
        reader.needAlso(reader.at("attn_type_list"));
        reader.refuseMissing();
    }
    if (kinds)
        addHybrid(reader, shape, std::move(*kinds));
}

void readKimiLinear(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape, {.latent = isLatent(reader)}))
        return;
    const auto mark = [&](std::string_view key, LayerKind kind, std::vector<std::optional<LayerKind>> &marks) {
        const Json *list = reader.find(key);
        if (!list || !list->isArray()) {
            reader.needAlso(reader.at(key));
            return;
        }
        for (std::size_t i = 0; i < list->items().size() && !reader.failed(); ++i) {
            const std::string where = reader.at(key) + "[" + std::to_string(i) + "]";
            const std::int64_t layer = reader.entry(list->items()[i], where, {1, shape.layers}); // counted from 1
            std::optional<LayerKind> &place = marks[static_cast<std::size_t>(layer - 1)];
            if (place && *place != kind)
                reader.refuse("contradiction", where, "layer " + writeNumber(layer) + " stands in both lists of linear_attn_config");
            place = kind;
        }
    };
    std::vector<std::optional<LayerKind>> marks(static_cast<std::size_t>(shape.layers));
    mark("linear_attn_config.full_attn_layers", LayerKind::Full, marks);
    mark("linear_attn_config.kda_layers", LayerKind::State, marks);
    if (reader.refuseMissing())
        return;
    LayerKinds kinds;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (!marks[i]) {
            reader.refuse("contradiction", reader.at("linear_attn_config"),
                          "layer " + std::to_string(i + 1) + " of " + writeNumber(shape.layers) + " stands in neither kda_layers nor full_attn_layers");
            return;
        }
        kinds.push_back(*marks[i]);
    }
    addHybrid(reader, shape, std::move(kinds));
}

void readBailingHybrid(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape, {.latent = isLatent(reader)}))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    if (!kinds && !reader.failed()) {
        const Whole group = reader.whole({"layer_group_size"}, layerRange);
        reader.need(group, "layer_group_size");
        if (reader.refuseMissing())
            return;
        kinds = attendAt(shape.layers, group.value, group.value - 1);
        // The layers that are left over after the last whole group attend.
        for (std::int64_t i = shape.layers / group.value * group.value; i < shape.layers; ++i)
            (*kinds)[static_cast<std::size_t>(i)] = LayerKind::Full;
    }
    if (kinds)
        addHybrid(reader, shape, std::move(*kinds));
}

void readZamba(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape, {.widthFactor = 2}))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    if (!kinds && !reader.failed()) {
        const Whole period = reader.whole({"attn_layer_period"}, layerRange);
        const Whole offset = reader.whole({"attn_layer_offset"}, {0, layerRange.most});
        reader.need(period, "attn_layer_period");
        reader.need(offset, "attn_layer_offset");
        if (reader.refuseMissing())
            return;
        // The first three layers stand outside the period: two states and a layer of both.
        kinds = all(shape.layers, LayerKind::State);
        for (std::int64_t i = 0; i < shape.layers; ++i)
            if (i == 2 || (i > 2 && (i - 3) % period.value == offset.value))
                (*kinds)[static_cast<std::size_t>(i)] = LayerKind::Hybrid;
    }
    if (kinds)
        addHybrid(reader, shape, std::move(*kinds));
}

void readZamba2(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape, {.widthFactor = 2}))
        return;
    std::optional<LayerKinds> kinds = ownList(reader, shape.layers);
    constexpr std::int64_t usualLayers = 54;
    if (!kinds && !reader.failed() && shape.layers == usualLayers) {
        // The class's own list: a layer of both at 6, 12, …, 42, then at 47 and 51.
        kinds = all(shape.layers, LayerKind::State);
        for (const std::size_t i : {6u, 12u, 18u, 24u, 30u, 36u, 42u, 47u, 51u})
            (*kinds)[i] = LayerKind::Hybrid;
        reader.warn("class-default", reader.at("layers_block_type"), "left out in the file: the class's own list of 54 layers was taken");
    }
    if (!kinds && !reader.failed()) {
        reader.needAlso(reader.at("layers_block_type"));
        reader.refuseMissing();
    }
    if (kinds)
        addHybrid(reader, shape, std::move(*kinds));
}

} // namespace kv
