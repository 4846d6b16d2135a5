// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/flags.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum FlagUse;

// The order is that of a written command.
constexpr Flag vllm[]{
    {"--model", "", Model},
    {"--tensor-parallel-size", "-tp", Tp},
    {"--pipeline-parallel-size", "-pp", Pp},
    {"--data-parallel-size", "-dp", Dp, {}, {}, 8},
    {"--decode-context-parallel-size", "-dcp", Option, "decode_context_parallel", "1", 11},
    {"--enable-expert-parallel", "-ep", ExpertSwitch, {}, {}, 8},
    {"--dtype", "", Type},
    {"--quantization", "-q", Quantization},
    {"--kv-cache-dtype", "", Kv},
    {"--max-model-len", "", Longest, "max_model_len"},
    {"--gpu-memory-utilization", "", Option, "gpu_memory_utilization"},
    {"--kv-cache-memory-bytes", "--kv-cache-memory", Option, "available_kv_bytes", {}, 11},
    {"--block-size", "", Option, "block_size", "16"},
    {"--max-num-seqs", "", Option, "max_num_seqs"},
    {"--max-num-batched-tokens", "", Option, "max_num_batched_tokens"},
    {"--enable-prefix-caching", "", SwitchOn, "prefix_caching"},
    {"--no-enable-prefix-caching", "", SwitchOff, "prefix_caching", {}, 8},
    {"--disable-hybrid-kv-cache-manager", "", SwitchOn, "disable_hybrid_kv_cache_manager", "false", 11},
    {"--no-disable-hybrid-kv-cache-manager", "", SwitchOff, "disable_hybrid_kv_cache_manager", "false", 11},
    {"--mamba-cache-mode", "", Option, "mamba_cache_mode", {}, 14},
    {"--mamba-ssm-cache-dtype", "", Option, "mamba_ssm_cache_dtype", {}, 11},
    {"--enable-lora", "", SwitchOn, "enable_lora", "false"},
    {"--no-enable-lora", "", SwitchOff, "enable_lora", "false", 8},
    {"--max-loras", "", Option, "max_loras", "1"},
    {"--max-lora-rank", "", Option, "max_lora_rank", "16"},
    {"--enforce-eager", "", SwitchOn, "enforce_eager", "false"},
    {"--no-enforce-eager", "", SwitchOff, "enforce_eager", "false", 8},
    {"--speculative-config", "-sc", Speculative, {}, {}, 8},
    {"--num-speculative-tokens", "", DraftTokens},
    {"--num-gpu-blocks-override", "", Unread},
    {"--prefill-context-parallel-size", "-pcp", Unread},
    {"--hf-overrides", "--hf-config-overrides", Unread}, {"--config", "", Unread},
    {"--cpu-offload-gb", "", Unread},
    {"--swap-space", "", Value},
    {"--kv-cache-dtype-skip-layers", "", Unread},
    {"--mamba-cache-dtype", "", Unread},
    {"--mamba-block-size", "", Unread},
    {"--limit-mm-per-prompt", "", Value},
    {"--compilation-config", "-cc -O --optimization-level", Graphs},
    {"--host", "", Value}, {"--port", "", Value}, {"--api-key", "", Value}, {"--served-model-name", "", Value},
    {"--tokenizer", "", Value}, {"--tokenizer-mode", "", Value}, {"--revision", "", Value}, {"--download-dir", "", Value},
    {"--load-format", "", Value}, {"--seed", "", Value}, {"--chat-template", "", Value}, {"--tool-call-parser", "", Value},
    {"--reasoning-parser", "", Value}, {"--distributed-executor-backend", "", Value}, {"--attention-backend", "", Value},
    {"--nnodes", "-n", Value}, {"--node-rank", "-r", Value}, {"--master-addr", "", Value}, {"--master-port", "", Value},
    {"--data-parallel-size-local", "-dpl", Value}, {"--data-parallel-address", "-dpa", Value},
    {"--data-parallel-rpc-port", "-dpp", Value}, {"--uvicorn-log-level", "", Value}, {"--generation-config", "", Value},
    {"--override-generation-config", "", Value}, {"--kv-transfer-config", "", Value}, {"--config-format", "", Value},
    {"--trust-remote-code", "", Switch}, {"--enable-auto-tool-choice", "", Switch}, {"--enable-chunked-prefill", "", Switch},
    {"--no-enable-chunked-prefill", "", Switch}, {"--disable-log-requests", "", Switch}, {"--no-enable-log-requests", "", Switch},
    {"--disable-log-stats", "", Switch}, {"--async-scheduling", "", Switch}, {"--enable-reasoning", "", Switch},
    {"--headless", "", Switch}, {"--disable-custom-all-reduce", "", Switch}, {"--lora-modules", "", Value}, {"--max-cpu-loras", "", Value},
    {"--lora-dtype", "", Unread}, {"--fully-sharded-loras", "", Unread},
};

