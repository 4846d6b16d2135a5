// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the language model stands in a config: at the top, or nested under one of several names. Vision, talker and audio blocks are
// never taken for it.
//
// Order where several stand side by side: thinker_config, text_config, llm_config, language_config, llm_cfg, decoder_config, then the
// rarer lm_config, decoder, generator. Sources: transformers configuration_utils.py (get_text_config), vLLM
// transformers_utils/config.py (llm_config renamed to text_config), files of VILA (llm_cfg), DeepSeek-VL2 (language_config),
// Qwen2.5-Omni (thinker_config.text_config) and VibeVoice (decoder_config).

#include "core/base/json.h"

#include <string>
#include <vector>

namespace kv {

struct LanguagePart {
    std::vector<const Json *> chain; ///< from the top to the language model
    std::string path;                ///< "text_config.", empty at the top
    std::string writtenType;         ///< model_type as the block (or the file) says
    std::string type;                ///< the type whose rules and defaults hold ("gemma3" at the top means "gemma3_text")
    bool typeInferred = false;       ///< from the architecture's name: the file says no model_type

    const Json &root() const { return *chain.front(); }
    const Json &text() const { return *chain.back(); }
    bool nested() const { return chain.size() > 1; }
};

LanguagePart findLanguagePart(const Json &config);

} // namespace kv
