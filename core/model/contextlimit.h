// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long a context may be where RoPE scaling has a say. Configs write max_position_embeddings before scaling or after it, and the engines
// read them differently.
//
// vLLM (config/model.py _get_and_verify_max_len): what is written × factor, of yarn original_max_position_embeddings × factor; as written
// for su, longrope and llama3, where no factor is given (mrope), and for Gemma 3, whose length is scaled already. SGLang
// (utils/hf_transformers_utils.py get_context_length): what is written × factor, but as written beside original_max_position_embeddings and
// for llama3. TensorRT-LLM (_torch/models/modeling_utils.py infer_max_seq_len): × factor, but as written for su, longrope, llama3 and yarn.
// llama.cpp (convert_hf_to_gguf.py: context_length) as written. The model's own limit (ModelSpec::maxContext) is the longer of what is
// written and vLLM's; what is written stays a fact beside it.

#include "core/model/modelspec.h"

#include <string_view>

namespace kv {

/// What RoPE scaling makes of a length, by vLLM's rule.
struct ScaledContext {
    std::int64_t length = 0;
    std::string_view key;  ///< "rope_scaling", "rope_parameters"
    std::string type;      ///< "yarn"
};
/// Nothing where the config scales nothing, or the result leaves 64 bits.
std::optional<ScaledContext> scaledContext(std::int64_t written, const Json &text, std::string_view modelType);

/// What an engine takes when no length is given, and beyond which it starts only when told to; nothing when the model names none.
std::optional<Tokens> contextLimit(std::string_view engine, const ModelSpec &model);

} // namespace kv
