// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Class defaults by model_type (resources/defaults.json): what a key that a config leaves out means to the library that loads it.
// They are the configuration classes' values of today, so that a reader says where it used one. Parsed once, when first asked for,
// safely from any thread; the values live as long as the program.
// Source: huggingface/transformers, src/transformers/models/*/configuration_*.py, as of August 2026.

#include "core/base/json.h"

#include <string_view>

namespace kv {

enum class TypeRole : std::uint8_t {
    Language,  ///< a language model that caches
    Encoder,   ///< bidirectional: caches nothing
    Vision,    ///< a tower, or a model of pictures, sound or series alone
    Composite, ///< nests its language model
};

struct ClassDefaults {
    std::string_view modelType;
    TypeRole role = TypeRole::Language;
    std::string_view className = {};       ///< "Gemma3TextConfig"
    const Json *values = nullptr;     ///< key -> value; null is the class's own null
    const Json *attributeMap = nullptr; ///< name of today -> key in the file; may be nullptr
    std::string_view textKey = {};         ///< of a composite: where the language model is nested
    std::string_view textType = {};        ///< and its type when the block names none; empty: the block has to
};

/// The defaults of a model type, or nullptr when the library does not know it.
const ClassDefaults *classDefaults(std::string_view modelType);
/// The model type whose class the architecture names ("LlamaForCausalLM" -> "llama"); empty when none.
std::string_view modelTypeOfArchitecture(std::string_view architecture);

} // namespace kv
