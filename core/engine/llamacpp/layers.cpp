// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp/layers.h"

#include <algorithm>
#include <array>

namespace kv::llamacpp {

namespace {

/// What a config's model_type becomes, and whether its windows survive the way. Source: llama.cpp v0.5.0 conversion/*.py.
struct Converted {
    std::string_view modelType, architecture;
    bool windows = false;
};

constexpr auto conversions = std::to_array<Converted>({
    {"llama", "llama"}, {"mistral", "llama"}, {"mixtral", "llama"}, {"voxtral", "llama"}, {"ministral3", "mistral3"}, {"mistral3", "mistral3"},
    {"llama4_text", "llama4", true}, {"llama4", "llama4", true}, {"qwen", "qwen"}, {"qwen2", "qwen2"}, {"qwen2_audio", "qwen2"}, {"qwen2_vl", "qwen2vl"},
    {"qwen2_vl_text", "qwen2vl"}, {"qwen2_5_vl", "qwen2vl"}, {"qwen2_5_vl_text", "qwen2vl"}, {"qwen2_moe", "qwen2moe"}, {"qwen3", "qwen3"}, {"qwen3_moe", "qwen3moe"},
    {"qwen3_vl", "qwen3vl"}, {"qwen3_vl_text", "qwen3vl"}, {"qwen3_vl_moe", "qwen3vlmoe"}, {"qwen3_vl_moe_text", "qwen3vlmoe"}, {"qwen3_asr", "qwen3"},
    {"qwen3_next", "qwen3next"}, {"qwen3_5", "qwen35"}, {"qwen3_5_text", "qwen35"}, {"qwen3_5_moe", "qwen35moe"}, {"qwen3_5_moe_text", "qwen35moe"},
    {"gemma", "gemma"}, {"gemma2", "gemma2", true}, {"gemma3", "gemma3", true}, {"gemma3_text", "gemma3", true}, {"gemma3n", "gemma3n", true},
    {"gemma3n_text", "gemma3n", true}, {"gemma4", "gemma4", true}, {"gemma4_text", "gemma4", true}, {"gpt_oss", "gpt-oss", true}, {"cohere", "command-r"},
    {"cohere2", "cohere2", true}, {"exaone", "exaone"}, {"exaone4", "exaone4", true}, {"olmo2", "olmo2"}, {"olmo3", "olmo2", true}, {"phi", "phi2"},
    {"phi3", "phi3"}, {"phi4", "phi3"}, {"phimoe", "phimoe"}, {"chatglm", "chatglm"}, {"glm4", "glm4"}, {"glm4v", "glm4"}, {"glm4_moe", "glm4moe"},
    {"falcon", "falcon"}, {"RefinedWeb", "falcon"}, {"RefinedWebModel", "falcon"}, {"gpt_bigcode", "starcoder"}, {"mpt", "mpt"}, {"bloom", "bloom"},
    {"gpt_neox", "gptneox"}, {"gpt2", "gpt2"}, {"starcoder2", "starcoder2"}, {"baichuan", "baichuan"}, {"xverse", "xverse"}, {"internlm2", "internlm2"},
    {"stablelm", "stablelm"}, {"hunyuan", "hunyuan-moe"}, {"hunyuan_v1_moe", "hunyuan-moe"}, {"bailing_moe", "bailingmoe"}, {"granite", "granite"},
    {"granitemoe", "granitemoe"}, {"minimax_m2", "minimax-m2"}, {"dbrx", "dbrx"}, {"minicpm", "minicpm"}, {"minicpm3", "minicpm3"}, {"deepseek_v2", "deepseek2"},
    {"deepseek_v3", "deepseek2"}, {"kimi_k2", "deepseek2"}, {"kimi_k25", "deepseek2"}, {"glm4_moe_lite", "deepseek2"}, {"deepseek_v32", "deepseek32"},
    {"glm_moe_dsa", "glm-dsa"}, {"deepseek_v4", "deepseek4", true}, {"kimi_linear", "kimi-linear"}, {"kimi_k3", "kimi-k3"}, {"minimax_m1", "minimax-01"},
    {"minimax_text_01", "minimax-01"}, {"minimax", "minimax-01"}, {"minimax_m3", "minimax-m3"}, {"mimo_v2_flash", "mimo2", true}, {"step3p5", "step35", true},
    {"step3p7", "step35", true}, {"granitemoehybrid", "granitehybrid"}, {"bamba", "granitehybrid"}, {"jamba", "jamba"}, {"mamba", "mamba"},
    {"falcon_mamba", "mamba"}, {"mamba2", "mamba2"}, {"nemotron_h", "nemotron_h"}, {"nemotron-nas", "deci"}, {"deci", "deci"}, {"falcon_h1", "falcon-h1"},
    {"plamo2", "plamo2"}, {"lfm2", "lfm2"}, {"lfm2_vl", "lfm2"}, {"lfm2_moe", "lfm2moe"}, {"rwkv6", "rwkv6"}, {"rwkv7", "rwkv7"}, {"t5", "t5"}, {"mt5", "t5"},
    {"umt5", "t5"}, {"bert", "bert"}, {"modernbert", "modern-bert"},
});

// Classes for which there is no converter, though their model_type is known (seen in real configs).
constexpr auto unconverted = std::to_array<std::string_view>({
    "MiniCPMV", "Qwen2_5OmniForConditionalGeneration", "LlavaLlamaForCausalLM", "LlavaLlamaModel", "MptForCausalLM", "MiniMaxM3ForCausalLM",
    "LlamaForSequenceClassification", "MistralModel", "InternLM2ForRewardModel", "MiMoForCausalLM", "Phi3VForCausalLM", "MllamaForConditionalGeneration",
    "WhisperForConditionalGeneration", "MolmoForCausalLM", "Phi3SmallForCausalLM", "Phi4MMForCausalLM", "TelechatForCausalLM", "YuanForCausalLM",
});

// llm_arch_supports_rs_rollback (src/llama-arch.cpp).
constexpr auto rollbackArchitectures = std::to_array<std::string_view>({
    "qwen35", "qwen35moe", "qwen4exp", "nemotron_h", "nemotron_h_moe", "lfm2", "lfm2moe", "deepseek4", "bailingmoe3", "kimi-k3",
});

// The key is written and the engine does not use it.
constexpr auto windowIgnored = std::to_array<std::string_view>({"llama", "phi3", "phimoe", "mistral3", "qwen2", "qwen3", "starcoder2", "minicpm"});

const Json *sourceKey(const ModelSpec &model, const std::string &key) { return model.source ? model.source->find(key) : nullptr; }

std::int64_t sourceNumber(const ModelSpec &model, const std::string &key, std::int64_t otherwise) {
    const Json *value = sourceKey(model, key);
    return value && value->kind() == Json::Kind::Integer ? value->integer() : otherwise;
}

struct Traits {
    bool keepsLatent = false;
    bool windows = false;
};

Layer layerOf(const LayerShape &shape, const Traits &traits, bool minimaxIndex) {
    Layer layer;
    const auto take = [&](const HeadShape &heads, std::int64_t window) {
        layer.keyWidth = checked::mul(heads.kvHeads, heads.keySize);
        layer.valueWidth = checked::mul(heads.kvHeads, heads.valueSize);
        layer.headSize = heads.keySize;
        layer.window = traits.windows ? window : 0;
        layer.created = true;
        if (minimaxIndex)
            layer.indexValue = heads.valueSize;
    };
    for (const CachePart &part : shape.parts) {
        if (const auto *full = std::get_if<FullAttention>(&part))
            take(full->heads, 0);
        else if (const auto *window = std::get_if<SlidingWindow>(&part))
            take(window->heads, window->window.value);
        else if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
            take(chunked->heads, chunked->chunk.value);
        else if (const auto *latent = std::get_if<LatentAttention>(&part); latent && traits.keepsLatent)
            layer.keyWidth = checked::add(latent->rank, latent->ropeSize), layer.headSize = layer.keyWidth, layer.created = true;
        else if (latent)
            take(latent->expanded, 0);
        else if (const auto *index = std::get_if<IndexKeys>(&part))
            layer.indexKey = index->size;
        else if (const auto *state = std::get_if<RecurrentState>(&part))
            layer.recurrent = checked::add(state->convElements(), state->stateElements());
        else if (const auto *compressed = std::get_if<CompressedAttention>(&part))
            layer.compressed = *compressed, layer.headSize = compressed->headDim, layer.created = true;
    }
    if (layer.indexKey == 0)
        layer.indexValue = 0;
    return layer;
}

Note refuse(const ModelSpec &model, const std::string &what) {
    return errorNote("no-converter", "engine.id", "engine.id: llama.cpp has no converter for " + what + (model.name.empty() ? "" : " (" + model.name + ")") +
                                                      "; count it like another engine, or open a GGUF file of it");
}

/// The architecture of a config, or why its converter refuses it.
const Converted *convert(const ModelSpec &model, Layers &out) {
    if (std::ranges::find(unconverted, std::string_view(model.architecture)) != unconverted.end()) {
        out.refusal = refuse(model, model.architecture);
        return nullptr;
    }
    const auto found = std::ranges::find(conversions, std::string_view(model.modelType), &Converted::modelType);
    if (found == conversions.end()) {
        out.refusal = refuse(model, model.modelType.empty() ? std::string("a config without model_type") : "model_type " + model.modelType);
        return nullptr;
    }
    return &*found;
}

/// T5's cache has the encoder's number of layers, whatever the decoder's.
void resizeT5(const ModelSpec &model, Layers &out) {
    const std::int64_t blocks = sourceNumber(model, model.sourceIsGguf ? "t5.block_count" : "num_layers", model.layerCount());
    if (out.architecture == "t5" && !out.list.empty() && blocks > 0 && blocks <= 100'000)
        out.list.assign(static_cast<std::size_t>(blocks), out.list.front());
    if (out.architecture == "t5")
        out.blocks = static_cast<std::int64_t>(out.list.size()); // block_count is the encoder's as well
}

} // namespace

Layers layersOf(const ModelSpec &model) {
    Layers out;
    Traits traits;
    if (model.sourceIsGguf) {
        const Json *name = sourceKey(model, "general.architecture");
        out.architecture = name && name->isString() ? name->text() : model.modelType;
        traits.keepsLatent = sourceKey(model, out.architecture + ".attention.key_length_mla") && sourceKey(model, out.architecture + ".attention.value_length_mla");
        traits.windows = std::ranges::find(windowIgnored, std::string_view(out.architecture)) == windowIgnored.end();
        out.blocks = sourceNumber(model, out.architecture + ".block_count", model.layerCount());
    } else {
        const Converted *converted = convert(model, out);
        if (!converted)
            return out;
        out.architecture = converted->architecture;
        traits.keepsLatent = out.architecture != "minicpm3";
        traits.windows = converted->windows;
        if (out.architecture == "exaone4" && model.layerCount() != 64)
            traits.windows = false; // the pattern is used for the 64-layer model only
        out.blocks = model.layerCount();
    }
    const bool minimaxIndex = out.architecture == "minimax-m3";
    std::vector<Layer> byShape;
    for (const LayerShape &shape : model.shapes) {
        byShape.push_back(layerOf(shape, traits, minimaxIndex));
        // A layer without KV heads still has its place in the attention cache (deci), but for the state layers and feed-forward blocks of hybrids.
        if (shape.parts.empty() && shape.idle == Idle::NoAttention && out.architecture == "deci")
            byShape.back().created = true;
    }
    out.list.reserve(model.layers.size());
    for (const std::uint16_t shape : model.layers)
        out.list.push_back(byShape[shape]);
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            out.latent = out.latent || (traits.keepsLatent && kindOf(part) == CacheKind::Latent);
    out.rollback = std::ranges::find(rollbackArchitectures, std::string_view(out.architecture)) != rollbackArchitectures.end();
    resizeT5(model, out);
    return out;
}

// Of these the converter writes the layers of multi-token prediction into the file (conversion/*.py, "nextn_predict_layers"); of all other
// architectures it drops them. glm4_moe_lite becomes deepseek2 and keeps its own.
bool keepsDrafts(const ModelSpec &model) {
    static constexpr auto kept = std::to_array<std::string_view>({"deepseek32", "glm-dsa", "glm4moe", "exaone4", "mimo2", "step35", "nemotron_h", "qwen3next", "qwen35", "qwen35moe"});
    if (model.sourceIsGguf || model.modelType == "glm4_moe_lite")
        return true;
    const auto known = std::ranges::find(conversions, model.modelType, &Converted::modelType);
    return known != conversions.end() && std::ranges::find(kept, known->architecture) != kept.end();
}

} // namespace kv::llamacpp