constexpr Flag sglang[]{
    {"--model-path", "--model", Model},
    {"--tp-size", "--tensor-parallel-size --tp", Tp},
    {"--pp-size", "--pipeline-parallel-size --pp", Pp},
    {"--dp-size", "--data-parallel-size --dp", Dp},
    {"--enable-dp-attention", "", SwitchOn, "enable_dp_attention", "false"},
    {"--dcp-size", "--decode-context-parallel-size", Option, "decode_context_parallel", "1"},
    {"--ep-size", "--expert-parallel-size --ep", ExpertSize},
    {"--dtype", "", Type},
    {"--quantization", "", Quantization},
    {"--kv-cache-dtype", "", Kv},
    {"--context-length", "", Longest},
    {"--mem-fraction-static", "", Option, "mem_fraction_static"},
    {"--page-size", "", Option, "page_size"},
    {"--max-running-requests", "", Option, "max_running_requests"},
    {"--chunked-prefill-size", "", Option, "chunked_prefill_size"},
    {"--cuda-graph-max-bs", "", Option, "cuda_graph_max_bs"},
    {"--swa-full-tokens-ratio", "", Option, "swa_full_tokens_ratio", "0.8"},
    {"--mamba-full-memory-ratio", "", Option, "mamba_full_memory_ratio", "0.9"},
    {"--max-mamba-cache-size", "", Option, "max_mamba_cache_size"},
    {"--mamba-ssm-dtype", "", Option, "ssm_dtype"},
    {"--disable-radix-cache", "", SwitchOn, "disable_radix_cache", "false"},
    {"--enable-lora", "", SwitchOn, "enable_lora", "false"},
    {"--max-loras-per-batch", "", Option, "max_loras_per_batch", "8"},
    {"--max-lora-rank", "", Option, "max_lora_rank"},
    {"--speculative-algorithm", "--speculative-algo", Speculative},
    {"--speculative-draft-model-path", "--speculative-draft-model", DraftModel},
    {"--max-total-tokens", "", Unread},
    {"--json-model-override-args", "", Unread},
    {"--cpu-offload-gb", "", Unread},
    {"--attn-cp-size", "", Unread},
    {"--speculative-num-steps", "", Value}, {"--lora-paths", "", Adapters}, {"--lora-target-modules", "", Value}, {"--max-loaded-loras", "", Value},
    {"--speculative-eagle-topk", "", Value}, {"--speculative-num-draft-tokens", "", Value},
    {"--host", "", Value}, {"--port", "", Value}, {"--api-key", "", Value}, {"--served-model-name", "", Value},
    {"--tokenizer-path", "", Value}, {"--tokenizer-mode", "", Value}, {"--load-format", "", Value}, {"--device", "", Value},
    {"--attention-backend", "", Value}, {"--sampling-backend", "", Value}, {"--moe-a2a-backend", "", Value},
    {"--nnodes", "", Value}, {"--node-rank", "", Value}, {"--dist-init-addr", "--nccl-init-addr", Value},
    {"--log-level", "", Value}, {"--chat-template", "", Value}, {"--tool-call-parser", "", Value}, {"--reasoning-parser", "", Value},
    {"--schedule-policy", "", Value}, {"--schedule-conservativeness", "", Value}, {"--max-prefill-tokens", "", Value},
    {"--random-seed", "", Value}, {"--watchdog-timeout", "", Value}, {"--stream-interval", "", Value}, {"--revision", "", Value},
    {"--trust-remote-code", "", Switch}, {"--enable-metrics", "", Switch}, {"--disable-cuda-graph", "", Switch},
    {"--enable-torch-compile", "", Switch}, {"--enable-multimodal", "", Unread}, {"--skip-server-warmup", "", Switch},
    {"--disable-overlap-schedule", "", Switch}, {"--enable-mixed-chunk", "", Switch}, {"--enable-p2p-check", "", Switch},
};

