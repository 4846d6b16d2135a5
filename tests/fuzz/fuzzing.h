// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the fuzzers share. Each is a function over bytes, called by libFuzzer a thousand times a second and more:
//
//     KV_FUZZ(bytes) { … require(…, "what must hold"); }
//
// A crash, a sanitizer's report, an exception, a hang, too much memory and a broken `require` are faults alike.

#include "core/base/note.h"
#include "core/engine/engines.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace kv::fuzz {

/// What the input stands for, where its bytes do not say: told beside a fault.
inline std::string (*inWords)() = nullptr;

inline void require(bool holds, const char *what) {
    if (holds)
        return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    if (inWords)
        std::fprintf(stderr, "%s\n", inWords().c_str());
    std::abort();
}

/// True for one input in `one`, the same ones each time: what is dear is tried on these, so that many more can be read in the same time.
inline bool inOneOf(std::string_view bytes, std::uint64_t one) {
    std::uint64_t hash = 0xCBF29CE484222325; // FNV-1a
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    return (hash >> 32) % one == 0;
}

/// Bytes as a regular file that lies in memory alone; one at a time. The file stays and is written anew: making one for each input took
/// longer than most of them do.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) {
        require(descriptor() >= 0, "there is memory for the input");
        require(::pwrite(descriptor(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "it is written whole");
        require(::ftruncate(descriptor(), static_cast<off_t>(bytes.size())) == 0, "and nothing stands behind it");
    }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor()); }

private:
    static int descriptor() {
        static const int file = ::memfd_create("input", MFD_CLOEXEC);
        return file;
    }
};

/// A note is one line with a known code; an error also names the place that it is about.
inline void checkNote(const Note &note) {
    require(!note.text.empty() && note.text.find('\n') == std::string::npos, "a note is one line");
    const auto place = std::ranges::lower_bound(noteCodes(), note.code, {}, &NoteCode::code);
    require(place != noteCodes().end() && place->code == note.code, note.code.c_str());
    require(note.severity != Severity::Error || (!note.where.empty() && note.where.find('\n') == std::string::npos), "an error names a place");
}

inline void checkNotes(const Notes &notes) {
    for (const Note &note : notes)
        checkNote(note);
}

/// A value or a reason, never neither and never both.
template <typename T>
void checkParsed(const Parsed<T> &parsed) {
    require(parsed.value.has_value() != hasError(parsed.notes), "a value, or an error that says why not");
    checkNotes(parsed.notes);
}

/// A model that was read is whole, and every engine has a plan for it or a refusal.
inline void checkModel(const std::shared_ptr<const ModelSpec> &model) {
    std::int64_t layers = 0;
    for (const LayerShape &shape : model->shapes)
        layers += shape.count;
    require(layers == model->layerCount(), "every layer has a shape");
    require(!model->attentionName().empty(), "the attention has a name");
    Scenario scenario = firstScenario();
    scenario.model.spec = model;
    scenario.hardware.count = Count(1); // of eight, most heads that come up here would be no multiple
    scenario.parallel = {};
    constexpr std::int64_t usual = 256; // more layers than any model has: all engines over each such input would leave no time for others
    for (const Engine *engine : engines()) {
        if (layers > usual && engine->id() != "textbook")
            continue;
        scenario.engine.id = std::string(engine->id());
        const Plan plan = evaluate(scenario);
        require(!plan.ok() || (plan.kv.total.value >= 0 && plan.weights.total.value >= 0), "sizes are not negative");
    }
}

} // namespace kv::fuzz

#define KV_FUZZ(bytes)                                                                                                 \
    static void fuzzOne(std::string_view bytes);                                                                       \
    extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {                                \
        fuzzOne({reinterpret_cast<const char *>(data), size});                                                         \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static void fuzzOne(std::string_view bytes)
