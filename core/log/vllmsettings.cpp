// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/vllmsettings.h"

namespace kv {

namespace {

using Found = FoundSentence;

void readFlag(LogDraft &d, const char *option, std::string_view value) {
    if (value == "True" || value == "False")
        d.log.settings.set(option, value == "True");
}

void readNumberSetting(LogDraft &d, const Found &f, const char *option, const LogSetting &s, std::int64_t least) {
    if (const auto value = d.setting(f, s.value, s.key, least, mostTokens))
        d.log.settings.set(option, *value);
}

/// 0.6: speculative_model='…' among the arguments, SpeculativeConfig(draft_model='…', …) in the configuration; later a dictionary with
/// 'model' and 'method'. Heads of EAGLE and its like are no models of their own, and "[ngram]" is none.
void readDrafting(LogDraft &d, const LogSetting &s) {
    Json &settings = d.log.settings;
    settings.set("speculative", true);
    std::string_view drafter = s.key == "speculative_model" ? s.value : settingOf(s.value, "draft_model");
    if (const std::string_view method = settingOf(s.value, "method"); drafter.empty() && (method.empty() || method == "draft_model"))
        drafter = settingOf(s.value, "model");
    if (!saysNothing(drafter) && !drafter.starts_with('['))
        settings.set("draft_model", std::string(drafter));
}

/// What sets the memory or the cache by hand.
void readMemorySetting(LogDraft &d, const Found &f, const LogSetting &s) {
    constexpr std::int64_t mostBytes = std::int64_t{1} << 60;
    if (s.key == "kv_cache_memory_bytes" || s.key == "kv_cache_memory") {
        if (const auto bytes = d.setting(f, s.value, s.key, 0, mostBytes))
            d.log.settings.set("available_kv_bytes", *bytes);
    } else if (s.key == "num_gpu_blocks_override") {
        readNumberSetting(d, f, "num_gpu_blocks_override", s, 0);
    } else if (s.key == "cpu_offload_gb") {
        if (const auto share = d.real(f, s.value, s.key); share && *share > 0)
            d.log.settings.set("cpu_offload_gb", std::string(s.value));
    } else if (s.key == "enable_lora") {
        readFlag(d, "enable_lora", s.value);
    } else if (s.key == "max_loras" || s.key == "max_lora_rank") {
        readNumberSetting(d, f, s.key == "max_loras" ? "max_loras" : "max_lora_rank", s, 1);
    }
}

/// One setting of an engine's configuration or of the command line's arguments: both use the same names but for the length.
void readSetting(LogDraft &d, const Found &f, const LogSetting &s) {
    ServerLog &log = d.log;
    if (saysNothing(s.value))
        return;
    if (s.key == "model" || (s.key == "model_tag" && !log.model))
        log.model = std::string(s.value);
    else if (s.key == "tensor_parallel_size")
        replace(log.tp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "pipeline_parallel_size")
        replace(log.pp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "data_parallel_size")
        replace(log.dp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "decode_context_parallel_size")
        replace(log.dcp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "max_seq_len" || (s.key == "max_model_len" && s.value != "auto" && s.value != "-1"))
        replace(log.maxModelLen, asTokens(d.setting(f, s.value, s.key, 1, mostTokens)));
    else if (s.key == "max_num_batched_tokens")
        replace(log.maxBatchedTokens, asTokens(d.setting(f, s.value, s.key, 1, mostTokens)));
    else if (s.key == "gpu_memory_utilization")
        replace(log.gpuMemoryUtilization, d.fraction(f, s.value, s.key));
    else if (s.key == "kv_cache_dtype")
        log.kvDtype = std::string(s.value);
    else if (s.key == "quantization")
        log.weightsType = std::string(s.value);
    else if (s.key == "max_num_seqs")
        readNumberSetting(d, f, "max_num_seqs", s, 1);
    else if (s.key == "block_size" && !log.blockSize) {
        replace(log.blockSize, d.setting(f, s.value, s.key, 1, mostTokens));
        if (log.blockSize)
            log.settings.set("block_size", *log.blockSize);
    } else if (s.key == "enforce_eager")
        readFlag(d, "enforce_eager", s.value);
    else if (s.key == "enable_prefix_caching")
        readFlag(d, "prefix_caching", s.value);
    else if (s.key == "disable_hybrid_kv_cache_manager")
        readFlag(d, "disable_hybrid_kv_cache_manager", s.value);
    else if (s.key == "enable_expert_parallel")
        readFlag(d, "expert_parallel", s.value);
    else if (s.key == "mamba_cache_mode" || s.key == "mamba_ssm_cache_dtype")
        log.settings.set(std::string(s.key), std::string(s.value));
    else if (s.key == "speculative_config" || s.key == "speculative_model")
        readDrafting(d, s);
    else
        readMemorySetting(d, f, s);
}

} // namespace

void readVllmSettings(LogDraft &d, const Found &f, std::string_view list) {
    forEachSetting(list, [&](const LogSetting &s) { readSetting(d, f, s); });
}

} // namespace kv
