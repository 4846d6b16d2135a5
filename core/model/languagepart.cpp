// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/languagepart.h"

#include "core/model/defaults.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr std::array<std::string_view, 9> nestKeys{"thinker_config", "text_config", "llm_config", "language_config", "llm_cfg",
                                                   "decoder_config", "lm_config",   "decoder",    "generator"};
constexpr std::array<std::string_view, 9> layerKeys{"num_hidden_layers", "n_layer",        "n_layers",
                                                    "num_layers",        "decoder_layers", "num_decoder_layers",
                                                    "layers_block_type", "layer_types",    "hybrid_override_pattern"};
constexpr std::array<std::string_view, 6> shapeKeys{"model_type", "hidden_size", "num_attention_heads", "n_embd", "d_model", "text_config"};

template <typename Names>
bool holdsAny(const Json &block, const Names &names) {
    return std::ranges::any_of(names, [&](std::string_view name) { return block.find(name) != nullptr; });
}

std::string typeOf(const Json &block) {
    const Json *type = block.find("model_type");
    return type && type->isString() ? type->text() : std::string();
}

/// The key of the block that holds the language model, empty when this block is it.
std::string_view nestKeyOf(const Json &block) {
    const bool flatShape = holdsAny(block, layerKeys);
    for (const std::string_view key : nestKeys) {
        const Json *child = block.find(key);
        if (!child || !child->isObject())
            continue;
        // A block that says nothing of a shape beside a file that does is an aside.
        if (holdsAny(*child, layerKeys) || holdsAny(*child, shapeKeys) || !flatShape)
            return key;
    }
    return {};
}

std::string architectureOf(const Json &block) {
    const Json *list = block.find("architectures");
    return list && list->isArray() && !list->items().empty() && list->items().front().isString() ? list->items().front().text()
                                                                                                : std::string();
}

} // namespace

LanguagePart findLanguagePart(const Json &config) {
    LanguagePart part;
    part.chain.push_back(&config);
    part.writtenType = typeOf(config);
    if (part.writtenType.empty()) {
        part.writtenType = modelTypeOfArchitecture(architectureOf(config));
        part.typeInferred = !part.writtenType.empty();
    }
    part.type = part.writtenType;
    if (part.type.empty() && config.find("dim") && config.find("n_layers") && config.find("n_heads")) {
        part.writtenType = "mistral"; // Mistral's own params.json: what it leaves out is absent, not the library's default
        part.type = "mistral_params";
    }
    for (std::string_view key = nestKeyOf(config); !key.empty(); key = nestKeyOf(part.text())) {
        const Json &child = *part.text().find(key);
        const ClassDefaults *outer = classDefaults(part.type);
        part.chain.push_back(&child);
        part.path.append(key).append(".");
        part.writtenType = typeOf(child);
        if (part.writtenType.empty() && outer && outer->role == TypeRole::Composite && outer->textKey == key)
            part.writtenType = outer->textType;
        if (part.writtenType.empty())
            part.writtenType = modelTypeOfArchitecture(architectureOf(child));
        part.type = part.writtenType;
    }
    const ClassDefaults *own = classDefaults(part.type);
    while (own && own->role == TypeRole::Composite && !own->textType.empty()) {
        part.type = own->textType;
        own = classDefaults(part.type);
    }
    return part;
}

} // namespace kv
