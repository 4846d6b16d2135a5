// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where a GPU stands among the ranks: tensor-parallel ranks side by side first, then pipeline stages, then replicas, as torch.distributed
// numbers them for all engines with ranks (vLLM: distributed/parallel_state.py initialize_model_parallel).

#include "core/engine/engine.h"

namespace kv {

/// The GPU of this index with its place, its kind and its memory; nothing on it yet.
inline GpuPlan gpuAtRank(const Deployment &d, std::int64_t index) {
    GpuPlan gpu;
    gpu.index = index;
    gpu.tp = index % d.tp;
    gpu.pp = index / d.tp % d.pp;
    gpu.dp = index / (d.tp * d.pp);
    gpu.gpu = d.scenario->hardware.gpu;
    gpu.memory = d.memory;
    return gpu;
}

/// With what the ranks of its stage hold whatever the workload: `ranks` has one for each stage.
template <class Ranks>
GpuPlan gpuAtRank(const Deployment &d, std::int64_t index, const Ranks &ranks) {
    GpuPlan gpu = gpuAtRank(d, index);
    const auto &rank = ranks[static_cast<std::size_t>(gpu.pp)];
    gpu.weights = rank.weights;
    gpu.experts = rank.experts;
    gpu.resting = rank.resting;
    gpu.overhead = rank.overhead;
    gpu.display = rank.display;
    gpu.reserve = rank.reserve;
    return gpu;
}

} // namespace kv
