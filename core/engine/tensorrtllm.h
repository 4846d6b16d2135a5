// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// TensorRT-LLM (PyTorch backend, 2026-08): blocks of tokens in one pool, or one pool for each window.
// Rules and their sources: tensorrtllm/cells.h (bytes a token), tensorrtllm/pools.h (blocks), tensorrtllm/budget.h (memory).

#include "core/engine/engine.h"

namespace kv {

const Engine &tensorRtLlmEngine();

} // namespace kv
