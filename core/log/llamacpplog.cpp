// SPDX-License-Identifier: GPL-3.0-or-later
//
// llama.cpp's sentences from 2023 to 2026, and those of its forks. Source: ggml-org/llama.cpp, ikawrakow/ik_llama.cpp.
//   build: N (commit), main: build = N            common/common.cpp, examples/main (before 2024-09), tools/server
//   loaded meta data with … from FILE             src/llama-model-loader.cpp
//   general.name, file size, model size, file type, model ftype   llama_model::print_info, before 2025 llm_load_print_meta
//   CUDA0 model buffer size, before 2025 CUDA0 buffer size        load_tensors
//   offloaded k/n layers to GPU                   load_tensors; n counts the output as a layer
//   n_ctx, n_ctx_seq (n_ctx_per_seq), n_seq_max   src/llama-context.cpp, before 2025 llama_new_context_with_model
//   KV self size (to mid 2025), size = S MiB (cells, layers, seqs)   src/llama-kv-cache.cpp, llama-memory-recurrent.cpp
//   CUDA0 KV buffer size, RS buffer size, compute buffer size     the same places; sched_reserve for the last
//   KV self size … c^KV (f16)                     ik_llama.cpp, llama_new_context_with_model
// "MB" of 2023 is 2^20. A summary line says the same as the buffers before it and is counted in their place; a model with windows has
// two caches, which add up. Of several contexts of one model the largest is the model's own, the others draft.
#include "core/log/logdraft.h"
#include "core/log/vocabularies.h"

#include <algorithm>

