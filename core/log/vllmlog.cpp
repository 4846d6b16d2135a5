// SPDX-License-Identifier: GPL-3.0-or-later
//
// vLLM's sentences, from the first engine (0.2) to the combined lines of 2026. Source: vllm-project/vllm.
//   Initializing … engine (vX) with config        vllm/engine/llm_engine.py LLMEngine.__init__ (V0), vllm/v1/engine/core.py EngineCore.__init__
//   API server version, non-default args, banner  vllm/entrypoints/openai/api_server.py, vllm/entrypoints/utils.py
//   Loading model weights took (to 0.7), Model loading took     vllm/worker/model_runner.py, vllm/v1/worker/gpu_model_runner.py load_model
//   total_gpu_memory … the rest of the memory     vllm/worker/worker.py determine_num_available_blocks (0.6.5 to V0's end)
//   Memory profiling results: total_gpu_memory=…  the same place, 0.6.3 and 0.6.4
//   torch peak memory increase, … weights memory  vllm/utils/mem_utils.py MemoryProfilingResult (debug lines, 0.8 on)
//   Initial free memory …, reserved … memory for KV Cache as specified by kv_cache_memory_bytes (0.11 on: no profiling then), and
//   Available KV cache memory, Free memory on device … Current kv cache memory in use   vllm/v1/worker/gpu_worker.py
//   # GPU blocks, # CUDA blocks                   vllm/executor/*_executor.py (V0), vllm/v1/core/kv_cache_utils.py (0.7)
//   GPU KV cache size, Maximum concurrency; To serve at least one request, estimated maximum model length   vllm/v1/core/kv_cache_utils.py
//   maximum number of tokens that can be stored   vllm/worker/worker.py raise_if_cache_size_invalid (V0)
//   Setting attention block size                  vllm/platforms/interface.py, model_executor/models/config.py HybridAttentionMambaModelConfig
//   Estimated CUDA graph memory, CUDA graph memory profiling …  vllm/v1/worker/gpu_model_runner.py, gpu_worker.py (0.18 on)
//   Graph capturing finished, CUDA graph pool memory            vllm/v1/worker/gpu_model_runner.py capture_model, gpu_worker.py
#include "core/log/logdraft.h"
#include "core/log/vllmsettings.h"
#include "core/log/vocabularies.h"

#include <algorithm>

