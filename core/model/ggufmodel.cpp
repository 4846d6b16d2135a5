// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ggufmodel.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/model/gguffacts.h"
#include "core/model/ggufknownkeys.h"
#include "core/model/gguflayers.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::int64_t mostLayers = 16'384; // llama.cpp itself stops at 512
constexpr std::int64_t mostTokens = std::int64_t{1} << 53;

const std::string *textAt(const Json &metadata, std::string_view key) {
    const Json *value = metadata.find(key);
    return value && value->isString() ? &value->text() : nullptr;
}

/// Files that are no language model: refused by what they say of themselves.
std::optional<Note> notAModel(const Json &metadata, std::string_view source) {
    const std::string file = oneLine(source, 200);
    const Json *architecture = metadata.find("general.architecture");
    const std::string *type = textAt(metadata, "general.type");
    if (type && *type == "adapter")
        return errorNote("not-a-model", "general.type",
                         file + " is a LoRA adapter, not a model: name the model it belongs to");
    if ((type && *type == "mmproj") || (architecture && architecture->isString() && architecture->text() == "clip"))
        return errorNote("not-a-model", "general.type",
                         file + " is an image projector (mmproj), not a language model: name the model beside it");
    if (type && !type->empty() && *type != "model")
        return errorNote("not-a-model", "general.type",
                         file + " holds no model: its general.type is " + describe(*metadata.find("general.type")));
    if (!architecture)
        return errorNote("missing-key", "general.architecture",
                         file + ": general.architecture is missing; nothing can be looked up without it");
    // It goes into keys, sentences and tables from here on: a name that is no single line is none.
    if (!architecture->isString() || architecture->text().empty() || oneLine(architecture->text(), 200) != architecture->text())
        return errorNote("bad-value", "general.architecture",
                         file + ": general.architecture must be a name, not " + describe(*architecture));
    return std::nullopt;
}

/// What to count an unknown architecture as: full attention, but only where no key speaks of a state.
const GgufArchitecture *assumed(const Json &metadata, GgufKeys &keys) {
    static constexpr GgufArchitecture unknown{.name = "unknown"};
    const std::string &name = keys.architecture();
    for (const std::string_view mark : {".ssm.", ".kda.", ".wkv.", ".shortconv."})
        for (const auto &[key, value] : metadata.members())
            if (key.starts_with(name + std::string(mark))) {
                keys.notes().push_back(
                    errorNote("unknown-architecture", "general.architecture",
                              "The architecture " + name + " is not known, and " + oneLine(key, 200) +
                                  " speaks of layers with a recurrent state: which ones cannot be guessed"));
                return nullptr;
            }
    keys.notes().push_back(warningNote("unknown-architecture", "general.architecture",
                                       "The architecture " + name +
                                           " is not known: planned as full attention in every layer that has KV heads, "
                                           "unless its keys say otherwise; a state or a window of its own would not be counted"));
    return &unknown;
}

struct Depth {
    std::int64_t blocks = 0; ///< as the lists of the file count them
    std::int64_t trunk = 0;  ///< layers that a plan counts
    std::int64_t drafts = 0;
};

Depth readDepth(GgufKeys &keys, const GgufArchitecture &architecture) {
    Depth depth;
    depth.blocks = keys.needed("block_count");
    depth.drafts = keys.numberOr("nextn_predict_layers", 0);
    if (keys.failed())
        return depth;
    if (depth.blocks > mostLayers)
        keys.refuse("out-of-range", "block_count",
                    "is out of range: " + writeNumber(depth.blocks) + " layers are more than " +
                        writeNumber(mostLayers));
    else if (depth.blocks < 1)
        keys.refuse("bad-value", "block_count", "must be 1 or more");
    else if (depth.drafts >= depth.blocks)
        keys.refuse("bad-value", "nextn_predict_layers",
                    "is " + writeNumber(depth.drafts) + " of " + writeNumber(depth.blocks) +
                        " blocks, which leaves no layer");
    depth.trunk = depth.blocks - depth.drafts;
    if (architecture.kind == ModelKind::EncoderDecoder) {
        depth.trunk = keys.numberOr("decoder_block_count", depth.trunk);
        if (depth.trunk < 1 || depth.trunk > mostLayers)
            keys.refuse("bad-value", "decoder_block_count", "must be from 1 to " + writeNumber(mostLayers));
        depth.blocks = std::max(depth.blocks, depth.trunk);
    }
    return depth;
}

/// The entries of a list, whether it is kept or only counted.
std::int64_t entries(const Json *list) {
    if (!list)
        return 0;
    if (list->isArray())
        return static_cast<std::int64_t>(list->items().size());
    const Json *count = list->find("count");
    return count && count->kind() == Json::Kind::Integer ? count->integer() : 0;
}