constexpr Flag tensorRtLlm[]{
    {"--tp_size", "--tensor_parallel_size", Tp},
    {"--pp_size", "--pipeline_parallel_size", Pp},
    {"--ep_size", "--moe_expert_parallel_size", ExpertSize},
    {"--max_seq_len", "", Longest},
    {"--max_batch_size", "", Option, "max_batch_size"},
    {"--kv_cache_free_gpu_memory_fraction", "--free_gpu_memory_fraction", Option, "free_gpu_memory_fraction", "0.9"},
    {"--config", "--extra_llm_api_options", Settings},
    {"--cp_size", "--context_parallel_size", Unread},
    {"--backend", "", Value}, {"--host", "", Value}, {"--port", "", Value}, {"--tokenizer", "", Value}, {"--log_level", "", Value},
    {"--max_num_tokens", "", Value}, {"--max_beam_width", "", Value}, {"--gpus_per_node", "", Value}, {"--revision", "", Value},
    {"--num_postprocess_workers", "", Value}, {"--reasoning_parser", "", Value}, {"--tool_parser", "", Value},
    {"--cluster_size", "--moe_cluster_parallel_size", Value}, {"--chat_template", "", Value},
    {"--trust_remote_code", "", Switch}, {"--enable_chunked_prefill", "", Switch},
};

// A key without members that are named here stands for all of them.
constexpr Flag settings[]{
    {"tensor_parallel_size", "", Tp},
    {"pipeline_parallel_size", "", Pp},
    {"moe_expert_parallel_size", "", ExpertSize},
    {"max_seq_len", "", Longest},
    {"max_batch_size", "", Option, "max_batch_size"},
    {"enable_attention_dp", "", Option, "enable_attention_dp"},
    {"pp_partition", "", Option, "layer_partition"},
    {"kv_cache_config.dtype", "", Kv},
    {"kv_cache_config.tokens_per_block", "", Option, "tokens_per_block"},
    {"kv_cache_config.free_gpu_memory_fraction", "", Option, "free_gpu_memory_fraction"},
    {"kv_cache_config.max_attention_window", "", Option, "max_attention_window"},
    {"kv_cache_config.mamba_ssm_cache_dtype", "", Option, "ssm_dtype"},
    {"kv_cache_config.max_gpu_total_bytes", "", Option, "available_kv_bytes"},
    {"speculative_config.decoding_type", "", Speculative},
    {"speculative_config.num_nextn_predict_layers", "", Option, "draft_layers"},
    {"speculative_config.max_draft_len", "", Value}, {"kv_cache_config.event_buffer_max_size", "", Value},
    {"backend", "", Value}, {"print_iter_log", "", Value}, {"enable_iter_perf_stats", "", Value}, {"enable_iter_req_stats", "", Value},
    {"disable_overlap_scheduler", "", Value}, {"scheduler_config", "", Value}, {"stream_interval", "", Value}, {"trust_remote_code", "", Value},
    {"num_postprocess_workers", "", Value}, {"enable_chunked_prefill", "", Value}, {"max_num_tokens", "", Value}, {"max_beam_width", "", Value},
    {"moe_config", "", Value}, {"cuda_graph_config", "", Value}, {"log_level", "", Value}, {"gpus_per_node", "", Value}, {"tokenizer", "", Value},
};

