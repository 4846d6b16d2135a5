// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How engines deal the layers over pipeline stages. 61 layers over 4 stages differ in all three:
//   vLLM          15, 15, 16, 15  the rest goes to the stages before the last, backwards (vllm/distributed/utils.py get_pp_indices)
//   SGLang        15, 15, 15, 16  the rest goes to the last stages (sglang srt/distributed/utils.py get_pp_indices)
//   TensorRT-LLM  16, 15, 15, 15  the rest goes to the first stages (tensorrt_llm/mapping.py pp_layers, tensor_split)

#include "core/base/note.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kv {

enum class StageRule : std::uint8_t { RestBeforeLast, RestLast, RestFirst };

/// Layers of each stage; empty when there are more stages than layers.
std::vector<std::int64_t> stageLayers(std::int64_t layers, std::int64_t stages, StageRule rule);

/// What is wrong with a partition given by hand (option layer_partition), or nothing.
std::optional<Note> checkPartition(const std::vector<std::int64_t> &partition, std::int64_t layers, std::int64_t stages);

} // namespace kv
