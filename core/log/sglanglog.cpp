// SPDX-License-Identifier: GPL-3.0-or-later
//
// SGLang's sentences, 2024 to 2026. Source: sgl-project/sglang, python/sglang/srt.
//   server_args=ServerArgs(…)                     entrypoints/engine.py _launch_subprocesses
//   Load weight begin, Load weight end            model_executor/model_runner.py load_model ("mem usage" from 2025 on)
//   KV Cache is allocated. #tokens: …             mem_cache/memory_pool.py MHATokenToKVPool (K and V), MLATokenToKVPool (one size)
//   Mamba Cache is allocated                      mem_cache/memory_pool.py MambaPool
//   max_total_num_tokens=…                        managers/scheduler.py init_model_worker; every rank until 2025, then the first
//   Capture … cuda graph end                      model_executor/model_runner.py init_device_graphs
//   Not enough memory                             model_executor/model_runner.py profile_max_num_token
// A rank keeps several pools (full and window layers, a draft model): its sizes add up, the ranks do not.
#include "core/log/logdraft.h"
#include "core/log/vocabularies.h"

namespace kv {

namespace {

using Found = FoundSentence;

void readFlag(LogDraft &d, std::string_view option, std::string_view value) {
    if (value == "True" || value == "False")
        d.log.settings.set(std::string(option), value == "True");
}

void readFraction(LogDraft &d, const Found &f, std::string_view option, std::string_view value) {
    if (d.fraction(f, value, option))
        d.log.settings.set(std::string(option), std::string(value));
}

/// A setting of ServerArgs that the planner's option of the same name takes.
bool readOption(LogDraft &d, const Found &f, const LogSetting &s) {
    for (const std::string_view flag : {"enable_dp_attention", "disable_radix_cache"})
        if (s.key == flag)
            return readFlag(d, flag, s.value), true;
    for (const std::string_view share : {"swa_full_tokens_ratio", "mamba_full_memory_ratio"})
        if (s.key == share)
            return readFraction(d, f, share, s.value), true;
    for (const std::string_view count : {"chunked_prefill_size", "cuda_graph_max_bs", "max_mamba_cache_size"})
        if (s.key == count) {
            if (s.value.starts_with('-')) // −1: switched off
                return true;
            if (const auto value = d.setting(f, s.value, s.key, 1, mostTokens))
                d.log.settings.set(std::string(count), *value);
            return true;
        }
    return false;
}

void readSetting(LogDraft &d, const Found &f, const LogSetting &s) {
    ServerLog &log = d.log;
    if (saysNothing(s.value) || readOption(d, f, s))
        return;
    if (s.key == "model_path")
        log.model = std::string(s.value);
    else if (s.key == "tp_size")
        replace(log.tp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "pp_size")
        replace(log.pp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "dp_size")
        replace(log.dp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "dcp_size" || s.key == "decode_context_parallel_size")
        replace(log.dcp, d.setting(f, s.value, s.key, 1, mostRanks));
    else if (s.key == "context_length")
        replace(log.maxModelLen, asTokens(d.setting(f, s.value, s.key, 1, mostTokens)));
    else if (s.key == "page_size")
        replace(log.pageSize, d.setting(f, s.value, s.key, 1, mostTokens));
    else if (s.key == "max_running_requests")
        replace(log.maxRunningRequests, d.setting(f, s.value, s.key, 1, mostTokens));
    else if (s.key == "mem_fraction_static")
        replace(log.memFractionStatic, d.fraction(f, s.value, s.key));
    else if (s.key == "kv_cache_dtype")
        log.kvDtype = std::string(s.value);
    else if (s.key == "quantization")
        log.weightsType = std::string(s.value);
    else if (s.key == "speculative_algorithm")
        log.settings.set("speculative", true);
    else if (s.key == "speculative_draft_model_path" && settingOf(f.after(), "speculative_algorithm") == "STANDALONE") // else heads, no model
        log.settings.set("draft_model", std::string(s.value));
    else if (s.key == "cpu_offload_gb") {
        if (const auto share = d.real(f, s.value, s.key); share && *share > 0)
            log.settings.set("cpu_offload_gb", std::string(s.value));
    }
}

void serverArguments(LogDraft &d, const Found &f) {
    if (d.log.starts == 0 || d.figures || d.log.maxModelLen || d.log.refusal)
        d.begin();
    forEachSetting(f.after(), [&](const LogSetting &s) { readSetting(d, f, s); });
}

/// The same rank loads weights again although the scheduler was ready: a restart whose arguments are not in the file.
void loadBegins(LogDraft &d, const Found &f) {
    if (d.complete || d.log.starts == 0)
        d.begin();
    d.see(f.rank());
}

void loadEnds(LogDraft &d, const Found &f) {
    if (d.log.starts == 0)
        d.begin();
    d.see(f.rank());
    if (const std::size_t at = f.after().find("mem usage="); at != std::string_view::npos)
        if (const auto bytes = d.size(f, f.after().substr(at + 10), "mem usage")) {
            d.weights.add(f.rank(), *bytes);
            d.figures = true;
        }
}

/// The sizes behind several words of one line, added up.
void addSizes(LogDraft &d, const Found &f, PerRank &figure, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words)
        if (const std::size_t at = f.after().find(word); at != std::string_view::npos)
            if (const auto bytes = d.size(f, f.after().substr(at + word.size()), phraseName(word), &figure == &d.graphs ? Sign::Either : Sign::Plus)) {
                figure.add(f.rank(), *bytes);
                d.figures = true;
            }
}

void cacheAllocated(LogDraft &d, const Found &f) {
    if (d.log.starts == 0)
        d.begin();
    d.see(f.rank());
    const std::string_view rest = f.after();
    if (const std::size_t at = rest.find("#tokens:"); at != std::string_view::npos)
        if (const auto tokens = d.whole(f, rest.substr(at + 8), "#tokens", 0, mostTokens)) {
            d.tokens.raise(f.rank(), *tokens); // the full pool's, beside the window's
            d.figures = true;
        }
    if (const std::size_t at = rest.find("dtype: torch."); at != std::string_view::npos) {
        const std::string_view type = rest.substr(at + 13);
        d.log.kvDtype = std::string(type.substr(0, type.find_first_of(", ")));
    }
    addSizes(d, f, d.cache, {" K size:", " V size:", " KV size:"});
}

void stateAllocated(LogDraft &d, const Found &f) {
    addSizes(d, f, d.state, {"conv_state size:", "ssm_state size:"});
    if (const std::size_t at = f.after().find("max_mamba_cache_size:"); at != std::string_view::npos)
        if (const auto slots = d.whole(f, f.after().substr(at + 21), "max_mamba_cache_size", 0, mostTokens))
            d.log.settings.set("max_mamba_cache_size", *slots);
}

void graphsCaptured(LogDraft &d, const Found &f) { addSizes(d, f, d.graphs, {"mem usage="}); }

/// The scheduler's last line before it serves; the pool's tokens here are those that every rank can keep.
void ready(LogDraft &d, const Found &f) {
    if (d.log.starts == 0)
        d.begin();
    d.see(f.rank());
    if (const auto tokens = d.whole(f, f.after(), "max_total_num_tokens", 0, mostTokens))
        d.servedTokens.set(f.rank(), *tokens);
    forEachSetting(f.after(), [&](const LogSetting &s) {
        if (s.key == "context_len")
            replace(d.log.maxModelLen, asTokens(d.setting(f, s.value, s.key, 1, mostTokens)));
        else if (s.key == "max_running_requests")
            replace(d.log.maxRunningRequests, d.setting(f, s.value, s.key, 1, mostTokens));
    });
    d.figures = d.complete = true;
}

void refuse(LogDraft &d, const Found &f) { d.log.refusal = std::string(f.line.substr(f.begin, 600)); }

constexpr auto sentences = std::to_array<LogSentence>({
    {"Receive: obj=", nullptr},
    {"Finish: obj=", nullptr},
    {"server_args=ServerArgs(", serverArguments, true},
    {"Load weight begin.", loadBegins, true},
    {"Load weight end.", loadEnds, true},
    {"KV Cache is allocated.", cacheAllocated, true},
    {"Mamba Cache is allocated.", stateAllocated, true},
    {"cuda graph end.", graphsCaptured, false, true},
    {"CUDA graph end.", graphsCaptured, false, true},
    {"max_total_num_tokens=", ready, true},
    {"Not enough memory. Please try to increase --mem-fraction-static", refuse},
});

void finish(LogDraft &d) {
    ServerLog &log = d.log;
    log.weights = asBytes(d.weights.most());
    log.kvCache = asBytes(d.cache.most());
    log.recurrentState = asBytes(d.state.most());
    log.cudaGraph = asBytes(d.graphs.most());
    log.tokens = asTokens(d.servedTokens.empty() ? d.tokens.least() : d.servedTokens.least());
}

} // namespace

const LogVocabulary &sglangLog() {
    static constexpr LogVocabulary vocabulary{"sglang", sentences, finish};
    return vocabulary;
}

} // namespace kv
