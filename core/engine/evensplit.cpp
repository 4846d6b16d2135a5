// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/evensplit.h"

#include "core/engine/rankweights.h"

#include <algorithm>

namespace kv {

Bytes displayOf(const Deployment &d) { return d.availableKv ? Bytes(0) : d.display; }

GpuPlan evenGpu(const Deployment &d, std::int64_t index, Bytes usable) {
    const std::int64_t ways = checked::mul(d.tp, d.pp), inReplica = index % ways;
    GpuPlan gpu;
    gpu.index = index;
    gpu.tp = index % d.tp;
    gpu.pp = inReplica / d.tp;
    gpu.dp = index / ways;
    gpu.gpu = d.scenario->hardware.gpu;
    gpu.memory = d.memory;
    gpu.display = displayOf(d);
    gpu.overhead = gpu.display;
    gpu.reserve = d.memory - usable - gpu.display;
    gpu.weights = evenShare(d.weights, inReplica, ways);
    shareEvenly(d, false, gpu);
    return gpu;
}

void setEvenCache(const Deployment &d, GpuPlan &gpu, Bytes cache) {
    const std::int64_t ways = checked::mul(d.tp, d.pp);
    gpu.kv = evenShare(cache, gpu.index % ways, ways);
    gpu.kvReserved = gpu.kv;
    if (d.availableKv) {
        gpu.overhead = std::max(Bytes(0), gpu.memory - gpu.reserve - gpu.weights - *d.availableKv);
        gpu.free = *d.availableKv - gpu.kv;
    } else {
        gpu.free = gpu.memory - gpu.reserve - gpu.weights - gpu.overhead - gpu.kv;
    }
}

std::optional<std::int64_t> fewestGpusEvenly(const Deployment &d, Bytes usable, Bytes fullestCache) {
    constexpr std::int64_t mostGpus = 1024;
    if (d.availableKv || usable <= Bytes(0))
        return std::nullopt;
    const Bytes needed = d.weights + fullestCache;
    if (!needed.inRange())
        return std::nullopt;
    const std::int64_t each = std::max<std::int64_t>(1, ceilDiv(needed, usable));
    const std::int64_t all = checked::mul(each, d.dp);
    return all > 0 && all <= mostGpus ? std::optional(all) : std::nullopt;
}

} // namespace kv