std::int64_t firstOf(GgufKeys &keys, std::string_view key, std::int64_t blocks, std::int64_t trunk) {
    const std::vector<std::int64_t> list = keys.perLayer(key, blocks, trunk);
    return list.empty() ? 0 : std::ranges::max(list);
}

void readShape(GgufKeys &keys, const Json &metadata, const Depth &depth, ModelSpec &spec) {
    spec.hidden = keys.numberOr("embedding_length", 0);
    spec.intermediate = firstOf(keys, "feed_forward_length", depth.blocks, depth.trunk);
    spec.experts = keys.numberOr("expert_count", 0);
    spec.expertsPerToken = keys.numberOr("expert_used_count", 0);
    spec.sparseTokens = keys.numberOr("attention.indexer.top_k", 0);
    spec.vocabulary = keys.numberOr("vocab_size", entries(metadata.find("tokenizer.ggml.tokens")));
    spec.draftLayers = depth.drafts;
    if (const auto length = keys.number("context_length", mostTokens); length && *length > 0)
        spec.maxContext = Tokens(*length);
    else if (!keys.failed())
        keys.warn("missing-key", "context_length", "is missing: how long a context the model takes is not known");
    // What is cached beside BF16 files is 16 bit as well: the file says how its weights are stored, not how the caches are.
    const Json *fileType = metadata.find("general.file_type");
    spec.dtype = fileType && fileType->kind() == Json::Kind::Integer && fileType->integer() == 32 ? ElementType::Bf16
                                                                                                  : ElementType::Fp16;
}

void addLayers(const GgufLayers &layers, const Depth &depth, ModelSpec &spec) {
    bool shares = false;
    for (std::int64_t i = 0; i < depth.trunk; ++i) {
        spec.addLayer(layers.parts(i), spec.kind == ModelKind::EncoderOnly ? Idle::NoAttention : layers.idle(i));
        spec.sharedFrom.push_back(layers.sharedFrom(i));
        shares = shares || spec.sharedFrom.back() >= 0;
    }
    if (!shares)
        spec.sharedFrom.clear();
    spec.queryHeads = layers.queryHeads();
}

} // namespace

Parsed<ModelSpec> ggufModel(const Json &metadata, std::string_view name, std::string_view source) {
    if (!metadata.isObject())
        return {std::nullopt,
                {errorNote("bad-value", std::string(source),
                           std::string(source) + ": GGUF metadata must be an object of keys and values")}};
    if (std::optional<Note> refusal = notAModel(metadata, source))
        return {std::nullopt, {std::move(*refusal)}};
    GgufKeys keys(metadata, metadata.find("general.architecture")->text(), source);
    const GgufArchitecture *found = ggufArchitecture(keys.architecture());
    const GgufArchitecture *known = found ? found : assumed(metadata, keys);
    ModelSpec spec;
    if (known) {
        GgufArchitecture architecture = *known;
        if (const Json *causal = keys.find("attention.causal"); causal && causal->isBool() && !causal->boolean())
            architecture.kind = ModelKind::EncoderOnly;
        spec.kind = architecture.kind;
        const Depth depth = readDepth(keys, architecture);
        if (!keys.failed()) {
            const GgufLayers layers(keys, architecture, depth.blocks, depth.trunk);
            readShape(keys, metadata, depth, spec);
            if (!keys.failed()) {
                addLayers(layers, depth, spec);
                addGgufFacts(keys, layers, spec);
                noteUnknownGgufKeys(keys, metadata);
            }
        }
    }
    if (keys.failed())
        return {std::nullopt, std::move(keys.notes())};
    if (spec.kind == ModelKind::EncoderOnly)
        keys.notes().push_back(
            infoNote("no-cache", "general.architecture", "This model reads a text as a whole and keeps no cache"));
    const std::string *given = textAt(metadata, "general.name");
    spec.name = !name.empty() ? std::string(name) : given && !given->empty() ? oneLine(*given, 200) : std::string(source);
    spec.modelType = spec.architecture = keys.architecture();
    spec.notes = std::move(keys.notes());
    spec.source = std::make_shared<const Json>(metadata);
    spec.sourceIsGguf = true;
    Notes notes = spec.notes;
    return {std::move(spec), std::move(notes)};
}

Parsed<std::shared_ptr<const ModelSpec>> readGgufMetadata(const Json &metadata, std::string_view name,
                                                          std::string_view source) {
    Parsed<ModelSpec> spec = ggufModel(metadata, name, source);
    if (!spec)
        return {std::nullopt, std::move(spec.notes)};
    return {std::make_shared<const ModelSpec>(std::move(*spec.value)), std::move(spec.notes)};
}

} // namespace kv
