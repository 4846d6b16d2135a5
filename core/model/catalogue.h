// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The presets: models shipped as data (resources/models/*.json), read by the same reader as a user's config.json.
// The list is cheap (names only); a preset's ModelSpec is read when first asked for and then kept, safely from any thread.

#include "core/model/modelspec.h"

#include <span>

namespace kv {

struct Preset {
    std::string id;         ///< "llama-3.1-70b"
    std::string name;       ///< "Llama 3.1 70B Instruct"
    std::string maker;      ///< "Meta"
    std::string repository; ///< "meta-llama/Llama-3.1-70B-Instruct"
    std::string kind;       ///< "full, grouped heads"
    std::string license;    ///< empty when not known
    std::string release;
    std::string source;
    std::string nativeType;
    std::int64_t parameters = 0;      ///< as the maker states or facts hold; 0: not known
    std::int64_t checkpointBytes = 0; ///< stored bytes of the maker's files; 0: not known
    bool own = false; ///< from the user's own folder (base/smallfile.h), which wins over what is built in
};

std::span<const Preset> presets();
/// By id, or by its repository in any case; nullptr: none.
const Preset *findPreset(std::string_view id);
/// The model of a preset; its notes hold what the reader had to say.
Parsed<std::shared_ptr<const ModelSpec>> presetModel(std::string_view id);

} // namespace kv
