// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/encoderdecoder.h"

#include "core/base/quantity.h"
#include "core/model/readers/attention.h"
#include "core/model/wholevalue.h"

#include <algorithm>

namespace kv {

namespace {

/// A number of a block that is not the language part; nothing when absent or no number.
std::optional<std::int64_t> numberOf(const Json &block, Keys keys) {
    for (const std::string_view key : keys) {
        const Json *value = block.find(key);
        if (const auto number = value ? wholeValue(*value) : std::nullopt; number && *number > 0 && *number <= sizeRange.most)
            return number;
    }
    return std::nullopt;
}

std::int64_t assumeTokens(Reader &reader, std::int64_t tokens, const std::string &from) {
    reader.addAssumed(Role::EncoderTokens, tokens, from,
                      "cross-attention is counted for an encoder input of " + writeNumber(tokens) + " tokens (" + from
                          + "); a shorter input keeps less: the option encoder_tokens sets it");
    return tokens;
}

/// Tokens that the encoder hands over for the longest input; 0 when refused.
std::int64_t encoderTokens(Reader &reader) {
    const Whole source = reader.whole({"max_source_positions"}, tokenRange);
    if (source && reader.type() == "whisper") {
        reader.addFact(Role::EncoderTokens, source, "kept once a sequence, whatever the text's length");
        return source.value;
    }
    if (source) {
        const Whole convolutions = reader.whole({"num_conv_layers"}, {0, 16});
        const std::int64_t halvings = convolutions ? convolutions.value : 2;
        const std::int64_t tokens = checked::ceilDiv(source.value, std::int64_t{1} << halvings);
        return assumeTokens(reader, tokens, reader.at("max_source_positions") + " ÷ 2 for each of " + counted(halvings, "convolution"));
    }
    const Whole longest = reader.whole({"max_encoder_position_embeddings", "max_position_embeddings", "n_positions"}, tokenRange);
    if (longest)
        return assumeTokens(reader, longest.value, reader.origin(longest));
    constexpr std::int64_t usual = 512; // T5 and its kin take any length; their checkpoints were trained on this
    return assumeTokens(reader, usual, "no key names a limit");
}

struct DecoderKeys {
    Whole layers, heads, kvHeads, width, size;
};

DecoderKeys findDecoder(Reader &reader) {
    DecoderKeys keys;
    const Fill fill = reader.essential();
    keys.layers = reader.whole({"decoder_layers", "num_decoder_layers", "decoder_num_hidden_layers", "num_layers", "num_hidden_layers"}, layerRange, fill);
    keys.heads = reader.whole({"decoder_attention_heads", "num_decoder_attention_heads", "decoder_num_attention_heads", "num_heads",
                               "num_attention_heads"}, headRange, fill);
    keys.kvHeads = reader.whole({"decoder_num_key_value_heads", "num_key_value_heads"}, headRange);
    keys.width = reader.whole({"d_model", "hidden_size"}, sizeRange, fill);
    keys.size = reader.whole({"d_kv", "head_dim"}, optionalSizeRange);
    if (keys.layers.said == Whole::Said::Null) // T5: num_decoder_layers null means as many as the encoder's
        keys.layers = reader.whole({"num_layers", "num_hidden_layers"}, layerRange, fill);
    reader.need(keys.layers, "decoder_layers");
    reader.need(keys.heads, "decoder_attention_heads");
    if (!keys.size || keys.size.value == 0)
        reader.need(keys.width, "d_model");
    return keys;
}

bool readDecoderShape(Reader &reader, ModelShape &shape) {
    const DecoderKeys keys = findDecoder(reader);
    if (reader.refuseMissing())
        return false;
    shape = {keys.layers.value, keys.heads.value, keys.width.value, {}};
    const bool sized = keys.size && keys.size.value > 0;
    if (!sized && shape.hidden % shape.queryHeads != 0) {
        reader.refuse("contradiction", reader.at(keys.heads.key),
                      reader.at(keys.width.key) + " " + writeNumber(shape.hidden) + " cannot be divided by " + counted(shape.queryHeads, "head"));
        return false;
    }
    const std::int64_t size = sized ? keys.size.value : shape.hidden / shape.queryHeads;
    const bool grouped = keys.kvHeads && shape.queryHeads % keys.kvHeads.value == 0;
    shape.heads = {grouped ? keys.kvHeads.value : shape.queryHeads, size, size};
    reader.addFact(Role::Layers, keys.layers, "of the decoder; the encoder keeps nothing");
    reader.addFact(Role::QueryHeads, keys.heads);
    if (grouped)
        reader.addFact(Role::KvHeads, keys.kvHeads);
    else
        reader.addDerived(Role::KvHeads, shape.heads.kvHeads, reader.at(keys.heads.key) + ", as no KV heads are named");
    if (keys.width)
        reader.addFact(Role::Hidden, keys.width);
    if (sized)
        reader.addFact(Role::HeadDim, keys.size);
    else
        reader.addDerived(Role::HeadDim, size, reader.at(keys.width.key) + " " + writeNumber(shape.hidden) + " ÷ " + counted(shape.queryHeads, "head"));
    ModelSpec &spec = reader.spec();
    spec.hidden = shape.hidden;
    spec.queryHeads = shape.queryHeads;
    spec.kvHeads = shape.heads.kvHeads;
    spec.headDim = size;
    return !reader.failed();
}

const Json *nestedEncoder(Reader &reader) {
    if (!reader.part().nested())
        return nullptr;
    const Json &around = *reader.part().chain[reader.part().chain.size() - 2];
    for (const std::string_view key : {"encoder", "encoder_config"})
        if (const Json *encoder = around.find(key); encoder && encoder->isObject())
            return encoder;
    return nullptr;
}

} // namespace

void readEncoderDecoder(Reader &reader) {
    ModelShape shape;
    if (!readDecoderShape(reader, shape))
        return;
    // Of a decoder that is nested beside its encoder, addCrossAttention() knows what it reads.
    const bool reads = !nestedEncoder(reader) && reader.flag("is_encoder_decoder").value_or(true);
    reader.spec().kind = reads ? ModelKind::EncoderDecoder : ModelKind::Decoder;
    std::vector<CachePart> parts{FullAttention{shape.heads}};
    if (reads)
        parts.push_back(CrossAttention{shape.heads, Tokens(encoderTokens(reader))});
    for (std::int64_t i = 0; i < shape.layers && !reader.failed(); ++i)
        reader.spec().addLayer(parts);
}

void readPix2Struct(Reader &reader) {
    ModelShape shape;
    if (!readDecoderShape(reader, shape))
        return;
    const Json *vision = reader.root().find("vision_config");
    const auto patches = vision && vision->isObject() ? numberOf(*vision, {"seq_len"}) : std::nullopt;
    constexpr std::int64_t classDefault = 4096; // Pix2StructVisionConfig
    const std::int64_t tokens = assumeTokens(reader, patches.value_or(classDefault), patches ? "vision_config.seq_len" : "the class default of vision_config.seq_len");
    reader.spec().kind = ModelKind::EncoderDecoder;
    const std::vector<CachePart> parts{FullAttention{shape.heads}, CrossAttention{shape.heads, Tokens(tokens)}};
    for (std::int64_t i = 0; i < shape.layers && !reader.failed(); ++i)
        reader.spec().addLayer(parts);
}

bool readsNestedEncoder(Reader &reader) { return nestedEncoder(reader) != nullptr; }

namespace {

/// Height and width of the pictures, from one number or two.
std::optional<std::pair<std::int64_t, std::int64_t>> imageSides(const Json &encoder) {
    if (const auto side = numberOf(encoder, {"image_size"}))
        return std::pair(*side, *side);
    const Json *sides = encoder.find("image_size");
    if (!sides || !sides->isArray() || sides->items().size() != 2)
        return std::nullopt;
    std::int64_t two[2] = {0, 0};
    for (std::size_t i = 0; i < 2; ++i) {
        const Json &side = sides->items()[i];
        if (side.kind() != Json::Kind::Integer || side.integer() < 1 || side.integer() > sizeRange.most)
            return std::nullopt;
        two[i] = side.integer();
    }
    return std::pair(two[0], two[1]);
}

/// What a nested encoder hands over for its largest picture or its longest input.
std::int64_t nestedTokens(Reader &reader, const Json &encoder) {
    const auto sides = imageSides(encoder);
    const auto patch = numberOf(encoder, {"patch_size"});
    if (!sides || !patch)
        return assumeTokens(reader, numberOf(encoder, {"max_source_positions", "max_position_embeddings", "n_positions"}).value_or(512),
                            "the encoder's longest input");
    // Swin joins two by two patches after each stage but the last, and has no class token (modeling_donut_swin.py DonutSwinPatchMerging).
    constexpr std::size_t mostStages = 16;
    const Json *depths = encoder.find("depths");
    const std::size_t stages = depths && depths->isArray() ? std::min(depths->items().size(), mostStages) : 0;
    std::int64_t high = sides->first / *patch, wide = sides->second / *patch;
    for (std::size_t i = 1; i < stages; ++i) {
        high = checked::ceilDiv(high, 2);
        wide = checked::ceilDiv(wide, 2);
    }
    const std::int64_t tokens = checked::mul(high, wide);
    if (stages > 0)
        return assumeTokens(reader, std::max<std::int64_t>(1, tokens), "the encoder's patches, " + writeNumber(high) + " × " + writeNumber(wide));
    if (high == wide)
        return assumeTokens(reader, tokens + 1, "the encoder's (image_size ÷ patch_size)² + 1");
    return assumeTokens(reader, tokens + 1, "the encoder's patches, " + writeNumber(high) + " × " + writeNumber(wide) + " + 1");
}

} // namespace

void addCrossAttention(Reader &reader) {
    ModelSpec &spec = reader.spec();
    const std::int64_t tokens = nestedTokens(reader, *nestedEncoder(reader));
    spec.kind = ModelKind::EncoderDecoder;
    for (LayerShape &shape : spec.shapes) {
        HeadShape heads;
        for (const CachePart &part : shape.parts) {
            if (const auto *full = std::get_if<FullAttention>(&part))
                heads = full->heads;
            else if (const auto *window = std::get_if<SlidingWindow>(&part))
                heads = window->heads;
        }
        // Dia names the heads of its cross-attention apart.
        if (const Whole crossHeads = reader.whole({"cross_num_key_value_heads"}, headRange))
            heads.kvHeads = crossHeads.value;
        if (const Whole size = reader.whole({"cross_head_dim"}))
            heads.keySize = heads.valueSize = size.value;
        if (heads.kvHeads > 0)
            shape.parts.push_back(CrossAttention{heads, Tokens(tokens)});
    }
}

void readMllama(Reader &reader) {
    ModelShape shape;
    if (!readShape(reader, shape))
        return;
    const Json *list = reader.list("cross_attention_layers");
    if (!list) {
        if (!reader.failed())
            reader.needAlso(reader.at("cross_attention_layers"));
        reader.refuseMissing();
        return;
    }
    LayerKinds kinds(static_cast<std::size_t>(shape.layers), LayerKind::Full);
    for (std::size_t i = 0; i < list->items().size() && !reader.failed(); ++i) {
        const std::int64_t layer = reader.entry(list->items()[i], reader.at("cross_attention_layers") + "[" + std::to_string(i) + "]",
                                                {0, shape.layers - 1});
        kinds[static_cast<std::size_t>(layer)] = LayerKind::Cross;
    }
    const Json *vision = reader.root().find("vision_config");
    const ClassDefaults *usual = classDefaults("mllama_vision_model");
    const auto size = [&](std::string_view key) {
        const std::optional<std::int64_t> given = vision && vision->isObject() ? numberOf(*vision, {key}) : std::nullopt;
        return given ? given : usual && usual->values ? numberOf(*usual->values, {key}) : std::nullopt;
    };
    const auto image = size("image_size"), patch = size("patch_size"), tiles = size("max_num_tiles");
    if (!image || !patch || !tiles) {
        reader.needAlso("vision_config.image_size, patch_size and max_num_tiles");
        reader.refuseMissing();
        return;
    }
    const std::int64_t side = *image / *patch;
    const std::int64_t tokens = checked::mul(*tiles, side * side + 1);
    Palette palette;
    palette[LayerKind::Full] = {FullAttention{shape.heads}};
    palette[LayerKind::Cross] = {CrossAttention{shape.heads, Tokens(tokens)}};
    addLayers(reader, kinds, palette);
    reader.addDerived(Role::EncoderTokens, tokens, "one image: vision_config.max_num_tiles " + writeNumber(*tiles) + " × ((image_size " + writeNumber(*image)
                          + " ÷ patch_size " + writeNumber(*patch) + ")² + 1)", "kept once a sequence; these layers do not grow with the text");
}

bool readWithoutCache(Reader &reader) {
    const ClassDefaults *outer = classDefaults(reader.part().nested() ? std::string_view() : reader.type());
    if (const Json *rootType = reader.root().find("model_type"); rootType && rootType->isString() && reader.part().nested())
        outer = classDefaults(rootType->text());
    const ClassDefaults *own = reader.defaults();
    const auto is = [&](TypeRole role) { return (outer && outer->role == role) || (own && own->role == role); };
    const std::string &architecture = reader.spec().architecture;
    const bool encoderAlone = architecture.ends_with("EncoderModel"); // T5EncoderModel: the encoder half alone
    const bool decodes = reader.flag("is_decoder", Fill::Never).value_or(false);
    if (is(TypeRole::Vision))
        reader.spec().kind = ModelKind::VisionOnly;
    else if ((is(TypeRole::Encoder) && !decodes) || encoderAlone)
        reader.spec().kind = ModelKind::EncoderOnly;
    else
        return false;
    const bool vision = reader.spec().kind == ModelKind::VisionOnly;
    reader.warn("no-cache", "model_type",
                "\"" + reader.part().writtenType + "\" is " + (vision ? "a model of pictures, sound or series" : "an encoder")
                    + ": it generates no text token by token and keeps no KV cache, so only its weights count");
    ModelSpec &spec = reader.spec();
    spec.hidden = reader.glimpse({"hidden_size", "d_model", "dim", "emb_dim"});
    spec.queryHeads = reader.glimpse({"num_attention_heads", "n_heads", "num_heads"});
    const std::int64_t layers = std::min(reader.glimpse({"num_hidden_layers", "n_layers", "num_layers", "encoder_layers"}), layerRange.most);
    for (std::int64_t i = 0; i < layers; ++i)
        spec.addLayer({});
    return true;
}

} // namespace kv
