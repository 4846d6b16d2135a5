// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ollama's own lines around llama.cpp's, in logfmt with quoted sizes. Source: ollama/ollama.
//   offload to …  memory.required.kv, memory.weights.total   llm/memory.go MemoryEstimate.LogValue (2024 to 2025), an estimate
//   parallel=4                                    server/sched.go, before the start
//   starting llama server, starting runner        llm/server.go, the command with --model, --ctx-size and --parallel
//   load request={… KvSize:8192 …}                runner/ollamarunner/runner.go load
//   model weights, kv cache, compute graph of a device       ml/device.go BackendMemory.log, ml/backend.go (2025 on)
// What llama.cpp prints itself is exact and goes before the estimate. --ctx-size is that of all slots together.
#include "core/log/logdraft.h"
#include "core/log/vocabularies.h"

namespace kv {

namespace {

using Found = FoundSentence;

void begin(LogDraft &d) {
    if (d.log.starts == 0 || d.complete || d.figures)
        d.begin();
}

/// 'msg="new model will fit in available VRAM in single GPU, loading" … parallel=4'
void fits(LogDraft &d, const Found &f) {
    begin(d);
    if (const std::string_view slots = settingOf(f.line, "parallel"); !slots.empty())
        replace(d.context.slotCount, d.setting(f, slots, "parallel", 1, mostRanks));
}

void offload(LogDraft &d, const Found &f) {
    if (d.log.starts == 0 || d.complete || d.figures)
        d.begin();
    forEachSetting(f.line, [&](const LogSetting &s) {
        if (s.key == "memory.required.kv")
            replace(d.estimatedCache, d.size(f, s.value, s.key));
        else if (s.key == "memory.weights.total")
            replace(d.estimatedWeights, d.size(f, s.value, s.key));
    });
}

/// The word behind "--name " in a command.
std::string_view argument(std::string_view command, std::string_view name) {
    const std::size_t at = command.find(name);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = command.substr(at + name.size());
    return rest.substr(0, rest.find_first_of(" \"'\\"));
}

void starting(LogDraft &d, const Found &f) {
    const std::string_view command = f.after(), file = argument(command, "--model ");
    if (file.empty()) // it looks for devices
        return;
    if (d.log.starts == 0 || d.complete)
        d.begin();
    d.log.modelFile = std::string(file);
    if (const std::string_view cells = argument(command, "--ctx-size "); !cells.empty())
        replace(d.context.cells, asTokens(d.whole(f, cells, "--ctx-size", 1, mostTokens)));
    if (const std::string_view slots = argument(command, "--parallel "); !slots.empty())
        replace(d.context.slotCount, d.whole(f, slots, "--parallel", 1, mostRanks));
    d.complete = true;
}

/// 'msg=load request="{Operation:commit LoraPath:[] Parallel:1 BatchSize:512 FlashAttention:true KvSize:8192 KvCacheType:q8_0 …}"'
void loadRequest(LogDraft &d, const Found &f) {
    const auto behind = [&](std::string_view word) {
        const std::size_t at = f.after().find(word);
        const std::string_view rest = at == std::string_view::npos ? std::string_view() : f.after().substr(at + word.size());
        return rest.substr(0, rest.find_first_of(" }\""));
    };
    if (const std::string_view cells = behind("KvSize:"); !cells.empty() && cells != "0")
        replace(d.context.cells, asTokens(d.whole(f, cells, "KvSize", 1, mostTokens)));
    if (const std::string_view slots = behind("Parallel:"); !slots.empty() && slots != "0")
        replace(d.context.slotCount, d.whole(f, slots, "Parallel", 1, mostRanks));
    if (const std::string_view type = behind("KvCacheType:"); !type.empty())
        d.context.keyType = d.context.valueType = std::string(type);
}

/// 'msg="kv cache" device=CUDA0 size="1.1 GiB"': said anew while layers are tried out, so that the last of a device counts.
template <PerDevice &(*Figures)(LogDraft &)>
void ofDevice(LogDraft &d, const Found &f) {
    const std::string_view name = settingOf(f.after(), "device"), size = settingOf(f.after(), "size");
    if (size.empty())
        return;
    if (const auto bytes = d.size(f, size, phraseName(f.phrase)))
        Figures(d).set(name, *bytes);
}

PerDevice &weights(LogDraft &d) { return d.modelBuffers; }
PerDevice &cache(LogDraft &d) { return d.context.cacheBuffers; }
PerDevice &compute(LogDraft &d) { return d.context.compute; }

/// "Listening on 127.0.0.1:11434 (version 0.5.4)"
void version(LogDraft &d, const Found &f) {
    const std::string_view rest = f.after();
    const std::size_t at = rest.find("(version "), end = rest.find(')');
    if (at == std::string_view::npos || end == std::string_view::npos || end < at + 9 || end - at > 48)
        return;
    if (d.log.starts == 0 || d.complete)
        d.begin();
    d.log.version = "ollama " + std::string(rest.substr(at + 9, end - at - 9));
}

constexpr auto sentences = std::to_array<LogSentence>({
    {"msg=\"new model will fit in available VRAM", fits},
    {"msg=\"offload to ", offload},
    {"msg=\"starting llama server\"", starting},
    {"msg=\"starting runner\"", starting, false, true},
    {"msg=\"starting ollama engine\"", starting, false, true},
    {"msg=load request=", loadRequest, false, true},
    {"msg=\"model weights\"", ofDevice<weights>},
    {"msg=\"kv cache\"", ofDevice<cache>},
    {"msg=\"compute graph\"", ofDevice<compute>},
    {"msg=\"Listening on ", version, false, true},
});

} // namespace

const LogVocabulary &ollamaLog() {
    static constexpr LogVocabulary vocabulary{"llama-cpp", sentences, nullptr};
    return vocabulary;
}

} // namespace kv
