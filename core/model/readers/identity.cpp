// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/identity.h"

#include "core/base/quantity.h"
#include "core/model/contextlimit.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

std::string_view textOf(const Json &block, std::string_view key) {
    const Json *value = block.find(key);
    return value && value->isString() ? std::string_view(value->text()) : std::string_view();
}

std::string architectureOf(const Json &block) {
    const Json *list = block.find("architectures");
    return list && list->isArray() && !list->items().empty() && list->items().front().isString() ? list->items().front().text()
                                                                                                : std::string();
}

/// The model's own dtype, with the place that says it; a name that is no float of 16 or 32 bits is a storage type, not this.
void readDtype(Reader &reader) {
    std::pair<std::string, std::string> unknown; ///< key, and what is wrong with it
    const std::vector<const Json *> &chain = reader.part().chain;
    for (std::size_t depth = 0; depth < chain.size(); ++depth) {
        for (const std::string_view key : {"dtype", "torch_dtype"}) {
            std::string_view name = textOf(*chain[depth], key);
            if (name.starts_with("torch."))
                name.remove_prefix(6);
            const std::optional<ElementType> type = elementTypeFromName(name);
            if (!name.empty() && !type)
                unknown = {std::string(key), "\"" + std::string(name.substr(0, 60)) + "\" is no type that is known here; 16 bit (BF16) is assumed"};
            if (type != ElementType::Bf16 && type != ElementType::Fp16 && type != ElementType::Fp32)
                continue;
            reader.spec().dtype = *type;
            const std::string place = depth == 0 ? std::string(key) : depth + 1 == chain.size() ? reader.at(key) : std::string(key) + " (nested)";
            reader.spec().facts.push_back({Role::Dtype, info(*type).blockBytes, Origin::File, place, {}});
            return;
        }
    }
    reader.spec().dtype = ElementType::Bf16;
    reader.spec().facts.push_back({Role::Dtype, 2, Origin::Assumed, unknown.first.empty() ? "no dtype in the file: 16 bit" : "the file's dtype is not known: 16 bit", {}});
    if (!unknown.first.empty())
        reader.warn("unknown-dtype", unknown.first, unknown.second);
}

std::optional<ElementType> hintFromName(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, ElementType>, 4> names{
        {{"NVFP4", ElementType::Nvfp4}, {"INT8", ElementType::Int8}, {"FP8", ElementType::Fp8}, {"FP8_E4M3", ElementType::Fp8}}};
    for (const auto &[word, type] : names)
        if (name == word)
            return type;
    return elementTypeFromName(name);
}

std::optional<ElementType> hintFromScheme(const Json &scheme) {
    const Json *bits = scheme.find("num_bits");
    const bool isFloat = textOf(scheme, "type") != "int";
    if (!bits || bits->kind() != Json::Kind::Integer)
        return std::nullopt;
    if (bits->integer() == 8)
        return isFloat ? ElementType::Fp8 : ElementType::Int8;
    if (bits->integer() == 4)
        return isFloat ? ElementType::Nvfp4 : ElementType::Int4;
    return std::nullopt;
}

void readHint(Reader &reader, const Json &quantization, const std::string &path) {
    for (const std::string_view key : {"kv_cache_scheme", "kv_cache_quant_algo"}) {
        const Json *scheme = quantization.find(key);
        if (!scheme || scheme->isNull())
            continue;
        const std::optional<ElementType> hint = scheme->isString() ? hintFromName(scheme->text())
            : scheme->isObject()                                   ? hintFromScheme(*scheme)
                                                                   : std::nullopt;
        if (hint)
            reader.spec().kvHint = *hint;
        else
            reader.warn("hint-ignored", path + std::string(key), "this KV type is not known here and is ignored: " + describe(*scheme));
        return;
    }
}

} // namespace

void readIdentity(Reader &reader, std::string_view name, std::string_view source) {
    ModelSpec &spec = reader.spec();
    spec.modelType = reader.part().writtenType;
    spec.architecture = architectureOf(reader.root());
    if (spec.architecture.empty())
        spec.architecture = architectureOf(reader.text());
    spec.name = name;
    const std::string_view given = textOf(reader.root(), "_name_or_path");
    if (spec.name.empty() && !given.empty() && given.front() != '/' && given.front() != '.')
        spec.name = given;
    if (spec.name.empty())
        spec.name = source.empty() ? std::string_view(spec.modelType) : source;
    if (reader.type() == "mistral_params" && spec.architecture.empty())
        spec.architecture = reader.has("moe") ? "MixtralForCausalLM" : "MistralForCausalLM";
    if (reader.part().typeInferred)
        reader.warn("assumption", "model_type", "the file names no model type; \"" + reader.part().type + "\" was taken from its architecture "
                        + spec.architecture);
    readDtype(reader);
}

