// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How a launch command names a model: a repository on the Hub, a folder, a GGUF file; and which model such a word means here.
//
// Looked for, in this order: a preset's id or repository; a file or folder of this machine; what other programs have stored (the Hub's
// cache, LM Studio, Ollama); a preset whose repository has the same last part but for the marks of a conversion ("-GGUF", "Meta-", "-it",
// "-Q4_K_M"), which is said. A type of weights at the end of the name ("-Q4_K_M.gguf", ":Q4_K_M", "-FP8") is taken over.

#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>

namespace kv {

/// The word for the scenario's model: a folder or file, or the repository. `gguf`: for an engine that reads GGUF files. When nothing on the
/// Hub or on disk is known to be it, a name of ours stands there, and a note says so.
std::string modelWord(const Scenario &scenario, bool gguf, Notes &notes);

struct Preset;
/// The preset that a repository's name means: its own in any case, or one alike but for marks of tuning ("-Instruct", "Meta-"), which
/// `note` then says. nullptr: none, or one with other weights.
const Preset *presetCalled(std::string_view word, std::optional<Note> &note);

struct FoundModel {
    ModelChoice model;
    std::string weightsType; ///< that the name speaks of; empty: none
    Notes notes;
};
/// Absent model.spec: nothing here is called so.
FoundModel findModel(const std::string &word);

/// The same of a repository of GGUF files with its tag ("someone/Qwen3-8B-GGUF:Q8_0"), and of the file that was named, if one was. Without
/// either llama.cpp takes the repository's Q4_K_M, else its Q8_0, else its first file (common/download.cpp find_best_model, 2026): Q4_K_M
/// is planned then, and said. Unless the name itself ends with a type, or the model has no other form than its own (MXFP4 of gpt-oss).
FoundModel findHubModel(const std::string &word, const std::string &file);

} // namespace kv
