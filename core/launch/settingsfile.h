// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What trtllm-serve has no flag for, as the YAML that its --config reads (TensorRT-LLM, tensorrt_llm/llmapi/llm_args.py: KvCacheConfig,
// TorchLlmArgs, MTPDecodingConfig; 2026-08).

#include "core/engine/engine.h"

#include <string>
#include <vector>

namespace kv {

/// Empty when every setting is the engine's default or has a flag. Appends to `said` the options that it holds.
std::string tensorRtLlmSettings(const Scenario &scenario, const Deployment &deployment, std::vector<std::string> &said, Notes &notes);

} // namespace kv
