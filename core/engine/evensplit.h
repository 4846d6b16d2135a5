// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Everything of a replica split evenly over its GPUs, to the byte: floor(bytes ÷ GPUs) each, the first (bytes mod GPUs) one byte more.
// Shared by the engines without ranks of their own (textbook, transformers).

#include "core/engine/engine.h"

#include <functional>

namespace kv {

/// Fills plan.gpus and plan.kv.total. `cacheOf` is what a replica holds for its sequences; `usable` is a GPU's memory less the reserve and what others take.
template <typename CacheOf>
void splitEvenly(const Deployment &d, Plan &plan, const CacheOf &cacheOf, Bytes usable);

/// The least GPUs in all with enough usable memory for weights and the fullest replica's cache; nothing above 1,024 or with
/// available_kv_bytes, since the budget at another count is not known then.
std::optional<std::int64_t> fewestGpusEvenly(const Deployment &d, Bytes usable, Bytes fullestCache);

/// What others take of each GPU, where the budget is not given: on paper all GPUs are alike.
Bytes displayOf(const Deployment &d);

/// Share `index` of `ways`.
constexpr Bytes evenShare(Bytes bytes, std::int64_t index, std::int64_t ways) {
    if (!bytes.inRange())
        return bytes;
    return Bytes(bytes.value / ways + (index < bytes.value % ways ? 1 : 0));
}

/// One GPU of the deployment with its place filled in: index, tp, pp, dp, memory, reserve, its share of the weights.
GpuPlan evenGpu(const Deployment &d, std::int64_t index, Bytes usable);
/// Sets kv, kvReserved, overhead and free from a replica's cache.
void setEvenCache(const Deployment &d, GpuPlan &gpu, Bytes cache);

template <typename CacheOf>
void splitEvenly(const Deployment &d, Plan &plan, const CacheOf &cacheOf, Bytes usable) {
    const std::int64_t fuller = d.sequences.value % d.dp; // the first replicas serve one sequence more
    const Count least(d.sequences.value / d.dp);
    plan.gpus.reserve(static_cast<std::size_t>(d.gpus));
    for (std::int64_t index = 0; index < d.gpus; ++index) {
        GpuPlan gpu = evenGpu(d, index, usable);
        setEvenCache(d, gpu, cacheOf(gpu.dp < fuller ? least + Count(1) : least));
        plan.kv.total += gpu.kv;
        plan.gpus.push_back(std::move(gpu));
    }
}

} // namespace kv
