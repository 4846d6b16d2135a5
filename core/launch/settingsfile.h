// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What trtllm-serve has no flag for, as the YAML that its --config reads, and back (TensorRT-LLM, tensorrt_llm/llmapi/llm_args.py: KvCacheConfig,
// TorchLlmArgs, MTPDecodingConfig; 2026-08).

#include "core/engine/engine.h"
#include "core/launch/flags.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

/// Empty when every setting is the engine's default or has a flag. Appends to `said` the options that it holds.
std::string tensorRtLlmSettings(const Scenario &scenario, const Deployment &deployment, std::vector<std::string> &said, Notes &notes);

/// The keys of such a file as flags of flags.h, each with its value as a flag would write it; what it says of memory and is not planned
/// with is one warning that names the keys. Errors: "bad-launch-line".
Parsed<std::vector<std::pair<const Flag *, std::string>>> readTensorRtLlmSettings(std::string_view text, std::string_view name);

} // namespace kv
