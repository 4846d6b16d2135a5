// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What llama.cpp's converter makes of a config: the architecture of the GGUF file, or why it refuses. Source: llama.cpp v0.5.0,
// conversion/__init__.py TEXT_MODEL_MAP (by the first of the architectures, not by model_type), conversion/base.py get_model_architecture
// and load_hparams, conversion/*.py for what a class writes.
//
// The class asked for is that of the language model's block where it has one, else that at the top; for a few wrappers always the top's. A
// class that is not in the table is refused by name. A config without architectures is refused by the converter as well; where its model_type
// has a usual class that is counted, with a warning. So is a config whose converter stops at a key that is not there.

#include "core/model/modelspec.h"

#include <optional>
#include <string_view>

namespace kv::llamacpp {

struct Conversion {
    std::string_view architecture; ///< "llama", "gemma3"; of a lifetime without end
    bool windows = false;          ///< its windows survive the way: the base class writes none (conversion/base.py)
    bool writesDrafts = false;     ///< layers of multi-token prediction are written, those of all other classes are dropped
    std::int64_t drafts = 0;       ///< how many of them block_count holds
    std::optional<Note> refusal;
    std::optional<Note> warning;
};

/// Whether the architecture reads the key attention.sliding_window of a file; the others keep every token whatever it says.
bool readsWindow(std::string_view architecture);

/// Of a model that was not read from a GGUF file.
Conversion conversionOf(const ModelSpec &model);

/// A whole number from the config, the language model's block before the top; nothing where it stands nowhere or is no number.
std::optional<std::int64_t> configNumber(const ModelSpec &model, std::string_view key);

/// Whether such a key stands there and is not null.
bool hasConfigKey(const ModelSpec &model, std::string_view key);

} // namespace kv::llamacpp
