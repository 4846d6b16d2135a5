// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/settings.h"

#include <array>

namespace kv::vllm {

namespace {

constexpr std::array<EngineOption, 24> table{{
    {"version", OptionKind::Word, "0.24", "the release whose rules are counted, from 0.6 on"},
    {"gpu_memory_utilization", OptionKind::Fraction, "0.92 (0.90 before 0.22)",
     "share of a GPU's memory that the engine plans with"},
    {"block_size", OptionKind::Whole, "16 (64 for latent models, 256 for DeepSeek V4)",
     "tokens in one block of the cache"},
    {"max_model_len", OptionKind::Whole, "the context",
     "longest request the server takes; one of this length must fit, else it does not start"},
    {"max_num_batched_tokens", OptionKind::Whole, "8,192 (2,048 on cards below 70 GiB and A100 before 0.24)",
     "tokens of one step; windows are charged for them, and activations grow with them"},
    {"max_num_seqs", OptionKind::Whole, "1,024 (256 on cards below 70 GiB and A100)",
     "most sequences of one replica at a time"},
    {"disable_hybrid_kv_cache_manager", OptionKind::Bool, "false", "keep window layers at full length"},
    {"decode_context_parallel", OptionKind::Whole, "1", "ranks that share the tokens of a sequence"},
    {"speculative_tokens", OptionKind::Whole, "0", "tokens drafted ahead; states keep a row for each"},
    {"draft_layers", OptionKind::Whole, "0", "MTP or EAGLE layers that cache as well, on the last stage"},
    {"prefix_caching", OptionKind::Bool, "true (false for models with states, and before 0.8)",
     "share equal beginnings of prompts"},
    {"mamba_cache_mode", OptionKind::Word, "none; with prefix caching all or align", "which states are kept",
     "none all align"},
    {"mamba_ssm_cache_dtype", OptionKind::Type, "as the model asks", "type of the recurrent states"},
    {"enforce_eager", OptionKind::Bool, "false", "no CUDA graphs"},
    {"max_encoder_tokens", OptionKind::Whole, "max_num_batched_tokens",
     "encoder tokens that cross-attention is charged for"},
    {"cuda_graph_bytes", OptionKind::Size, "estimated", "memory of CUDA graphs, by hand"},
    {"activation_bytes", OptionKind::Size, "estimated", "activation peak, by hand, as the start-up log prints it"},
    {"non_torch_bytes", OptionKind::Size, "estimated",
     "memory outside the framework, by hand, as the start-up log prints it"},
    {"enable_lora", OptionKind::Bool, "false", "serve LoRA adapters; room for them is set aside at start"},
    {"max_loras", OptionKind::Whole, "1", "adapters in one batch: slots that are set aside"},
    {"max_lora_rank", OptionKind::Whole, "16", "largest rank of an adapter"},
    {"draft_model", OptionKind::Word, "none", "a model of its own that drafts, by preset id or path (--speculative-config)"},
    {"layer_partition", OptionKind::List, "even, the rest before the last stage", "layers of each pipeline stage"},
    {"available_kv_bytes", OptionKind::Size, "none",
     "bytes for KV on each GPU as the start-up log prints them, instead of the memory budget"},
}};

} // namespace

std::span<const EngineOption> OptionTable::all() { return table; }

} // namespace kv::vllm