namespace kv {

namespace {

using Found = FoundSentence;

/// The server process speaks before its engine: after an engine this is another start.
void beginServer(LogDraft &d) {
    if (d.log.starts == 0 || !d.begun.empty() || d.figures || d.log.refusal)
        d.begin();
}

/// So do the settings that are settled before the engine; some are said again while it loads.
void beginSettings(LogDraft &d) {
    if (!d.begun.empty() && (!d.tokens.empty() || d.log.numGpuBlocks || d.log.refusal))
        d.begin();
}

void readVersion(LogDraft &d, std::string_view text) {
    const std::size_t begin = text.find_first_of("0123456789");
    if (begin > 3) // npos is more than that
        return;
    const std::string_view version = text.substr(begin, text.find_first_not_of("0123456789.abcdefghijklmnopqrstuvwxyz+-", begin) - begin);
    d.log.version = std::string(version.substr(0, version.find_last_not_of(".+-") + 1));
}

/// "Initializing a V1 LLM engine (v0.9.1) with config: …". Every replica's engine core prints one; a second one of the same core, once
/// figures were read, is a restart.
void initializing(LogDraft &d, const Found &f) {
    const LogRank core = rankOf(f.before());
    const bool again = std::ranges::any_of(d.begun, [&](const LogRank &begun) { return begun.dp == core.dp; });
    if (d.log.starts == 0 || (again && (d.figures || d.log.refusal)))
        d.begin();
    d.begun.push_back(core);
    d.modelsApart = f.phrase.find(" V1 ") == std::string_view::npos && f.phrase.find(" V2 ") == std::string_view::npos;
    const std::string_view rest = f.after();
    const std::size_t open = rest.find('('), config = rest.find("config:");
    if (open != std::string_view::npos && open < config)
        readVersion(d, rest.substr(open + 1));
    readVllmSettings(d, f, rest.substr(std::min(config, rest.size())));
}

void serverVersion(LogDraft &d, const Found &f) {
    beginServer(d);
    readVersion(d, f.after());
}

void bannerModel(LogDraft &d, const Found &f) {
    const std::size_t begin = std::min(f.after().find_first_not_of(' '), f.after().size());
    if (const std::string_view name = f.after().substr(begin); !name.empty())
        d.log.model = std::string(name.substr(0, name.find(' ')));
}

void arguments(LogDraft &d, const Found &f) {
    beginServer(d);
    readVllmSettings(d, f, f.after());
}

template <std::optional<Tokens> ServerLog::*Field>
void tokensInto(LogDraft &d, const Found &f) {
    replace(d.log.*Field, asTokens(d.whole(f, f.after(), phraseName(f.phrase), 1, mostTokens)));
}

template <std::optional<Tokens> ServerLog::*Field>
void settled(LogDraft &d, const Found &f) {
    beginSettings(d);
    tokensInto<Field>(d, f);
}

void cacheTokens(LogDraft &d, const Found &f) {
    if (const std::string_view rest = numberAt(f.after()).after; !rest.starts_with(" tokens")) { // a line that was cut off
        d.note(f, "GPU KV cache size in tokens", numberAt(f.after()).written, "is no number of tokens");
        return;
    }
    if (const auto tokens = d.whole(f, f.after(), "GPU KV cache size in tokens", 0, mostTokens)) {
        d.tokens.set(f.rank(), *tokens);
        d.figures = true;
    }
}

void concurrency(LogDraft &d, const Found &f) {
    // The last word on it: from 0.14 on max_model_len = -1 is settled behind the configuration that was printed.
    replace(d.log.maxModelLen, asTokens(d.whole(f, f.after(), phraseName(f.phrase), 1, mostTokens)));
    const std::size_t at = f.after().find("request:");
    if (at == std::string_view::npos)
        return;
    if (!numberAt(f.after().substr(at + 8)).after.starts_with('x')) // cut off
        return;
    constexpr double mostTimes = 1e6; // times the longest request stays a whole number
    if (const auto times = d.real(f, f.after().substr(at + 8), "Maximum concurrency"); times && *times <= mostTimes) {
        d.log.maxConcurrency = std::min(times.value(), d.log.maxConcurrency.value_or(*times));
        d.figures = true;
    }
}

/// "# GPU blocks: 2708, # CPU blocks: 2048": the word before is the platform's ("CUDA", "cuda", "rocm").
void blocks(LogDraft &d, const Found &f) {
    const std::string_view before = f.before();
    const std::size_t hash = before.find_last_of('#');
    const std::string_view device = hash == std::string_view::npos ? std::string_view() : before.substr(hash + 1);
    if (device.empty() || device.find("CPU") != std::string_view::npos || device.find_first_of(" ,:", 1) != std::string_view::npos)
        return;
    replace(d.log.numGpuBlocks, d.whole(f, f.after(), "number of blocks", 0, mostTokens));
    d.figures = true;
}

/// "8.18 GiB KV cache is needed": the figure stands before the phrase, in older releases behind a bracket that never closes.
void needed(LogDraft &d, const Found &f) {
    const std::string_view before = f.before();
    const std::size_t end = before.find_last_of("0123456789");
    if (end == std::string_view::npos)
        return;
    const std::size_t begin = before.find_last_not_of("0123456789.,", end) + 1;
    replace(d.log.neededKv, asBytes(d.size(f, f.line.substr(begin), "KV cache needed")));
}

void refuse(LogDraft &d, const Found &f) { d.log.refusal = std::string(f.line.substr(f.begin, 600)); }

void oneRequest(LogDraft &d, const Found &f) {
    refuse(d, f);
    if (const std::size_t at = f.after().find("max seq len ("); at != std::string_view::npos && !d.log.maxModelLen)
        d.log.maxModelLen = asTokens(d.whole(f, f.after().substr(at + 13), "max seq len", 1, mostTokens));
}

/// V0: "… is larger than the maximum number of tokens that can be stored in KV cache (43328)".
void tokensThatFit(LogDraft &d, const Found &f) {
    d.log.refusal = std::string(f.line.substr(0, 600));
    if (const auto tokens = d.whole(f, f.after(), "tokens that can be stored", 0, mostTokens))
        d.tokens.set({}, *tokens);
}

/// "Free memory on device (79.99/80.0 GiB) on startup": free, then in all.
void deviceMemory(LogDraft &d, const Found &f) {
    const std::size_t open = f.after().find('('), slash = f.after().find('/');
    if (open == std::string_view::npos || slash == std::string_view::npos || slash < open || slash - open > 24)
        return;
    if (const auto bytes = d.size(f, f.after().substr(slash + 1), "device memory"))
        d.memory.set(f.rank(), *bytes);
}

void utilization(LogDraft &d, const Found &f) { replace(d.log.gpuMemoryUtilization, d.fraction(f, f.after(), phraseName(f.phrase))); }

/// "… GiB for peak activation": figures of the last sentence stand before their names.
template <PerRank LogDraft::*Figure>
void sizeBefore(LogDraft &d, const Found &f) {
    const std::string_view before = f.before();
    const std::size_t space = before.find_last_of("0123456789");
    if (space == std::string_view::npos)
        return;
    const std::size_t begin = before.find_last_not_of("0123456789.-", space) + 1;
    if (const auto bytes = d.size(f, f.line.substr(begin), phraseName(f.phrase), signOf<Figure>))
        (d.*Figure).offer(rankOf(f.line), *bytes);
}

void graphPool(LogDraft &d, const Found &f) {
    if (const std::size_t at = f.after().find("(actual), "); at != std::string_view::npos)
        if (const auto bytes = d.size(f, f.after().substr(at + 10), "CUDA graph estimate", Sign::Either))
            d.graphsEstimated.set(f.rank(), *bytes);
}

/// V0 prints it once a model: with one that drafts a process says two, which add up (vllm/spec_decode/spec_decode_worker.py).
/// Said twice for any other reason the last counts.
void ofAModel(LogDraft &d, const Found &f, PerRank &figure, std::string_view name, std::int64_t bytes) {
    const std::optional<std::int64_t> before = figure.of(f.rank());
    if (before && d.modelsApart && d.log.settings.find("speculative"))
        return figure.add(f.rank(), bytes);
    if (before)
        d.saidAgain(f, name, *before, bytes);
    figure.set(f.rank(), bytes);
}

void graphs(LogDraft &d, const Found &f) {
    if (const std::size_t at = f.after().find("took "); at != std::string_view::npos)
        if (const auto bytes = d.size(f, f.after().substr(at + 5), "memory of CUDA graphs", Sign::Either))
            ofAModel(d, f, d.graphs, "memory of CUDA graphs", *bytes);
}

void weights(LogDraft &d, const Found &f) {
    if (const auto bytes = d.size(f, f.after(), phraseName(f.phrase))) {
        ofAModel(d, f, d.weights, phraseName(f.phrase), *bytes);
        d.see(f.rank());
        d.figures = true;
    }
}

/// 0.18 to 0.20 estimate what the graphs will take, and leave it in the budget unless told; from 0.21 on it is taken. The log says which.
void graphsLeft(LogDraft &d, const Found &) { d.graphsTaken = false; }
void graphsTaken(LogDraft &d, const Found &) { d.graphsTaken = true; }

void attentionBlock(LogDraft &d, const Found &f) {
    beginSettings(d);
    replace(d.log.blockSize, d.whole(f, f.after(), phraseName(f.phrase), 1, mostTokens));
}

void fp8Cache(LogDraft &d, const Found &) {
    if (!d.log.kvDtype || d.log.kvDtype == "auto")
        d.log.kvDtype = "fp8";
}

/// 0.6.3 and 0.6.4: "Memory profiling results: total_gpu_memory=79.11GiB … kv_cache_size=61.10GiB gpu_memory_utilization=0.90".
void profile(LogDraft &d, const Found &f) {
    forEachSetting(f.after(), [&](const LogSetting &s) {
        const auto into = [&](PerRank &figure, Sign sign = Sign::Plus) {
            if (const auto bytes = d.size(f, s.value, s.key, sign))
                figure.set(f.rank(), *bytes);
        };
        if (s.key == "total_gpu_memory")
            into(d.memory);
        else if (s.key == "non_torch_memory")
            into(d.outside, Sign::Either);
        else if (s.key == "kv_cache_size")
            into(d.available, Sign::Either);
        else if (s.key == "gpu_memory_utilization")
            replace(d.log.gpuMemoryUtilization, d.fraction(f, s.value, s.key));
    });
    d.figures = true;
}

/// A coarser figure beside one that was printed before.
template <PerRank LogDraft::*Figure>
void offerSize(LogDraft &d, const Found &f) {
    if (const auto bytes = d.size(f, f.after(), phraseName(f.phrase), signOf<Figure>))
        (d.*Figure).offer(f.rank(), *bytes);
}

constexpr auto sentences = std::to_array<LogSentence>({
    {"Received request ", nullptr},
    {"Initializing an LLM engine ", initializing, true},
    {"Initializing a V0 LLM engine ", initializing, true},
    {"Initializing a V1 LLM engine ", initializing, true},
    {"Initializing a V2 LLM engine ", initializing, true},
    {"vLLM API server version ", serverVersion, true},
    {"█  version ", serverVersion},
    {"█  model   ", bannerModel},
    {"non-default args: ", arguments, true, true},
    {"args: Namespace(", arguments, true, true},
    {"Using max model len ", settled<&ServerLog::maxModelLen>, true},
    {"Chunked prefill is enabled with max_num_batched_tokens", settled<&ServerLog::maxBatchedTokens>, true},
    {"Loading model weights took ", weights, true},
    {"Model loading took ", weights, true, true},
    {"Memory profiling results: ", profile, true, true},
    {"total_gpu_memory (", readSize<&LogDraft::memory>},
    {"gpu_memory_utilization (", utilization},
    {"desired GPU memory utilization (", utilization},
    {"Desired GPU memory utilization is (", utilization},
    {"model weights take ", offerSize<&LogDraft::weights>},
    {"non_torch_memory takes ", readSize<&LogDraft::outside>},
    {"PyTorch activation peak memory takes ", readSize<&LogDraft::activation>},
    {"the rest of the memory reserved for KV Cache is ", readSize<&LogDraft::available>},
    {"torch peak memory increase: ", readSize<&LogDraft::activation>},
    {"non-torch forward increase memory: ", readSize<&LogDraft::outside>},
    {"Available KV cache memory: ", readSize<&LogDraft::available>, true},
    {" memory for KV Cache as specified by", sizeBefore<&LogDraft::available>},
    {" blocks: ", blocks, false, true},
    {"GPU KV cache size: ", cacheTokens, true},
    {"Maximum concurrency for ", concurrency},
    {"Setting attention block size to ", attentionBlock, true},
    {"Setting kv cache block size to ", attentionBlock, true},
    {"data type to store kv cache", fp8Cache, false, true},
    {"To serve at least one request with the model", oneRequest},
    {" KV cache is needed", needed},
    {"larger than the available KV cache memory (", readSize<&LogDraft::available>},
    {"estimated maximum model length is ", tokensInto<&ServerLog::estimatedMaxModelLen>},
    {"maximum number of tokens that can be stored in KV cache", tokensThatFit},
    {"No available memory for the cache blocks", refuse},
    {"Free memory on device", deviceMemory, false, true},
    {" on startup is less than desired", refuse, false, true},
    {" for weight, ", sizeBefore<&LogDraft::weights>, false, true},
    {" for peak activation", sizeBefore<&LogDraft::activation>, false, true},
    {" for non-torch memory", sizeBefore<&LogDraft::outside>, false, true},
    {" for CUDAGraph memory", sizeBefore<&LogDraft::graphs>, false, true},
    {"Current kv cache memory in use is ", readSize<&LogDraft::availableLater>},
    {"Graph capturing finished in ", graphs, true},
    {"CUDA graph pool memory: ", graphPool, true},
    {"Estimated CUDA graph memory: ", readSize<&LogDraft::graphsExpected>, true},
    {"CUDA graph memory profiling will be enabled by default", graphsLeft},
    {"CUDA graph memory profiling is enabled", graphsTaken},
});

void finish(LogDraft &d) {
    ServerLog &log = d.log;
    log.weights = asBytes(d.weights.most());
    log.availableKv = asBytes(d.available.empty() ? d.availableLater.least() : d.available.least());
    if (const Json *given = log.settings.find("available_kv_bytes")) // to the byte, where the line rounds
        log.availableKv = Bytes(given->integer());
    log.kvCache = asBytes(d.availableLater.least());
    log.activation = asBytes(d.activation.most());
    log.nonTorch = asBytes(d.outside.most());
    log.cudaGraph = asBytes(d.graphs.most());
    const PerRank &graphs = d.graphsEstimated.empty() && d.graphsTaken.value_or(false) ? d.graphsExpected : d.graphsEstimated; // a start that failed prints the first alone
    log.cudaGraphEstimate = asBytes(d.graphsTaken.value_or(true) ? graphs.most() : std::nullopt);
    log.gpuMemory = asBytes(d.memory.least());
    log.tokens = asTokens(d.tokens.least());
    // vllm/config.py CacheConfig.DEFAULT_BLOCK_SIZE: blocks of 16 tokens, unless the log names others.
    if (constexpr std::int64_t usualBlock = 16; !log.tokens && log.numGpuBlocks) {
        log.tokens = Tokens(checked::mul(*log.numGpuBlocks, log.blockSize.value_or(usualBlock)));
        log.tokensFromBlocks = true;
    }
}

} // namespace

const LogVocabulary &vllmLog() {
    static constexpr LogVocabulary vocabulary{"vllm", sentences, finish};
    return vocabulary;
}

} // namespace kv
