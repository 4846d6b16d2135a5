// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Weights on one GPU of each pipeline stage. FP32 checkpoints are loaded in 16 bit (config/model.py, dtype "auto").

#include "core/engine/engine.h"

namespace kv::vllm {

std::vector<Bytes> rankWeights(const Deployment &d, const std::vector<std::int64_t> &stages);

} // namespace kv::vllm