void readQuantization(Reader &reader) {
    std::string path;
    for (const Json *block : reader.part().chain) {
        for (const std::string_view key : {"quantization_config", "compression_config", "quantization"}) {
            const Json *quantization = block->find(key);
            if (!quantization || !quantization->isObject())
                continue;
            std::string_view method = textOf(*quantization, "quant_method");
            if (method.empty() && (quantization->find("quant_algo") || !textOf(*quantization, "kv_cache_quant_algo").empty()))
                method = "modelopt";
            reader.spec().quantMethod = method;
            readHint(reader, *quantization, (block == &reader.root() ? std::string() : reader.part().path) + std::string(key) + ".");
            return;
        }
    }
}

namespace {

/// Longer than any context: what tokenizers write for "no limit" (10^30).
bool isEndless(const Json &value) { return value.kind() == Json::Kind::Real && value.real() > static_cast<double>(tokenRange.most); }

} // namespace

void readLimit(Reader &reader) {
    constexpr Range range{-1, tokenRange.most}; // 0 and −1 are written for "none"
    const auto read = [&](std::string_view key) {
        const Json *value = reader.find(key);
        const Whole limit = value && !isEndless(*value) ? reader.whole({key}, range, Fill::Never) : Whole{};
        return limit && limit.value >= 1 ? limit : Whole{};
    };
    Whole best = read("model_max_length");
    if (!best) {
        for (const std::string_view key : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_target_positions",
                                           "max_sequence_length", "max_seq_length", "seq_len", "context_length", "max_context_length",
                                           "max_decoder_position_embeddings"}) {
            const Whole one = read(key);
            if (one && (!best || one.value < best.value))
                best = one;
        }
    }
    if (!best)
        best = read("n_ctx");
    if (!best && !reader.find("max_position_embeddings"))
        best = reader.whole({"max_position_embeddings", "n_positions", "max_seq_len", "max_target_positions", "context_length"}, range);
    if (!best || best.value < 1)
        return;
    ModelSpec &spec = reader.spec();
    spec.maxContext = Tokens(best.value);
    const std::optional<ScaledContext> scaled = scaledContext(best.value, reader.text(), spec.modelType);
    if (scaled && scaled->length > best.value && scaled->length <= tokenRange.most) {
        spec.maxContext = Tokens(scaled->length);
        reader.addDerived(Role::MaxContext, scaled->length, reader.at(scaled->key) + ", \"" + scaled->type + "\"",
                          "not the " + writeNumber(best.value) + " of " + std::string(best.key));
    }
    reader.addFact(Role::MaxContext, best);
}

void readRest(Reader &reader) {
    ModelSpec &spec = reader.spec();
    spec.vocabulary = reader.glimpse({"padded_vocab_size", "vocab_size", "n_vocab"});
    spec.intermediate = reader.glimpse({"intermediate_size", "ffn_hidden_size", "n_inner", "d_ff", "ffn_dim", "decoder_ffn_dim", "ffn_hidden_dim"});
    spec.experts = reader.glimpse({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "ffn_config.moe_num_experts"});
    spec.expertsPerToken = reader.glimpse({"num_experts_per_tok", "num_experts_per_token", "moe_topk", "moe_k", "moe_top_k", "top_k_experts",
                                           "ffn_config.moe_top_k"});
    spec.sparseTokens = reader.glimpse({"index_topk"});
    spec.draftLayers = 0;
    for (const std::string_view key : {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers", "_num_mtp_layers", "num_mtp_modules"}) {
        if (reader.find(key)) {
            spec.draftLayers = reader.glimpse({key});
            break;
        }
    }
    if (spec.draftLayers > layerRange.most)
        spec.draftLayers = 0;
    std::optional<bool> tied;
    for (auto block = reader.part().chain.rbegin(); block != reader.part().chain.rend() && !tied; ++block)
        for (const std::string_view key : {"tie_word_embeddings", "weight_tying"})
            if (const Json *value = (*block)->find(key); value && value->isBool() && !tied)
                tied = value->boolean();
    if (const Json *value = reader.defaultOf("tie_word_embeddings"); !tied && value && value->isBool())
        tied = value->boolean();
    spec.tiedEmbeddings = tied.value_or(false);
    if (spec.vocabulary > 0)
        spec.facts.push_back({Role::Vocabulary, spec.vocabulary, Origin::File, reader.at("vocab_size"), {}});
}

} // namespace kv
