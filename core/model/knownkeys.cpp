// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/knownkeys.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

// A key with one of these in its name is about what layers keep, or how often they are run …
constexpr std::array<std::string_view, 26> structural{"layer", "head", "window", "attention", "attn", "cache", "state", "kv_", "_kv", "latent", "lora_rank", "recurrent", "conv", "mamba", "ssm", "chunk", "memory", "compress", "shared_kv", "sparse", "loop", "recurs", "recurrence", "cycle", "ut_steps", "iteration"};

// … unless it is about training, norms, scales, experts, pictures or sound.
constexpr std::array<std::string_view, 40> harmless{
    "dropout", "norm",   "bias",   "drop",    "_eps",  "token",  "_init",      "multiplier", "output_",  "implementation",
    "flash",   "scal",   "softcap", "softmax", "vision", "visual", "image",      "audio",      "video",    "speech",
    "mlp",     "moe",    "expert", "mtp",     "states", "return", "loss",       "classif",    "lm_head",  "projector",
    "vit_",    "resampl", "diffusion", "gen_", "rope_theta", "kernel_init", "pdrop", "theta", "alpha", "beta"};

// The keys that are read here, and those that were looked at and change nothing.
constexpr std::array<std::string_view, 194> known{
    "H_cycles", "L_bp_cycles", "L_cycles",
    "_attn_implementation", "_sliding_window_pattern", "add_cross_attention", "add_qkv_bias", "attention_chunk_size",
    "attention_head_dim", "attention_heads", "attention_hidden_size", "attention_k_eq_v", "attention_logit_cap",
    "attention_other_setting", "attention_type", "attention_types", "attention_window", "attention_window_size", "attn_config",
    "attn_layer_indices", "attn_layer_offset", "attn_layer_period", "attn_output_gate", "attn_pdrop", "attn_res_block_size",
    "attn_scale", "attn_type_list", "blocksparse_block_size", "blocksparse_homo_head_pattern", "blocksparse_num_local_blocks",
    "blocksparse_triton_kernel_block_size", "blocksparse_vert_stride", "cache_config", "cache_implementation", "chunk_size",
    "chunk_size_feed_forward", "chunk_size_lm_head", "compress_rate_csa", "compress_rate_hca", "compress_rates", "compress_ratios",
    "compress_rope_theta", "conv1d_width", "conv_L_cache", "conv_dim", "conv_dim_out", "conv_kernel", "conv_kernel_size",
    "cross_attention_hidden_size", "cross_attention_layers", "cross_head_dim", "cross_num_attention_heads", "cross_num_key_value_heads",
    "d_head", "d_kv", "decoder_attention_heads", "decoder_layers", "decoder_num_attention_heads", "decoder_num_hidden_layers",
    "decoder_num_key_value_heads", "decoder_sparse_step", "dense_attention_every_n_layers", "efficient_attention_config", "embd_layer",
    "encoder_attention_heads", "encoder_layers", "encoder_num_attention_heads", "encoder_num_hidden_layers",
    "encoder_num_key_value_heads", "flash_attn", "full_attention_idx", "full_attention_interval", "full_attn_idxs", "full_attn_layers",
    "global_attn_every_n_layers", "global_head_dim", "head_dim", "head_size", "head_size_a", "head_type", "hidden_mamba_act",
    "hidden_size_per_head", "hidden_size_per_layer_input", "hybrid_layer_pattern", "index_head_dim", "index_n_heads", "insert_layer_id",
    "interleave_moe_layer_step", "kv_cache_scheme", "kv_channels", "kv_lora_rank", "layer_group_size", "layer_rope_theta", "layer_types",
    "layers", "layers_block_type", "linear_attn_config", "linear_conv_kernel_dim", "linear_key_head_dim", "linear_num_key_heads",
    "linear_num_value_heads", "linear_value_head_dim", "local_attention", "mamba_chunk_size", "mamba_d_conv", "mamba_d_head",
    "mamba_d_ssm", "mamba_d_state", "mamba_dt_rank", "mamba_expand", "mamba_head_dim", "mamba_headdim", "mamba_hidden_act",
    "mamba_n_groups", "mamba_n_heads", "mamba_ngroups", "mamba_num_heads", "mamba_ssm_cache_dtype", "mamba_ssm_dtype", "mamba_step",
    "max_window_layers", "mtp_num_hidden_layers", "mtp_transformer_layers", "multi_query_attention", "mup_attn_multiplier", "n_head",
    "n_head_kv", "n_heads", "n_kv_heads", "n_layer", "n_layers", "n_mamba_heads", "no_rope_layer_interval", "no_rope_layers",
    "num_attention_groups", "num_attention_heads", "num_attention_heads_per_layer", "num_attention_layers", "num_conv_layers",
    "num_decoder_attention_heads", "num_decoder_layers", "num_dense_layers", "num_encoder_attention_heads", "num_encoder_layers",
    "num_global_key_value_heads", "num_heads", "num_hidden_layers", "num_key_value_heads", "num_key_value_heads_per_layer",
    "num_kv_heads", "num_kv_shared_layers", "num_layers", "num_layers_per_stack", "num_ln_in_parallel_attn", "num_mtp_layers", "num_nextn_predict_layers",
    "num_query_heads", "num_sliding_attention_heads", "num_transformer_layers", "o_lora_rank", "parallel_attn", "pre_allocate_kv_cache",
    "prefix_dense_sliding_window_pattern", "pruned_heads", "q_lora_rank", "qk_head_dim", "qk_nope_head_dim", "qk_rope_head_dim",
    "query_pre_attn_scalar", "recurrent_block_type", "reorder_and_upcast_attn", "seconds_per_chunk", "sliding_window",
    "sliding_window_pattern", "sliding_window_size", "sparse_attention", "sparse_attention_config", "ssm_state_size", "state_size",
    "swa_head_dim", "swa_num_attention_heads", "swa_num_key_value_heads", "swa_v_head_dim", "total_ut_steps", "use_bidirectional_attention", "use_cache",
    "use_logn_attn", "use_mamba_kernels", "use_mambapy", "use_shared_attention_adapter", "use_sliding_window", "v_head_dim",
    "vocab_size_per_layer_input", "window_size"};
static_assert(std::ranges::is_sorted(known), "looked up by bisection");

template <typename Words>
bool holdsAny(std::string_view name, const Words &words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

/// Off or nothing: a key that says false, null or 0 asks for nothing.
bool isOff(const Json &value) {
    return value.isNull() || (value.isBool() && !value.boolean()) || (value.kind() == Json::Kind::Integer && value.integer() == 0)
        || (value.isArray() && value.items().empty()) || (value.isObject() && value.members().empty());
}

} // namespace

void noteUnknownKeys(Reader &reader) {
    constexpr int most = 8; // names that one sentence can hold
    std::string names;
    int count = 0;
    for (const Json::Member &member : reader.text().members()) {
        const std::string_view name = member.first;
        if (!holdsAny(name, structural) || isOff(member.second) || holdsAny(name, harmless) || std::ranges::binary_search(known, name)
            || reader.defaultOf(name))
            continue;
        if (count++ < most)
            names += (names.empty() ? "" : ", ") + reader.at(name);
    }
    if (count > most)
        names += " and " + std::to_string(count - most) + " more";
    if (count > 0)
        reader.warn("unknown-key", {}, "not known here and not read, although the name sounds as if it could change what is cached: " + names);
}

} // namespace kv
