// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mistralparams.h"

#include "core/base/scaled.h"
#include "core/base/units.h"
#include "core/model/reader.h"
#include "core/model/wholevalue.h"

#include <array>

namespace kv {

namespace {

using Names = std::pair<const char *, const char *>;

constexpr std::array renamed{
    Names{"dim", "hidden_size"},           Names{"n_layers", "num_hidden_layers"},    Names{"n_heads", "num_attention_heads"},
    Names{"n_kv_heads", "num_key_value_heads"}, Names{"hidden_dim", "intermediate_size"}, Names{"norm_eps", "rms_norm_eps"},
    Names{"max_seq_len", "max_position_embeddings"},
};

constexpr std::array expertNames{
    Names{"num_experts", "num_local_experts"},
    Names{"num_experts_per_tok", "num_experts_per_tok"},
};

/// The names that DeepSeek's models use, which Mistral's models with a latent cache follow.
constexpr std::array latentExpertNames{
    Names{"num_experts", "n_routed_experts"},
    Names{"num_experts_per_tok", "num_experts_per_tok"},
    Names{"num_shared_experts", "n_shared_experts"},
    Names{"expert_hidden_dim", "moe_intermediate_size"},
    Names{"first_k_dense_replace", "first_k_dense_replace"},
};

template <std::size_t N>
void copyRenamed(const Json &from, const std::array<Names, N> &names, Json &to) {
    for (const auto &[shortName, longName] : names)
        if (const Json *value = from.find(shortName); value && !value->isNull())
            to.set(longName, *value);
}

/// The first Llamas do not write their feed-forward size: two thirds of 4 × dim, times a factor, up to a multiple.
void addFeedForward(const Json &params, Json &config) {
    const Json *dim = params.find("dim");
    const Json *multiple = params.find("multiple_of");
    if (config.find("intermediate_size") || !dim || !multiple || dim->kind() != Json::Kind::Integer || multiple->kind() != Json::Kind::Integer)
        return;
    std::int64_t size = checked::floorDiv(checked::mul(dim->integer(), 8), 3);
    if (const Json *factor = params.find("ffn_dim_multiplier"); factor && factor->isNumber() && factor->real() > 0 && factor->real() < 1000)
        size = checked::scaled(size, factor->real());
    if (size = checked::roundUp(size, multiple->integer()); size > 0)
        config.set("intermediate_size", size);
}

/// FP8 in Mistral's words (_remap_mistral_quantization_args); anything else is read as it stands.
void addQuantisation(const Json &params, Json &config) {
    const Json *block = params.find("quantization");
    const Json *format = block ? block->find("qformat_weight") : nullptr;
    if (!format || !format->isString() || format->text() != "fp8_e4m3")
        return;
    const Json *activations = block->find("qscheme_act");
    const bool dynamic = activations && activations->isString() && activations->text() == "NO_SCALES";
    config.erase("quantization");
    Json &scheme = config.set("quantization_config", Json::object());
    scheme.set("quant_method", "fp8");
    scheme.set("activation_scheme", dynamic ? "dynamic" : "static");
}

/// A list of windows, null for none, stands for the layers over and over (_remap_mistral_sliding_window). One that holds several sizes
/// or does not go into the layers is left to the reader, which refuses it.
void addWindows(const Json &params, Json &config) {
    const Json *windows = params.find("sliding_window");
    const std::int64_t layers = wholeValue(params.find("n_layers") ? *params.find("n_layers") : Json()).value_or(0);
    if (!windows || !windows->isArray() || windows->items().empty() || layers < layerRange.least || layers > layerRange.most || layers % std::ssize(windows->items()) != 0)
        return;
    const Json *size = nullptr;
    for (const Json &window : windows->items()) {
        if (!window.isNull() && size && !(window == *size))
            return;
        size = window.isNull() ? size : &window;
    }
    Json types = Json::array();
    for (std::int64_t i = 0; i < layers; ++i)
        types.push(windows->items()[static_cast<std::size_t>(i % std::ssize(windows->items()))].isNull() ? "full_attention" : "sliding_attention");
    config.set("sliding_window", size ? *size : Json());
    if (size)
        config.set("layer_types", std::move(types));
}

bool isTrue(const Json *value) { return value && value->isBool() && value->boolean(); }

bool has(const Json &root, const char *key) {
    const Json *value = root.find(key);
    return value && !value->isNull();
}

} // namespace

bool isMistralParams(const Json &root) {
    return root.isObject() && root.find("dim") && root.find("n_layers") && !root.find("num_hidden_layers") && !root.find("model_type");
}

Json configFromMistralParams(const Json &params) {
    const bool latent = has(params, "kv_lora_rank");
    const Json *experts = params.find("moe");
    Json config = Json::object();
    const char *type = latent ? "deepseek_v3" : experts ? "mixtral" : "mistral";
    const char *architecture = latent ? "DeepseekV3ForCausalLM" : experts ? "MixtralForCausalLM" : "MistralForCausalLM";
    config.set("architectures", Json::array()).push(architecture);
    config.set("model_type", type);
    // An absent window is none here; the class default of 4,096 belongs to config.json files.
    config.set("sliding_window", Json());
    config.set("tie_word_embeddings", isTrue(params.find("tied_embeddings")));
    // The class default of one draft layer belongs to config.json files as well.
    if (latent)
        config.set("num_nextn_predict_layers", 0);
    for (const auto &[key, value] : params.members())
        if (key != "moe" && key != "tied_embeddings" && !(key == "vocab_size" && value.kind() == Json::Kind::Integer && value.integer() < 0))
            config.set(key, value);
    copyRenamed(params, renamed, config);
    for (const auto &[shortName, longName] : renamed)
        config.erase(shortName);
    if (experts && experts->isObject()) {
        if (latent)
            copyRenamed(*experts, latentExpertNames, config);
        else
            copyRenamed(*experts, expertNames, config);
    }
    // Without groups each head has keys of its own (llama/model.py, class Attention; vLLM models/llama.py).
    if (const Json *heads = config.find("num_attention_heads"); heads && !config.find("num_key_value_heads"))
        config.set("num_key_value_heads", Json(*heads));
    addFeedForward(params, config);
    addQuantisation(params, config);
    addWindows(params, config);
    return config;
}

} // namespace kv
