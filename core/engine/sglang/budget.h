// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What SGLang leaves for KV on each GPU: memory × mem_fraction_static − weights (with a draft model's and the LoRA slots, which lie in
// memory before the pools are sized); activations and CUDA graphs live in the rest. What the
// share loses besides (contexts of other processes, a measured server) can be given by hand as overhead_bytes.
// Source: sglang srt/model_executor/kv_cache_configurator.py, srt/server_args.py _handle_gpu_memory_settings (2026-08).
//
// The share is of what is free before the model loads: what others take (a display) lowers it.
//
// mem_fraction_static, when not given: round((memory − reserved) ÷ memory, 3) of the driver's MiB, reserved =
//   512 + 1.5 × max(chunked_prefill_size, 2,048) + tp × pp ÷ 8 × 1,024 + 2 × cuda_graph_max_bs
//   (+ 3 × cuda_graph_max_bs × dp with DP attention, half as much again above 300), at least 10,240 on cards of more than 60 GiB;
// chunked_prefill_size and cuda_graph_max_bs by the card's memory. A vision_config takes × 0.95 and more,
// the larger its tower (adjust_mem_fraction_for_vlm): × clamp(1 − 0.1 × (layers × width² ÷ (24 × 1024²) − 1), 0.8, 1.05); not of models that are
// served without their tower (mm_disabled_models: Gemma 3, Inkling, Llama 4, Step3-VL).

#include "core/engine/engine.h"

#include <vector>

namespace kv::sglang {

struct RankBudget {
    Bytes weights, overhead, reserve;
    Bytes experts, resting; ///< of the weights, as GpuPlan says
    Bytes display, adapters, draftWeights; ///< of the overhead
    Bytes available;
};

/// Tokens of one prefill chunk of a replica: as given, or by the card; with DP attention the replicas share it (server_args.py
/// _handle_data_parallelism).
std::int64_t prefillChunk(const Deployment &deployment);

/// In units of 10^-9: as given, or by the engine's rule.
std::int64_t staticFraction(const Deployment &deployment);

/// One for each pipeline stage.
std::vector<RankBudget> budgets(const Deployment &deployment, const std::vector<std::int64_t> &stageLayers);

} // namespace kv::sglang
