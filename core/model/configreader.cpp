// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/configreader.h"

#include "core/model/families.h"
#include "core/model/knownkeys.h"
#include "core/model/readers/attention.h"
#include "core/model/readers/encoderdecoder.h"
#include "core/model/readers/hybrid.h"
#include "core/model/readers/identity.h"
#include "core/model/readers/looped.h"
#include "core/model/readers/perlayer.h"
#include "core/weights/parameters.h"

#include <array>

namespace kv {

namespace {

/// A type that nothing here knows is read by its usual keys, and that is said.
void noteUnknownType(Reader &reader) {
    const std::string &type = reader.part().writtenType;
    if (reader.typeKnown())
        return;
    if (type.empty())
        reader.warn("unknown-model-type", "model_type", "the file names no model type; its usual keys were read as those of a plain decoder");
    else
        reader.warn("unknown-model-type", "model_type", "\"" + type + "\" is not known here; its usual keys were read as those of a plain decoder");
}

/// Families of a name of their own are told by the keys that say which layers attend.
struct Telltale {
    std::string_view key;
    void (*read)(Reader &reader);
};
constexpr std::array telltales{
    Telltale{"compress_ratios", readCompressedModel}, Telltale{"hybrid_override_pattern", readNemotronH},
    Telltale{"block_configs", readBlockConfigs},      Telltale{"linear_attn_config", readKimiLinear},
    Telltale{"attn_type_list", readMiniMax},          Telltale{"full_attention_interval", readGatedDeltaNet},
    Telltale{"attn_layer_period", readJamba},         Telltale{"attn_layer_indices", readBamba},
    Telltale{"full_attn_idxs", readLfm2},             Telltale{"lru_width", readRecurrentGemma},
    Telltale{"mamba_step", readPlamo2},               Telltale{"layer_group_size", readBailingHybrid},
    Telltale{"cross_attention_layers", readMllama},   Telltale{"num_key_value_heads_per_layer", readBlockConfigs},
    Telltale{"total_ut_steps", readUniversal},        Telltale{"H_cycles", readHrmText},
};

/// Keys of a recurrent state in a model of which nothing says which layers have it: no number can be given.
bool refuseStray(Reader &reader) {
    if (reader.has("layer_types") || reader.has("layers_block_type") || reader.defaults())
        return false;
    for (const std::string_view key : {"mamba_d_state", "mamba_num_heads", "mamba_n_heads", "ssm_state_size", "linear_num_value_heads", "conv_L_cache",
                                       "efficient_attention_config", "wkv_head_size"}) {
        if (!reader.has(key))
            continue;
        reader.refuse("unknown-model-type", reader.at(key), "says that some layers keep a recurrent state, but nothing that is known here says which ("
                          + (reader.part().writtenType.empty() ? std::string("no model_type") : "model type \"" + reader.part().writtenType + "\"") + ")");
        return true;
    }
    return false;
}

void readByKeys(Reader &reader) {
    for (const Telltale &telltale : telltales)
        if (reader.has(telltale.key))
            return telltale.read(reader);
    if (reader.flag("is_encoder_decoder", Fill::Never).value_or(false) && !reader.part().nested())
        readEncoderDecoder(reader);
    else if (!refuseStray(reader))
        readAttentionModel(reader, Pattern::Plain, 0);
}

void readLayers(Reader &reader) {
    if (const std::string_view why = unreadable(reader.type()); !why.empty()) {
        reader.refuse("unknown-model-type", "model_type", "\"" + std::string(reader.type()) + "\" cannot be counted: " + std::string(why));
        return;
    }
    if (readWithoutCache(reader))
        return;
    if (const Family *family = findFamily(reader.type()))
        family->read(reader);
    else
        readByKeys(reader);
    if (!reader.failed() && readsNestedEncoder(reader))
        addCrossAttention(reader);
}

/// More unlike layers than an explanation or a strip could show are no model.
void checkShapes(Reader &reader) {
    constexpr std::size_t most = 4096;
    if (!reader.failed() && reader.spec().shapes.size() > most)
        reader.refuse("range", "model_type", "more than " + std::to_string(most) + " layers that are all unlike: out of range");
}

Parsed<std::shared_ptr<const ModelSpec>> read(std::shared_ptr<const Json> config, std::string_view name, std::string_view source) {
    Parsed<std::shared_ptr<const ModelSpec>> result;
    const std::string place = source.empty() ? "config" : std::string(source);
    if (!config->isObject()) {
        result.notes.push_back(errorNote("not-an-object", place,
                                         place + ": expected a JSON object { … } with the model's settings, found " + describe(*config)));
        return result;
    }
    auto spec = std::make_shared<ModelSpec>();
    const LanguagePart part = findLanguagePart(*config);
    Reader reader(part, *spec, result.notes);
    reader.setTypeKnown(reader.typeKnown() || findFamily(reader.type()) || isKnownElsewhere(reader.type()));
    readIdentity(reader, name, source);
    readQuantization(reader);
    readLimit(reader);
    readLayers(reader);
    checkShapes(reader);
    if (reader.failed())
        return result;
    readRest(reader);
    reader.noteFilled();
    noteUnknownType(reader);
    noteUnknownKeys(reader);
    spec->weights = countWeights(part.chain, *spec, result.notes);
    spec->source = std::move(config);
    spec->notes = result.notes;
    result.value = std::move(spec);
    return result;
}

} // namespace

Parsed<std::shared_ptr<const ModelSpec>> readConfig(const Json &config, std::string_view name, std::string_view source) {
    return read(std::make_shared<const Json>(config), name, source);
}

Parsed<std::shared_ptr<const ModelSpec>> readConfig(std::shared_ptr<const Json> config, std::string_view name, std::string_view source) {
    return read(std::move(config), name, source);
}

Parsed<std::shared_ptr<const ModelSpec>> readConfigText(std::string_view text, std::string_view name, std::string_view source) {
    Parsed<Json> parsed = parseJson(text, source);
    if (!parsed)
        return {std::nullopt, std::move(parsed.notes)};
    return read(std::make_shared<const Json>(std::move(*parsed.value)), name, source);
}

} // namespace kv
