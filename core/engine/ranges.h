// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whole numbers that an engine takes for an option, whatever else is set. vLLM's stand in vllm/settings.cpp.
//   SGLang        server_args.py: sizes and counts of 1 or more; −1 turns chunked prefill off
//   TensorRT-LLM  llmapi/llm_args.py KvCacheConfig, cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp: tokens_per_block is a power of two
//   llama.cpp     common/arg.cpp: n_gpu_layers −1 is "auto", −2 "all"

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/engine/engine.h"

#include <optional>

namespace kv {

/// The first option out of its range; the values are of their kinds.
std::optional<Note> checkRanges(const Engine &engine, const Json &options);

} // namespace kv
