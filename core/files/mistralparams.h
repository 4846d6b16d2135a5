// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The params.json that Mistral (and Meta, for the first Llamas) ship beside or instead of a config.json: the same facts under short
// names. It is rewritten as a config.json, so that one reader serves both.
// Names and their meaning: vLLM, vllm/transformers_utils/configs/mistral.py (adapt_config_dict, _remap_general_mistral_args,
// _remap_moe_args, _remap_mistral_sliding_window, _remap_mistral_quantization_args), 0.24; the feed-forward size of the first Llamas:
// llama/model.py, class FeedForward.

#include "core/base/json.h"

namespace kv {

/// Whether an object has the short names and not the long ones.
bool isMistralParams(const Json &root);
Json configFromMistralParams(const Json &params);

} // namespace kv
