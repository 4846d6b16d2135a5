// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/contextlimit.h"

#include "core/base/scaled.h"
#include "core/model/languagepart.h"
#include "core/model/wholevalue.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

struct Scaling {
    std::string_view key;
    std::string type; ///< empty: none
    double factor = 1;
    std::int64_t original = 0; ///< original_max_position_embeddings; 0: not there
};

/// The scaling of one kind of layers.
Scaling scalingOf(const Json &block) {
    Scaling scaling;
    for (const std::string_view key : {"rope_type", "type"})
        if (const Json *type = block.find(key); type && type->isString() && scaling.type.empty())
            scaling.type = type->text().substr(0, 40);
    constexpr double most = 1e6;
    if (const Json *factor = block.find("factor"); factor && factor->isNumber() && factor->real() > 0 && factor->real() < most)
        scaling.factor = factor->real();
    if (const Json *original = block.find("original_max_position_embeddings"))
        scaling.original = std::max<std::int64_t>(wholeValue(*original).value_or(0), 0);
    return scaling;
}

/// Of a block with an entry for each kind of layers, the first that scales.
Scaling readScaling(const Json &text) {
    for (const std::string_view key : {"rope_scaling", "rope_parameters"}) {
        const Json *block = text.find(key);
        if (!block || !block->isObject())
            continue;
        Scaling scaling = scalingOf(*block);
        for (const Json::Member &member : block->members())
            if (scaling.type.empty() && member.second.isObject() && scalingOf(member.second).factor != 1)
                scaling = scalingOf(member.second);
        scaling.key = key;
        return scaling;
    }
    return {};
}

/// Gemma 3: the length in its files is the scaled one.
bool isScaledAlready(std::string_view modelType) { return modelType.find("gemma3") != std::string_view::npos; }

bool isYarn(const Scaling &scaling) { return scaling.type.find("yarn") != std::string::npos; }

bool keepsWritten(const Scaling &scaling) {
    static constexpr std::array<std::string_view, 4> types{"", "su", "longrope", "llama3"};
    return std::ranges::find(types, scaling.type) != types.end();
}

std::optional<std::int64_t> times(std::int64_t length, double factor) {
    const std::int64_t scaled = checked::scaled(length, factor); // out of range is below all
    return scaled < 1 ? std::nullopt : std::optional(scaled);
}

std::optional<std::int64_t> scaledBy(const Scaling &scaling, std::int64_t written, std::string_view modelType) {
    if (keepsWritten(scaling) || isScaledAlready(modelType))
        return std::nullopt;
    return times(isYarn(scaling) && scaling.original > 0 ? scaling.original : written, scaling.factor);
}

/// The limit before scaling.
Tokens writtenLimit(const ModelSpec &model) {
    for (const Fact &fact : model.facts)
        if (fact.role == Role::MaxContext && fact.origin != Origin::Derived)
            return Tokens(fact.value);
    return *model.maxContext;
}

} // namespace

std::optional<ScaledContext> scaledContext(std::int64_t written, const Json &text, std::string_view modelType) {
    Scaling scaling = readScaling(text);
    const std::optional<std::int64_t> length = scaledBy(scaling, written, modelType);
    return length ? std::optional(ScaledContext{*length, scaling.key, std::move(scaling.type)}) : std::nullopt;
}

std::optional<Tokens> contextLimit(std::string_view engine, const ModelSpec &model) {
    if (!model.maxContext || model.sourceIsGguf || engine == "textbook" || engine == "transformers")
        return model.maxContext;
    const Tokens written = writtenLimit(model);
    if (engine == "llama-cpp" || !model.source)
        return written;
    const Scaling scaling = readScaling(findLanguagePart(*model.source).text());
    std::optional<std::int64_t> length;
    if (engine == "sglang") {
        if (scaling.original == 0 && scaling.type != "llama3" && !isScaledAlready(model.modelType))
            length = times(written.value, scaling.factor);
    } else if (engine != "tensorrt-llm" || !isYarn(scaling))
        length = scaledBy(scaling, written.value, model.modelType);
    return length ? Tokens(*length) : written;
}

} // namespace kv
