// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/shape.h"

#include "core/base/quantity.h"

namespace kv {

Whole readLayerCount(Reader &reader) {
    const Keys names{"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers", "decoder_layers", "layers"};
    const Whole layers = reader.whole(names, layerRange, reader.essential());
    reader.need(layers, "num_hidden_layers");
    if (layers)
        reader.addFact(Role::Layers, layers);
    return layers;
}

Whole readWidth(Reader &reader, Fill fill) {
    return reader.whole({"hidden_size", "n_embd", "d_model", "dim", "n_embed", "model_dim", "embed_dim"}, sizeRange, fill);
}

namespace {

Whole readQueryHeads(Reader &reader) {
    const Whole heads = reader.whole({"num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads", "attention_heads"},
                                     headRange, reader.essential());
    reader.need(heads, "num_attention_heads");
    return heads;
}

std::string divided(std::int64_t hidden, std::int64_t heads, const Whole &width, const Reader &reader) {
    return reader.at(width.key) + " " + writeNumber(hidden) + " ÷ " + writeNumber(heads) + " heads";
}

/// One KV head by a flag: multi_query of Falcon and GPT-BigCode, unless Falcon's newer layout overrides it.
bool isMultiQuery(Reader &reader) {
    return reader.flag("multi_query").value_or(false) && !reader.flag("new_decoder_architecture").value_or(false);
}

void readKvHeads(Reader &reader, ModelShape &shape, const Whole &queryHeads) {
    const Keys names{"num_key_value_heads", "n_head_kv",          "num_kv_heads", "n_kv_heads", "multi_query_group_num", "num_attention_groups",
                     "num_query_groups",    "attn_config.kv_n_heads", "kv_n_heads"};
    const std::string queryKey = reader.at(queryHeads.key);
    Whole kvHeads = reader.whole(names, headRange);
    const bool grouped = reader.flag("multi_query_attention").value_or(true); // ChatGLM: off, the group count plays no part
    if (isMultiQuery(reader)) {
        shape.heads.kvHeads = 1;
        const std::string trap = kvHeads && kvHeads.value != 1 ? "not the " + writeNumber(kvHeads.value) + " of " + std::string(kvHeads.key)
                                                               : "not the " + writeNumber(shape.queryHeads) + " of " + std::string(queryHeads.key);
        reader.addDerived(Role::KvHeads, 1, reader.at("multi_query") + " is true: one head for all", trap);
        return;
    }
    const bool fits = kvHeads && kvHeads.value <= shape.queryHeads && shape.queryHeads % kvHeads.value == 0;
    if (kvHeads.origin == Origin::ClassDefault && !fits)
        kvHeads = {};
    if (!kvHeads || !grouped) {
        shape.heads.kvHeads = shape.queryHeads;
        reader.addDerived(Role::KvHeads, shape.queryHeads, queryKey + ", as no KV heads are named: every query head has its own");
        return;
    }
    shape.heads.kvHeads = kvHeads.value;
    if (!fits) {
        reader.refuse("contradiction", reader.at(kvHeads.key),
                      writeNumber(kvHeads.value) + " KV heads cannot be shared evenly by " + writeNumber(shape.queryHeads) + " query heads ("
                          + queryKey + ")");
        return;
    }
    reader.addFact(Role::KvHeads, kvHeads,
                   kvHeads.value == shape.queryHeads ? std::string()
                                                     : "not the " + writeNumber(shape.queryHeads) + " of " + std::string(queryHeads.key));
}

void readHeadSize(Reader &reader, ModelShape &shape, const Whole &width, const Whole &given, const Whole &queryHeads, std::int64_t factor) {
    const std::int64_t wide = shape.hidden * factor;
    const bool even = shape.hidden > 0 && wide % shape.queryHeads == 0;
    std::int64_t size = given && given.value > 0 ? given.value : 0;
    if (size > 0) {
        std::string trap;
        if (even && wide / shape.queryHeads != size)
            trap = "not " + divided(wide, shape.queryHeads, width, reader) + " = " + writeNumber(wide / shape.queryHeads);
        else if (shape.hidden > 0 && !even)
            trap = "not " + divided(wide, shape.queryHeads, width, reader) + ", which is no whole number";
        reader.addFact(Role::HeadDim, given, trap);
    } else if (even) {
        size = wide / shape.queryHeads;
        reader.addDerived(Role::HeadDim, size,
                          (factor == 1 ? std::string() : writeNumber(factor) + " × ") + divided(shape.hidden, shape.queryHeads, width, reader));
    } else {
        reader.refuse("contradiction", reader.at(queryHeads.key),
                      reader.at(width.key) + " " + writeNumber(shape.hidden) + " cannot be divided by the " + writeNumber(shape.queryHeads)
                          + " heads of " + std::string(queryHeads.key) + ", and no head_dim is given");
    }
    shape.heads.keySize = size;
    shape.heads.valueSize = size;
}

} // namespace

bool readShape(Reader &reader, ModelShape &shape, const ShapeRules &rules) {
    if (!rules.layersKnown)
        shape.layers = readLayerCount(reader).value;
    const Whole queryHeads = readQueryHeads(reader);
    const Whole size = rules.widthFactor == 1
        ? reader.whole({"head_dim", "attention_head_dim", "kv_channels", "d_kv", "hidden_size_per_head", "d_head"}, optionalSizeRange)
        : reader.whole({"attention_head_dim"}, optionalSizeRange);
    const bool sized = (size && size.value > 0) || rules.latent;
    const Whole width = readWidth(reader, reader.essential());
    if (!width && !sized) {
        if (width.said == Whole::Said::Null)
            reader.need(width, "hidden_size");
        else
            reader.needAlso(reader.at("hidden_size") + " (or head_dim)");
    }
    if (reader.refuseMissing())
        return false;
    shape.queryHeads = queryHeads.value;
    shape.hidden = width ? width.value : 0;
    reader.addFact(Role::QueryHeads, queryHeads);
    if (width)
        reader.addFact(Role::Hidden, width);
    if (!rules.latent) {
        readKvHeads(reader, shape, queryHeads);
        readHeadSize(reader, shape, width, size, queryHeads, rules.widthFactor);
    }
    ModelSpec &spec = reader.spec();
    spec.hidden = shape.hidden;
    spec.queryHeads = shape.queryHeads;
    spec.kvHeads = shape.heads.kvHeads;
    spec.headDim = shape.heads.keySize;
    return !reader.failed();
}

} // namespace kv
