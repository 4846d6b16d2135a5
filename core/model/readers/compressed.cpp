// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/model/readers/attention.h"
#include "core/model/readers/hybrid.h"

#include <algorithm>

namespace kv {

namespace {

/// The ratio that a layer type of the library stands for: its own rate in compress_rates, else 4 and 128.
std::optional<std::int64_t> ratioOfType(Reader &reader, std::string_view type) {
    if (type == "sliding_attention")
        return 0;
    struct Rate {
        std::string_view type, rateKey, oldKey;
        std::int64_t usual;
    };
    constexpr std::array<Rate, 2> rates{{{"compressed_sparse_attention", "compress_rates.compressed_sparse_attention", "compress_rate_csa", 4},
                                         {"heavily_compressed_attention", "compress_rates.heavily_compressed_attention", "compress_rate_hca", 128}}};
    for (const Rate &rate : rates)
        if (type == rate.type) {
            const Whole given = reader.whole({rate.oldKey, rate.rateKey}, layerRange, Fill::Never);
            return given ? given.value : rate.usual;
        }
    return std::nullopt;
}

std::vector<std::int64_t> ratiosFromTypes(Reader &reader, std::int64_t layers) {
    const Json *list = reader.list("layer_types");
    if (!list || !longEnough(reader, "layer_types", list->items().size(), layers))
        return {};
    std::vector<std::int64_t> ratios;
    for (std::size_t i = 0; i < static_cast<std::size_t>(layers); ++i) {
        const Json &entry = list->items()[i];
        const std::optional<std::int64_t> ratio = entry.isString() ? ratioOfType(reader, entry.text()) : std::nullopt;
        if (!ratio) {
            reader.refuse("unknown-layer-kind", reader.at("layer_types") + "[" + std::to_string(i) + "]",
                          "the layer kind " + describe(entry) + " is not known here, so what such a layer keeps is not known");
            return {};
        }
        ratios.push_back(*ratio);
    }
    return ratios;
}

/// The file's ratios, its layer types, or the class's own order: two heavily compressed layers, then in turn heavy and light.
std::vector<std::int64_t> readRatios(Reader &reader, std::int64_t layers) {
    if (reader.has("compress_ratios"))
        return listedNumbers(reader, "compress_ratios", layers, {0, layerRange.most});
    if (reader.has("layer_types"))
        return ratiosFromTypes(reader, layers);
    std::vector<std::int64_t> ratios;
    const std::int64_t light = ratioOfType(reader, "compressed_sparse_attention").value_or(4);
    const std::int64_t heavy = ratioOfType(reader, "heavily_compressed_attention").value_or(128);
    for (std::int64_t i = 0; i < layers; ++i)
        ratios.push_back(i >= 2 && (i - 2) % 2 == 1 ? light : heavy);
    reader.warn("class-default", reader.at("compress_ratios"), "left out in the file: the class's own order of ratios was taken");
    return ratios;
}

} // namespace

void readCompressedModel(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    const std::vector<std::int64_t> ratios = readRatios(reader, shape.layers);
    const Whole window = reader.whole({"sliding_window"}, {0, tokenRange.most});
    const Whole index = reader.whole({"index_head_dim"}, optionalSizeRange);
    const Whole rope = reader.whole({"qk_rope_head_dim"}, optionalSizeRange);
    reader.need(window, "sliding_window");
    if (reader.refuseMissing() || ratios.empty())
        return;
    constexpr std::int64_t selecting = 4; // only layers of this ratio choose among their entries, so only they have an indexer
    for (const std::int64_t ratio : ratios) {
        CompressedAttention part;
        part.ratio = ratio;
        part.headDim = shape.heads.keySize;
        part.ropeSize = rope.value;
        part.window = Tokens(window.value);
        part.indexSize = ratio == selecting && index ? index.value : 0;
        reader.spec().addLayer({part});
    }
    reader.addFact(Role::Window, window, "kept uncompressed beside the entries, on every layer");
    std::vector<std::int64_t> different(ratios);
    std::ranges::sort(different);
    different.erase(std::unique(different.begin(), different.end()), different.end());
    for (const std::int64_t ratio : different)
        if (ratio > 0)
            reader.addDerived(Role::Ratio, ratio, reader.at(reader.has("compress_ratios") ? "compress_ratios" : "layer_types") + ", on "
                                  + counted(std::ranges::count(ratios, ratio), "layer"));
    if (index && std::ranges::find(ratios, selecting) != ratios.end())
        reader.addFact(Role::IndexSize, index, "on layers of ratio 4 alone, one key an entry");
}

// Each layer holds two attention blocks, each with a latent of its own. num_layers counts the layers, num_hidden_layers the blocks.
void readLongCat(Reader &reader) {
    ModelShape shape;
    const Whole layers = reader.whole({"num_layers"}, layerRange, reader.essential());
    if (layers) {
        shape.layers = layers.value;
        reader.addFact(Role::Layers, layers, "each with two attention blocks");
    } else {
        const Whole blocks = reader.whole({"num_hidden_layers"}, {2, layerRange.most}, reader.essential());
        reader.need(layers.said == Whole::Said::Null ? layers : blocks, "num_layers");
        if (reader.refuseMissing())
            return;
        shape.layers = blocks.value / 2;
        reader.addDerived(Role::Layers, shape.layers, reader.at("num_hidden_layers") + " ÷ 2: it counts the two attention blocks of each layer");
    }
    if (!readShape(reader, shape, {.latent = isLatent(reader), .layersKnown = true}))
        return;
    LatentAttention latent;
    if (!isLatent(reader)) {
        reader.needAlso(reader.at("kv_lora_rank"));
        reader.refuseMissing();
    } else if (readLatent(reader, shape, latent)) {
        for (std::int64_t i = 0; i < shape.layers; ++i)
            reader.spec().addLayer({latent, latent});
    }
}

} // namespace kv
