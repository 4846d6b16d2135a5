// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The memory that TensorRT-LLM gives to KV on each GPU: a fraction (0.9) of what is free after weights and the measured peak, not of the
// total. Source: tensorrt_llm/_torch/pyexecutor/_util.py KvCacheCreator.configure_kv_cache_capacity (2026-08).
//
// The peak is an estimate, as ai-dynamo/aiconfigurator counts it: activations 2 × max_num_tokens × hidden width of the heads × c with
// c = 10, 6, 5, 5 at tensor parallel 1, 2, 4, 8, at least 70 MiB; NCCL 0, 342, 392, 392 MB; 551 MB for context and workspaces.

#include "core/engine/engine.h"

#include <vector>

namespace kv::tensorrtllm {

struct RankBudget {
    Bytes weights, overhead, reserve;
    Bytes experts, resting; ///< of the weights, as GpuPlan says
    Bytes available; ///< for KV
    Bytes display;   ///< of the overhead
    Bytes band;      ///< of the estimated peak, either way; 0: by hand
};

/// One for each pipeline stage.
std::vector<RankBudget> budgets(const Deployment &deployment, const std::vector<std::int64_t> &stageLayers);

/// How far the estimated peak may be off, each way.
inline constexpr Bytes peakBand{1'073'741'824};

} // namespace kv::tensorrtllm
