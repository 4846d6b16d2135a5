// SPDX-License-Identifier: GPL-3.0-or-later
//
// TensorRT-LLM's sentences: the C++ runtime ("[TensorRT-LLM][INFO]") and the PyTorch one ("[TRT-LLM] [I]"). Source: NVIDIA/TensorRT-LLM.
//   TensorRT-LLM version: X                       tensorrt_llm/__init__.py, once a process
//   Number of tokens per block, Max KV cache blocks per sequence, [MemUsageChange] Allocated … for max tokens in paged KV cache
//                                                 cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp, cpp/tensorrt_llm/runtime
//   Loaded engine size                            cpp/tensorrt_llm/runtime/tllmRuntime.cpp
//   … in memory usage profiling, Peak memory during memory usage profiling, Estimated max memory in KV cache
//                                                 tensorrt_llm/_torch/pyexecutor/_util.py KvCacheCreator.configure_kv_cache_capacity
//   Adjusted max_seq_len to, max_seq_len=…, max_num_requests=…   tensorrt_llm/_torch/pyexecutor/py_executor_creator.py, _util.py
// The PyTorch runtime tries a small cache first and allocates again: the last figure counts.
#include "core/log/logdraft.h"
#include "core/log/vocabularies.h"

namespace kv {

namespace {

using Found = FoundSentence;

/// Every process prints the version; after a cache was allocated it is a restart.
void version(LogDraft &d, const Found &f) {
    if (d.log.starts == 0 || d.figures)
        d.begin();
    const std::string_view rest = f.after();
    const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
    const std::string_view word = rest.substr(begin, rest.find_first_of(" ,\t", begin) - begin);
    if (!word.empty())
        d.log.version = std::string(word);
}

template <std::optional<Tokens> ServerLog::*Field>
void tokensInto(LogDraft &d, const Found &f) {
    replace(d.log.*Field, asTokens(d.whole(f, f.after(), phraseName(f.phrase), 1, mostTokens)));
}

void blockSize(LogDraft &d, const Found &f) { replace(d.log.blockSize, d.whole(f, f.after(), phraseName(f.phrase), 1, mostTokens)); }

/// "[MemUsageChange] Allocated 26.91 GiB for max tokens in paged KV cache (220480)."
void allocated(LogDraft &d, const Found &f) {
    const std::string_view before = f.before();
    constexpr std::string_view verb = "Allocated ";
    if (const std::size_t at = before.rfind(verb); at != std::string_view::npos)
        if (const auto bytes = d.size(f, before.substr(at + verb.size()), "paged KV cache"))
            d.cache.set(f.rank(), *bytes);
    if (const auto tokens = d.whole(f, f.after(), "tokens in paged KV cache", 0, mostTokens))
        d.tokens.set(f.rank(), *tokens);
    d.figures = true;
}

/// "Max KV cache blocks per sequence: 65 [window size=2049], tokens per block=32, primary blocks=13189, max sequence length=2049". Of
/// several windows the widest is told.
void window(LogDraft &d, const Found &f) {
    const std::string_view rest = f.after();
    const auto behind = [&](std::string_view word, std::int64_t least = 0) -> std::optional<std::int64_t> {
        const std::size_t at = rest.find(word);
        return at == std::string_view::npos ? std::nullopt : d.whole(f, rest.substr(at + word.size()), phraseName(word), least, mostTokens);
    };
    const std::optional<std::int64_t> size = behind("window size="), blocks = behind("primary blocks=");
    replace(d.log.blockSize, behind("tokens per block=", 1));
    if (const auto length = behind("max sequence length="); length && !d.log.maxModelLen)
        d.log.maxModelLen = Tokens(*length);
    const std::int64_t widest = d.context.cells.value_or(Tokens(-1)).value;
    if (blocks && size.value_or(0) >= widest) {
        d.context.cells = Tokens(size.value_or(0));
        d.log.blocks = blocks;
        d.figures = true;
    }
}

/// "…, available KV cache memory when calculating max tokens: 5.95 GiB, fraction is set 0.9, kv size is 73728. device total memory 119.70 GiB"
void peak(LogDraft &d, const Found &f) {
    const std::string_view rest = f.after();
    const auto behind = [&](std::string_view word) {
        const std::size_t at = rest.find(word);
        return at == std::string_view::npos ? std::string_view() : rest.substr(at + word.size());
    };
    if (const std::string_view text = behind("available KV cache memory when calculating max tokens: "); !text.empty())
        if (const auto bytes = d.size(f, text, "available KV cache memory", Sign::Either))
            d.available.set(f.rank(), *bytes);
    if (const std::string_view text = behind("fraction is set "); !text.empty())
        if (const auto share = d.fraction(f, text, "fraction"))
            d.log.settings.set("free_gpu_memory_fraction", Json(static_cast<double>(*share) / 1e9));
    for (const std::string_view words : {"kv size is ", "kv size per token is "})
        if (const std::string_view text = behind(words); !text.empty())
            replace(d.log.bytesPerToken, asBytes(d.whole(f, text, "kv size", 1, mostTokens)));
    if (const std::string_view text = behind("device total memory "); !text.empty())
        if (const auto bytes = d.size(f, text, "device total memory"))
            d.memory.set(f.rank(), *bytes);
    d.figures = true;
}

void estimated(LogDraft &d, const Found &f) {
    if (const auto bytes = d.size(f, f.after(), phraseName(f.phrase), Sign::Either))
        d.available.offer(f.rank(), *bytes);
}

/// "max_seq_len=86720, max_num_requests=64, max_num_tokens=8192, max_batch_size=64"
void limits(LogDraft &d, const Found &f) {
    const std::size_t begin = f.before().rfind("max_seq_len=");
    if (begin == std::string_view::npos)
        return;
    forEachSetting(f.line.substr(begin), [&](const LogSetting &s) {
        if (s.key == "max_seq_len")
            replace(d.log.maxModelLen, asTokens(d.setting(f, s.value, s.key, 1, mostTokens)));
        else if (s.key == "max_num_tokens")
            replace(d.log.maxBatchedTokens, asTokens(d.setting(f, s.value, s.key, 1, mostTokens)));
        else if (s.key == "max_batch_size")
            if (const auto size = d.setting(f, s.value, s.key, 1, mostTokens))
                d.log.settings.set("max_batch_size", *size);
    });
}

constexpr auto sentences = std::to_array<LogSentence>({
    {"TensorRT-LLM version:", version, true},
    {"TensorRT LLM version:", version, true},
    {"Number of tokens per block:", blockSize, true},
    {"Max KV cache blocks per sequence:", window, true},
    {"Max KV cache pages per sequence:", window, true},
    {" for max tokens in paged KV cache", allocated},
    {"Loaded engine size: ", readSize<&LogDraft::weights>, true},
    {"Memory used after loading model weights (inside torch) in memory usage profiling:", readSize<&LogDraft::weights>, true},
    {"Memory dynamically allocated during inference (inside torch) in memory usage profiling:", readSize<&LogDraft::activation>, true},
    {"Memory used outside torch (e.g., NCCL and CUDA graphs) in memory usage profiling:", readSize<&LogDraft::outside>, true},
    {"Peak memory during memory usage profiling", peak, true},
    {"Estimated max memory in KV cache", estimated, true},
    {"Adjusted max_seq_len to ", tokensInto<&ServerLog::maxModelLen>, true},
    {", max_num_requests=", limits},
});

void finish(LogDraft &d) {
    ServerLog &log = d.log;
    log.weights = asBytes(d.weights.most());
    log.activation = asBytes(d.activation.most());
    log.nonTorch = asBytes(d.outside.most());
    log.gpuMemory = asBytes(d.memory.least());
    log.availableKv = asBytes(d.available.least());
    log.kvCache = asBytes(d.cache.most());
    log.tokens = asTokens(d.tokens.least());
    if (!log.tokens && log.blocks && log.blockSize) {
        log.tokens = Tokens(checked::mul(*log.blocks, *log.blockSize));
        log.tokensFromBlocks = true;
    }
}

} // namespace

const LogVocabulary &tensorRtLlmLog() {
    static constexpr LogVocabulary vocabulary{"tensorrt-llm", sentences, finish};
    return vocabulary;
}

} // namespace kv