constexpr Flag llamaCpp[]{
    {"-m", "--model", Model},
    {"-hf", "--hf-repo -hfr", Model},
    {"-c", "--ctx-size", Longest, "n_ctx"},
    {"-np", "--parallel", Option, "n_parallel"},
    {"-kvu", "--kv-unified", SwitchOn, "kv_unified", "false"},
    {"-no-kvu", "--no-kv-unified", SwitchOff, "kv_unified", "false"},
    {"-ctk", "--cache-type-k", KvKey},
    {"-ctv", "--cache-type-v", KvValue},
    {"-fa", "--flash-attn", Option, "flash_attn", "auto"},
    {"-ngl", "--gpu-layers --n-gpu-layers", Option, "n_gpu_layers"},
    {"-ts", "--tensor-split", Option, "tensor_split"},
    {"-nkvo", "--no-kv-offload", SwitchOn, "no_kv_offload", "false"},
    {"-kvo", "--kv-offload", SwitchOff, "no_kv_offload", "false"},
    {"-cmoe", "--cpu-moe", SwitchOn, "cpu_moe", "false"},
    {"-ncmoe", "--n-cpu-moe", Option, "n_cpu_moe", "0"},
    {"--swa-full", "", SwitchOn, "swa_full", "false"},
    {"-b", "--batch-size", Option, "n_batch", "2048"},
    {"-ub", "--ubatch-size", Option, "n_ubatch", "512"},
    {"-fitt", "--fit-target", Option, "fit_margin_bytes", "1073741824"},
    {"-ot", "--override-tensor", Unread},
    {"-sm", "--split-mode", SplitMode},
    {"-dev", "--device", Devices},
    {"-mg", "--main-gpu", MainDevice},
    {"-md", "--model-draft --spec-draft-model", DraftModel},
    {"-mm", "--mmproj", Unread},
    {"-fit", "--fit", Value}, {"-fitc", "--fit-ctx", Value},
    {"-t", "--threads", Value}, {"-tb", "--threads-batch", Value}, {"-n", "--predict --n-predict", Value}, {"-a", "--alias", Value},
    {"--host", "", Value}, {"--port", "", Value}, {"--api-key", "", Value}, {"--temp", "", Value}, {"--top-k", "", Value},
    {"--top-p", "", Value}, {"--min-p", "", Value}, {"--chat-template", "", Value}, {"--chat-template-file", "", Value},
    {"--rope-scaling", "", Value}, {"--rope-scale", "", Value}, {"--rope-freq-base", "", Value}, {"-s", "--seed", Value},
    {"-hff", "--hf-file", Value}, {"-hft", "--hf-token", Value}, {"--reasoning-format", "", Value}, {"-cram", "--cache-ram", Value},
    {"--log-file", "", Value}, {"--timeout", "-to", Value}, {"--slot-save-path", "", Value}, {"--repeat-penalty", "", Value},
    {"--jinja", "", Switch}, {"--mlock", "", Switch}, {"--no-mmap", "", Switch}, {"--metrics", "", Switch}, {"--no-webui", "", Switch},
    {"-v", "--verbose", Switch}, {"-cb", "--cont-batching", Switch}, {"-nocb", "--no-cont-batching", Switch},
    {"--no-warmup", "", Switch}, {"--embeddings", "--embedding", Switch}, {"--context-shift", "", Switch},
    {"--no-context-shift", "", Switch}, {"--no-mmproj", "", Switch}, {"--props", "", Switch}, {"--slots", "", Switch},
};

/// '_' counts as '-'; letters as they are.
bool equal(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return (x == '_' ? '-' : x) == (y == '_' ? '-' : y); });
}

bool isNamed(const Flag &flag, std::string_view word) {
    if (equal(flag.name, word))
        return true;
    for (std::string_view rest = flag.aliases; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (equal(rest.substr(0, end), word))
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

} // namespace

std::span<const Flag> launchFlags(std::string_view engine) {
    if (engine == "vllm")
        return vllm;
    if (engine == "sglang")
        return sglang;
    if (engine == "tensorrt-llm")
        return tensorRtLlm;
    if (engine == "llama-cpp")
        return llamaCpp;
    return {};
}

std::span<const Flag> settingsKeys() { return settings; }

const Flag *findFlag(std::span<const Flag> flags, std::string_view word, bool prefixes) {
    for (const Flag &flag : flags)
        if (isNamed(flag, word))
            return &flag;
    const Flag *found = nullptr;
    if (!prefixes || !word.starts_with("--") || word.size() < 4)
        return nullptr;
    for (const Flag &flag : flags)
        if (flag.name.size() > word.size() && equal(flag.name.substr(0, word.size()), word)) {
            if (found)
                return nullptr;
            found = &flag;
        }
    return found;
}

} // namespace kv
