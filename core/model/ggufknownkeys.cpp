// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ggufknownkeys.h"

#include "core/base/plaintext.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace kv {

namespace {

// Parts of a key that speak of what is kept for a token.
constexpr std::array<std::string_view, 18> structural{"attention.", "attn",  "cache",  "chunk",  "compress", "conv",   "head",  "indexer", "kda.",
                                                      "kv_",        "latent", "recurrent", "shared_kv", "ssm.", "state", "swa", "window", "wkv."};
// ... unless it is about norms, scales or pictures.
constexpr std::array<std::string_view, 7> harmless{"epsilon", "norm", "scale", "softcap", "temperature", "vision", "expert"};

// Those that are read here, and those that were looked at and change nothing in the cache. Names: llama.cpp v0.5.0, src/llama-arch.cpp
// (LLM_KV_NAMES).
constexpr std::array<std::string_view, 57> known{
    "attention.causal", "attention.clamp_kqv", "attention.compress_ratios", "attention.decay_lora_rank",
    "attention.gate_lora_rank", "attention.group_norm_epsilon", "attention.group_norm_groups",
    "attention.head_count", "attention.head_count_kv", "attention.iclr_lora_rank", "attention.indexer.block_size",
    "attention.indexer.head_count", "attention.indexer.key_length", "attention.indexer.top_k",
    "attention.indexer.types", "attention.key_length", "attention.key_length_mla", "attention.key_length_swa",
    "attention.kv_lora_rank", "attention.layer_norm_epsilon", "attention.layer_norm_rms_epsilon",
    "attention.max_alibi_bias", "attention.output_scale", "attention.q_lora_rank", "attention.recurrent_layers",
    "attention.relative_buckets_count", "attention.scale", "attention.shared_kv_layers", "attention.sliding_window",
    "attention.sliding_window_pattern", "attention.temperature_length", "attention.temperature_scale",
    "attention.value_length", "attention.value_length_mla", "attention.value_length_swa",
    "attention.value_residual_mix_lora_rank", "attn_logit_softcapping", "decoder_block_count",
    "embedding_length_per_layer_input", "expert_group_scale", "full_attention_interval", "interleave_moe_layer_step",
    "kda.head_dim", "leading_dense_block_count", "moe_every_n_layers", "nextn_predict_layers",
    "rope.dimension_count_swa", "rope.freq_base_swa", "shortconv.l_cache", "ssm.conv_kernel", "ssm.dt_b_c_rms",
    "ssm.group_count", "ssm.inner_size", "ssm.state_size", "ssm.time_step_rank", "token_shift_count",
    "wkv.head_size"};
static_assert(std::ranges::is_sorted(known), "looked up by bisection");

bool holdsAny(std::string_view name, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

bool isOff(const Json &value) {
    return value.isNull() || (value.isBool() && !value.boolean()) || (value.kind() == Json::Kind::Integer && value.integer() == 0);
}

} // namespace

void noteUnknownGgufKeys(GgufKeys &keys, const Json &metadata) {
    constexpr int most = 8; // names that one sentence can hold
    const std::string prefix = keys.architecture() + ".";
    std::string names;
    int count = 0;
    for (const auto &[key, value] : metadata.members()) {
        if (!key.starts_with(prefix) || isOff(value))
            continue;
        const std::string_view name = std::string_view(key).substr(prefix.size());
        if (!holdsAny(name, structural) || holdsAny(name, harmless) || std::ranges::binary_search(known, name))
            continue;
        if (count++ < most)
            names += (names.empty() ? "" : ", ") + oneLine(key, 80);
    }
    if (count > most)
        names += " and " + std::to_string(count - most) + " more";
    if (count > 0)
        keys.notes().push_back(warningNote(
            "unknown-key", {}, "not known here and not read, although the name sounds as if it could change what is cached: " + names));
}

} // namespace kv
