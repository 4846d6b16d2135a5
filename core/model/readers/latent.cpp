// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/latent.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

bool isLatent(Reader &reader) {
    const Whole rank = reader.whole({"kv_lora_rank"}, optionalSizeRange);
    return rank && rank.value > 0 && reader.flag("use_mla").value_or(true);
}

bool readLatent(Reader &reader, const ModelShape &shape, LatentAttention &latent) {
    const Whole rank = reader.whole({"kv_lora_rank"}, optionalSizeRange);
    const Whole rope = reader.whole({"qk_rope_head_dim"}, optionalSizeRange);
    if (rope.said == Whole::Said::Absent)
        reader.need(rope, "qk_rope_head_dim");
    if (reader.refuseMissing())
        return false;
    latent.rank = rank.value;
    latent.ropeSize = rope.value;
    const Whole nope = reader.whole({"qk_nope_head_dim"}, optionalSizeRange);
    const Whole value = reader.whole({"v_head_dim"}, optionalSizeRange);
    const std::int64_t divided = shape.queryHeads > 0 ? shape.hidden / shape.queryHeads : 0;
    latent.expanded = {shape.queryHeads, nope.value + rope.value, value && value.value > 0 ? value.value : divided};
    const Whole kvHeads = reader.whole({"num_key_value_heads"}, headRange);
    reader.addFact(Role::LatentRank, rank,
                   kvHeads ? "num_key_value_heads " + writeNumber(kvHeads.value) + " plays no part here: all heads read one latent" : std::string());
    if (rope)
        reader.addFact(Role::RopeSize, rope, "kept once beside the latent, not for each head");
    reader.spec().kvHeads = 1;
    reader.spec().headDim = latent.rank + latent.ropeSize;
    return !reader.failed();
}

namespace {

std::vector<bool> listedIndexers(Reader &reader, std::int64_t layers) {
    const Json *list = reader.list("indexer_types");
    if (!list || !longEnough(reader, "indexer_types", list->items().size(), layers))
        return {};
    std::vector<bool> own;
    for (std::size_t i = 0; i < static_cast<std::size_t>(layers); ++i) {
        const Json &entry = list->items()[i];
        const bool full = entry.isString() && entry.text() == "full";
        if (!full && !(entry.isString() && entry.text() == "shared")) {
            reader.refuse("unknown-layer-kind", reader.at("indexer_types") + "[" + std::to_string(i) + "]",
                          "expected \"full\" or \"shared\", found " + describe(entry));
            return {};
        }
        own.push_back(full);
    }
    return own;
}

/// MiniMax M3: sparse_attention_config names the layers that select, each with one index key.
IndexRule fromSparseConfig(Reader &reader, const ModelShape &shape) {
    IndexRule rule;
    const Whole size = reader.whole({"sparse_attention_config.sparse_index_dim", "sparse_attention_config.index_head_dim"}, optionalSizeRange);
    if (!size || size.value == 0)
        return rule;
    rule.size = size.value;
    for (const std::string_view key : {"sparse_attention_config.sparse_attention_freq", "sparse_attention_config.sparse_layers"}) {
        if (!reader.has(key))
            continue;
        for (const std::int64_t one : listedNumbers(reader, key, shape.layers, {0, 1}))
            rule.layers.push_back(one == 1);
        break;
    }
    reader.addFact(Role::IndexSize, size);
    return rule;
}

} // namespace

IndexRule readIndex(Reader &reader, const ModelShape &shape) {
    if (reader.object("sparse_attention_config"))
        return fromSparseConfig(reader, shape);
    IndexRule rule;
    const Whole size = reader.whole({"index_head_dim"}, optionalSizeRange);
    if (!size || size.value == 0)
        return rule;
    rule.size = size.value;
    rule.layers = listedIndexers(reader, shape.layers);
    const auto own = rule.layers.empty() ? shape.layers : std::ranges::count(rule.layers, true);
    reader.addFact(Role::IndexSize, size,
                   own == shape.layers ? std::string() : "on " + writeNumber(own) + " of " + counted(shape.layers, "layer")
                           + " (indexer_types), the others share a choice");
    return rule;
}

} // namespace kv