namespace kv {

namespace {

using Found = FoundSentence;

/// The text behind "name   = ".
std::string_view valueOf(std::string_view after) {
    const std::size_t equals = after.find('=');
    if (equals == std::string_view::npos || after.substr(0, equals).find_first_not_of(' ') != std::string_view::npos)
        return {};
    after.remove_prefix(equals + 1);
    const std::size_t begin = after.find_first_not_of(' ');
    if (begin == std::string_view::npos)
        return {};
    return after.substr(begin, after.find_last_not_of(" \t") + 1 - begin);
}

void begin(LogDraft &d) {
    if (d.log.starts == 0 || d.figures)
        d.begin();
}

/// "build: 2450 (4c28b827) with cc …", "main: build = 1503 (…)"; llama-bench ends with commit and number the other way round.
void build(LogDraft &d, const Found &f) {
    constexpr std::int64_t mostBuilds = 999'999;
    const FoundNumber number = numberAt(f.after());
    if (!number.value || !number.value->whole() || number.value->digits <= 0 || number.value->digits > mostBuilds || !number.after.starts_with(" ("))
        return;
    begin(d);
    const std::string_view rest = number.after;
    const std::size_t open = rest.find('('), close = rest.find(')');
    d.log.version = std::string(number.written);
    if (open == 1 && close != std::string_view::npos && close - open < 48)
        *d.log.version += " " + std::string(rest.substr(open, close + 1 - open));
}

/// "llama_model_loader: loaded meta data with 35 key-value pairs and 459 tensors from FILE (version GGUF V3 (latest))"
void loading(LogDraft &d, const Found &f) {
    if (d.drafting)
        return;
    begin(d);
    const std::string_view rest = f.after();
    const std::size_t from = rest.find(" from "), end = rest.rfind(" (version ");
    if (from != std::string_view::npos && end != std::string_view::npos && end > from + 6)
        d.log.modelFile = std::string(rest.substr(from + 6, end - from - 6));
}

/// "loading draft model '/models/tiny.gguf'"
void drafting(LogDraft &d, const Found &f) {
    d.drafting = true;
    d.log.settings.set("speculative", true);
    const std::size_t open = f.after().find('\''), close = f.after().rfind('\'');
    if (open != std::string_view::npos && close > open + 1)
        d.log.settings.set("draft_model", std::string(f.after().substr(open + 1, close - open - 1)));
}

void name(LogDraft &d, const Found &f) {
    std::string_view rest = f.after();
    if (const std::size_t at = rest.find("str "); at != std::string_view::npos && rest.substr(0, at).find_first_not_of(' ') == std::string_view::npos)
        rest.remove_prefix(at + 3); // the loader's list of keys names the type
    if (const std::string_view text = valueOf(rest); !text.empty() && !d.drafting) {
        if (d.context.cache) // another model of the same process, without the loader's line
            d.begin();
        d.log.model = std::string(text);
        d.said = f.before().find("print_") != std::string_view::npos || f.before().find("llama") != std::string_view::npos;
    }
}

/// "file size   = 11.27 GiB (4.63 BPW)", "model size       = 20.04 GiB (4.92 BPW)"; "13.02 B" counts parameters.
void fileSize(LogDraft &d, const Found &f) {
    const std::string_view text = valueOf(f.after());
    const FoundNumber number = numberAt(text);
    if (d.drafting || !number.value || number.after.starts_with(" B"))
        return;
    if (const auto bytes = d.size(f, text, phraseName(f.phrase)))
        d.weights.set({}, *bytes);
}

void fileType(LogDraft &d, const Found &f) {
    if (const std::string_view text = valueOf(f.after()); !text.empty() && !d.drafting)
        d.log.weightsType = std::string(text);
}

/// The word before a phrase: the device of a buffer.
std::string_view deviceBefore(std::string_view before) {
    const std::size_t end = before.find_last_not_of(' ');
    if (end == std::string_view::npos)
        return {};
    const std::size_t space = before.find_last_of(" \t", end);
    return before.substr(space + 1, end - space);
}

template <typename Take>
void buffer(LogDraft &d, const Found &f, Take take) {
    if (d.drafting)
        return;
    if (const auto bytes = d.size(f, f.after(), phraseName(f.phrase))) {
        take(deviceBefore(f.before()), *bytes);
        d.figures = true;
    }
}

void modelBuffer(LogDraft &d, const Found &f) {
    buffer(d, f, [&](std::string_view device, std::int64_t bytes) { d.modelBuffers.add(device, bytes); });
}

/// Before 2025: "llm_load_tensors:      CUDA0 buffer size = 20519.42 MiB".
void plainBuffer(LogDraft &d, const Found &f) {
    if (f.before().find("load_tensors:") != std::string_view::npos && deviceBefore(f.before()) != "model")
        modelBuffer(d, f);
}

void cacheBuffer(LogDraft &d, const Found &f) {
    buffer(d, f, [&](std::string_view device, std::int64_t bytes) { d.context.cacheBuffers.add(device, bytes); });
}

void stateBuffer(LogDraft &d, const Found &f) {
    buffer(d, f, [&](std::string_view device, std::int64_t bytes) { d.context.stateBuffers.add(device, bytes); });
}

void addTo(std::optional<std::int64_t> &sum, std::int64_t bytes) { sum = checked::add(sum.value_or(0), bytes); }

/// A projector for images or sound, a model of its own beside the other: its weights, and the buffers of its own graph.
void projector(LogDraft &d, const Found &f) {
    const std::size_t at = f.after().find_first_not_of(" =");
    if (const auto bytes = at == std::string_view::npos ? std::nullopt : d.size(f, f.after().substr(at), "size of the projector"))
        addTo(d.projector, *bytes);
}

/// Said in any case, also where the log is too quiet to say its size.
void projectorLoaded(LogDraft &d, const Found &) { d.projector = d.projector.value_or(0); }

/// Reserved anew when the graph changes: the last counts.
void computeBuffer(LogDraft &d, const Found &f) {
    if (f.before().find("alloc_compute_meta") != std::string_view::npos) // tools/mtmd/clip.cpp: the projector's
        return projector(d, f);
    buffer(d, f, [&](std::string_view device, std::int64_t bytes) { d.context.compute.set(device, bytes); });
}

void computeTotal(LogDraft &d, const Found &f) {
    buffer(d, f, [&](std::string_view, std::int64_t bytes) { d.context.compute.set("all", bytes); });
}

std::optional<std::string> typeIn(std::string_view line, std::string_view word) {
    const std::size_t at = line.find(word);
    const std::size_t end = at == std::string_view::npos ? at : line.find(')', at);
    return end == std::string_view::npos ? std::nullopt : std::optional(std::string(line.substr(at + word.size(), end - at - word.size())));
}

void types(LogDraft &d, std::string_view line) {
    ContextFigures &c = d.context;
    if (!c.keyType)
        c.keyType = typeIn(line, " K (");
    if (!c.keyType)
        c.keyType = typeIn(line, "c^KV (");
    if (!c.valueType)
        c.valueType = typeIn(line, " V (");
}

/// "KV self size  = 5120.00 MiB, K (f16): 2560.00 MiB, V (f16): 2560.00 MiB"
void selfSize(LogDraft &d, const Found &f) {
    if (d.drafting)
        return;
    if (const auto bytes = d.size(f, f.after(), phraseName(f.phrase))) {
        addTo(d.context.cache, *bytes);
        d.figures = true;
    }
    types(d, f.after());
}

/// "llama_kv_cache: size = 3072.00 MiB (131072 cells,  12 layers,  1/1 seqs), K (f16): …", the same of recurrent states with R and S.
void cacheSize(LogDraft &d, const Found &f) {
    const std::string_view rest = f.after();
    if (d.drafting || rest.find(" cells,") == std::string_view::npos)
        return;
    d.said = true;
    const bool state = rest.find(", R (") != std::string_view::npos || f.before().find("recurrent") != std::string_view::npos;
    if (const auto bytes = d.size(f, rest, "cache size")) {
        addTo(state ? d.context.state : d.context.cache, *bytes);
        d.figures = true;
    }
    if (!state)
        types(d, rest);
}

/// ": n_ctx         = 8192"; n_ctx_train and n_ctx_seq begin alike.
void cells(LogDraft &d, const Found &f) {
    d.said = f.before().find("llama") != std::string_view::npos;
    if (const std::string_view text = valueOf(f.after()); !text.empty() && !d.drafting)
        replace(d.context.cells, asTokens(d.whole(f, text, "n_ctx", 1, mostTokens)));
}

void cellsOfSlot(LogDraft &d, const Found &f) {
    if (const std::string_view text = valueOf(f.after()); !text.empty() && !d.drafting)
        replace(d.context.cellsOfSlot, asTokens(d.whole(f, text, "n_ctx_seq", 1, mostTokens)));
}

void slots(LogDraft &d, const Found &f) {
    if (const std::string_view text = valueOf(f.after()); !text.empty() && !d.drafting)
        replace(d.context.slotCount, d.whole(f, text, phraseName(f.phrase), 1, mostRanks));
}

void unified(LogDraft &d, const Found &f) {
    const std::string_view text = valueOf(f.after());
    if (!d.drafting && (text == "true" || text == "false"))
        d.log.settings.set("kv_unified", text == "true");
}

template <const char *Option>
void batch(LogDraft &d, const Found &f) {
    if (const std::string_view text = valueOf(f.after()); !text.empty() && !d.drafting)
        if (const auto value = d.whole(f, text, Option, 1, mostTokens))
            d.log.settings.set(Option, *value);
}
constexpr char batchOption[] = "n_batch", microBatchOption[] = "n_ubatch";

void flashAttention(LogDraft &d, const Found &f) {
    const std::string_view text = valueOf(f.after());
    if (d.drafting)
        return;
    if (text == "1" || text == "enabled" || text == "on")
        d.log.settings.set("flash_attn", "on");
    else if (text == "0" || text == "disabled" || text == "off")
        d.log.settings.set("flash_attn", "off");
}

/// "offloaded 41/81 layers to GPU": all of them is what is planned without being asked.
void offloaded(LogDraft &d, const Found &f) {
    const FoundNumber layers = numberAt(f.after());
    if (d.drafting || !layers.value || !layers.value->whole() || !layers.after.starts_with('/'))
        return;
    const FoundNumber all = numberAt(layers.after.substr(1));
    if (all.value && layers.value->digits >= 0 && layers.value->digits < all.value->digits)
        d.log.settings.set("n_gpu_layers", *layers.value->whole());
}

/// "using device CUDA0 (NVIDIA GeForce RTX 4090) - 23306 MiB free"
void device(LogDraft &d, const Found &f) {
    const std::string_view rest = f.after();
    const std::size_t open = rest.find('('), close = rest.find(") - ");
    if (open == std::string_view::npos || close == std::string_view::npos || open > close || d.drafting)
        return;
    const std::string id(rest.substr(0, rest.find(' ')));
    std::string name(rest.substr(open + 1, rest.substr(0, close).find(" (0000:") - open - 1).substr(0, close - open - 1));
    if (std::ranges::count(name, ')') > std::ranges::count(name, '(')) // of the brackets around it
        name.pop_back();
    constexpr std::size_t mostCards = 64;
    if (const auto known = std::ranges::find(d.cards, id, &decltype(d.cards)::value_type::first); known != d.cards.end())
        known->second = std::move(name);
    else if (d.cards.size() < mostCards)
        d.cards.emplace_back(id, std::move(name));
}

void contextBegins(LogDraft &d, const Found &) {
    if (d.context.cache || !d.context.cacheBuffers.empty()) {
        constexpr std::size_t mostContexts = 64;
        if (d.contexts.size() < mostContexts)
            d.contexts.push_back(std::move(d.context));
        d.context = {};
    }
}

void refuse(LogDraft &d, const Found &f) { d.log.refusal = std::string(f.line.substr(f.begin, 600)); }

constexpr auto sentences = std::to_array<LogSentence>({
    {"log_server_r: request:", nullptr},
    {"build: ", build, true, true},
    {"main: build = ", build, true},
    {"llama_model_loader: loaded meta data with ", loading},
    {"loading draft model", drafting, false, true},
    {"general.name ", name, false, true},
    {"print_info: file size ", fileSize},
    {"llm_load_print_meta: model size ", fileSize},
    {"print_info: file type ", fileType},
    {"llm_load_print_meta: model ftype ", fileType},
    {"clip_model_loader: model size:", projector},
    {"load_hparams: model size:", projector},
    {"load_model: loaded multimodal model", projectorLoaded, false, true},
    {"model buffer size", modelBuffer},
    {" buffer size", plainBuffer, false, true},
    {"KV buffer size", cacheBuffer},
    {"RS buffer size", stateBuffer},
    {"compute buffer size", computeBuffer, false, true},
    {"compute buffer total size", computeTotal, false, true},
    {"KV self size", selfSize},
    {"kv self size", selfSize},
    {": size = ", cacheSize, false, true},
    {": n_ctx ", cells, false, true},
    {": n_ctx_seq ", cellsOfSlot, false, true},
    {": n_ctx_per_seq ", cellsOfSlot, false, true},
    {": n_seq_max ", slots, false, true},
    {"n_slots ", slots, false, true},
    {": kv_unified ", unified, false, true},
    {": n_batch ", batch<batchOption>, false, true},
    {": n_ubatch ", batch<microBatchOption>, false, true},
    {": flash_attn ", flashAttention, false, true},
    {"offloaded ", offloaded, false, true},
    {"using device ", device, false, true},
    {"constructing llama_context", contextBegins},
    {"failed to allocate buffer for kv cache", refuse},
    {"unable to allocate ", refuse, false, true},
});

std::optional<std::int64_t> cacheOf(const ContextFigures &context) { return context.cache ? context.cache : context.cacheBuffers.sum(); }

void finish(LogDraft &d) {
    ServerLog &log = d.log;
    for (ContextFigures &earlier : d.contexts)
        if (cacheOf(earlier).value_or(0) > cacheOf(d.context).value_or(0))
            std::swap(earlier, d.context);
    const ContextFigures &c = d.context;
    if (!log.model)
        log.model = log.modelFile;
    const std::optional<std::int64_t> weights = d.weights.empty() ? d.modelBuffers.sum() : d.weights.most();
    log.weights = asBytes(weights ? weights : d.estimatedWeights);
    log.kvCache = asBytes(cacheOf(c) ? cacheOf(c) : d.estimatedCache);
    log.recurrentState = asBytes(c.state ? c.state : c.stateBuffers.sum());
    log.compute = asBytes(c.compute.sum());
    log.keyDtype = c.keyType;
    log.valueDtype = c.valueType;
    replace(log.nCtx, c.cells);
    replace(log.nCtxSeq, c.cellsOfSlot);
    replace(log.slotCount, c.slotCount);
    if (d.projector)
        log.settings.set("projector_bytes", *d.projector);
    for (const auto &[id, name] : d.cards)
        log.gpuNames.push_back(name);
    if (!log.gpuNames.empty())
        log.gpuName = log.gpuNames.front();
    if (d.modelBuffers.accelerators() > 0)
        log.settings.set("devices", d.modelBuffers.accelerators());
}

} // namespace

const LogVocabulary &llamaCppLog() {
    static constexpr LogVocabulary vocabulary{"llama-cpp", sentences, finish};
    return vocabulary;
}

} // namespace kv
