// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/perlayer.h"

#include "core/base/quantity.h"
#include "core/model/readers/layers.h"

#include <algorithm>
#include <set>

namespace kv {

namespace {

bool isTrue(const Json &block, std::string_view key) {
    const Json *value = block.find(key);
    return value && value->isBool() && value->boolean();
}

struct Block {
    std::int64_t kvHeads = 0; ///< 0: no attention
    std::int64_t window = 0;
};

std::optional<Block> readBlock(Reader &reader, const Json &entry, const std::string &where, std::int64_t queryHeads) {
    const Json *attention = entry.isObject() ? entry.find("attention") : nullptr;
    if (!attention || !attention->isObject()) {
        reader.refuse("bad-value", where, "expected a block with its \"attention\", found " + describe(entry));
        return std::nullopt;
    }
    Block block;
    if (isTrue(*attention, "no_op") || isTrue(*attention, "replace_with_linear"))
        return block;
    const Json *group = attention->find("n_heads_in_group");
    const Json *heads = attention->find("num_key_value_heads");
    if (heads && !heads->isNull()) {
        block.kvHeads = reader.entry(*heads, where + ".attention.num_key_value_heads", headRange);
    } else if (group && !group->isNull()) {
        const std::int64_t size = reader.entry(*group, where + ".attention.n_heads_in_group", headRange);
        if (!reader.failed() && queryHeads % size != 0)
            reader.refuse("contradiction", where + ".attention.n_heads_in_group",
                          "groups of " + writeNumber(size) + " do not divide " + writeNumber(queryHeads) + " query heads");
        block.kvHeads = queryHeads / size;
    } else {
        reader.needAlso(where + ".attention.n_heads_in_group");
        reader.refuseMissing();
    }
    if (const Json *window = attention->find("window_length"); window && !window->isNull())
        block.window = reader.entry(*window, where + ".attention.window_length", tokenRange);
    return reader.failed() ? std::nullopt : std::optional(block);
}

/// Layers, query heads and head size, without the KV heads that differ.
bool readCommon(Reader &reader, ModelShape &shape) {
    const Whole layers = readLayerCount(reader);
    const Whole heads = reader.whole({"num_attention_heads"}, headRange, reader.essential());
    const Whole width = readWidth(reader, reader.essential());
    const Whole size = reader.whole({"head_dim"}, optionalSizeRange);
    reader.need(heads, "num_attention_heads");
    reader.need(width, "hidden_size");
    if (reader.refuseMissing())
        return false;
    shape = {layers.value, heads.value, width.value, {}};
    reader.addFact(Role::QueryHeads, heads);
    reader.addFact(Role::Hidden, width);
    if (size && size.value > 0) {
        shape.heads.keySize = shape.heads.valueSize = size.value;
        reader.addFact(Role::HeadDim, size);
    } else if (width.value % heads.value == 0) {
        shape.heads.keySize = shape.heads.valueSize = width.value / heads.value;
        reader.addDerived(Role::HeadDim, shape.heads.keySize,
                          reader.at(width.key) + " " + writeNumber(width.value) + " ÷ " + counted(heads.value, "head"));
    } else {
        reader.refuse("contradiction", reader.at("num_attention_heads"),
                      "hidden_size " + writeNumber(width.value) + " cannot be divided by " + counted(heads.value, "head") + ", and no head_dim is given");
    }
    ModelSpec &spec = reader.spec();
    spec.hidden = shape.hidden;
    spec.queryHeads = shape.queryHeads;
    spec.headDim = shape.heads.keySize;
    return !reader.failed();
}

void addLayer(Reader &reader, const ModelShape &shape, const Block &block) {
    const HeadShape heads{block.kvHeads, shape.heads.keySize, shape.heads.valueSize};
    if (block.kvHeads == 0)
        reader.spec().addLayer({}, Idle::NoAttention);
    else if (block.window > 0)
        reader.spec().addLayer({SlidingWindow{heads, Tokens(block.window)}});
    else
        reader.spec().addLayer({FullAttention{heads}});
    if (reader.spec().kvHeads == 0)
        reader.spec().kvHeads = block.kvHeads;
}

void addHeadFacts(Reader &reader, const std::vector<Block> &blocks, const std::string &key, const std::string &trap) {
    std::set<std::int64_t> counts;
    for (const Block &block : blocks)
        if (block.kvHeads > 0)
            counts.insert(block.kvHeads);
    constexpr std::size_t shown = 8; // unlike counts that an explanation can list
    for (const std::int64_t count : counts)
        if (reader.spec().facts.size() < 64 && counts.size() <= shown)
            reader.addDerived(Role::KvHeads, count,
                              key + ", on " + counted(std::ranges::count(blocks, count, &Block::kvHeads), "layer"), trap);
}

} // namespace

void readBlockConfigs(Reader &reader) {
    ModelShape shape;
    if (!readCommon(reader, shape))
        return;
    std::vector<Block> blocks;
    std::string key = "block_configs";
    if (reader.has("num_key_value_heads_per_layer")) {
        key = "num_key_value_heads_per_layer";
        for (const std::int64_t heads : listedNumbers(reader, key, shape.layers, {0, headRange.most}))
            blocks.push_back({heads, 0});
    } else if (const Json *list = reader.list(key)) {
        if (!longEnough(reader, key, list->items().size(), shape.layers))
            return;
        for (std::size_t i = 0; i < static_cast<std::size_t>(shape.layers) && !reader.failed(); ++i)
            if (const auto block = readBlock(reader, list->items()[i], reader.at(key) + "[" + std::to_string(i) + "]", shape.queryHeads))
                blocks.push_back(*block);
    } else if (!reader.failed()) {
        reader.needAlso(reader.at(key));
        reader.refuseMissing();
    }
    if (reader.failed())
        return;
    for (const Block &block : blocks)
        addLayer(reader, shape, block);
    addHeadFacts(reader, blocks, reader.at(key), key == "block_configs" ? "n_heads_in_group is the size of a group, not a number of heads" : "");
}

void readOpenElm(Reader &reader) {
    const Whole layers = readLayerCount(reader);
    const Whole size = reader.whole({"head_dim"});
    const Whole width = readWidth(reader, reader.essential());
    reader.need(size, "head_dim");
    if (!reader.has("num_kv_heads"))
        reader.needAlso(reader.at("num_kv_heads"));
    if (reader.refuseMissing())
        return;
    ModelShape shape{layers.value, 0, width.value, {0, size.value, size.value}};
    reader.addFact(Role::HeadDim, size);
    std::vector<Block> blocks;
    for (const std::int64_t heads : listedNumbers(reader, "num_kv_heads", shape.layers, headRange))
        blocks.push_back({heads, 0});
    if (reader.failed())
        return;
    ModelSpec &spec = reader.spec();
    spec.hidden = shape.hidden;
    spec.headDim = size.value;
    spec.queryHeads = reader.glimpse({"num_query_heads"});
    for (const Block &block : blocks)
        addLayer(reader, shape, block);
    addHeadFacts(reader, blocks, reader.at("num_kv_heads"), "not num_query_heads");
}

} // namespace kv
