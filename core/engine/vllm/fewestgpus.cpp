// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/fewestgpus.h"

#include "core/engine/vllm/pool.h"
#include "core/engine/vllm/startrules.h"

#include <algorithm>

namespace kv::vllm {

namespace {

constexpr std::int64_t mostGpus = 1024;

Deployment split(const Deployment &d, std::int64_t tp, std::int64_t pp) {
    Deployment other = d;
    other.tp = tp;
    other.pp = pp;
    other.gpus = checked::mul(checked::mul(tp, pp), d.dp);
    return other;
}

/// No fewer stages than this can hold what one stage would have to: the fullest of n holds at least the n-th part.
std::int64_t leastStages(const Pool &alone) {
    const Deployment &d = alone.deployment();
    const Rank rank = alone.ranks(alone.maxLength()).front();
    const Deployment apart = split(d, d.tp, 2);
    const Bytes smaller = std::min(rank.overhead, overheadOf(apart, alone.settings(), alone.maxLength(), false).all());
    const Bytes usable =
        d.memory - rank.reserve - std::min(smaller, overheadOf(apart, alone.settings(), alone.maxLength(), true).all());
    const std::int64_t load =
        alone.demand().all(d.context.value, std::min(d.prefix, d.context).value, d.fullest().value);
    const Bytes need = rank.weights + Bytes(checked::mul(std::max(load, alone.demand().request(alone.maxLength())),
                                                         alone.groups().fullestBlock()));
    // An encoder whose activations take the whole share fits into what is left: nothing. Else nothing left is out of range.
    return need == Bytes(0) ? 1 : ceilDiv(need, usable);
}

/// The least stages with this tensor-parallel degree, below `bound`.
std::optional<std::int64_t> fittingStages(const Deployment &d, std::int64_t tp, std::int64_t bound) {
    const Pool alone(split(d, tp, 1));
    if (alone.refusal())
        return std::nullopt;
    const std::int64_t least = leastStages(alone);
    if (least == outOfRangeValue)
        return std::nullopt;
    if (least == 1 && alone.holds(d.context.value))
        return 1;
    // More stages than layers are no use, but for a partition of the scenario's own with an empty one.
    const std::int64_t most = std::max(d.model->layerCount(), d.scenario->parallel.pp.value_or(Count(1)).value);
    for (std::int64_t pp = std::max<std::int64_t>(2, least); pp < std::min(bound, most + 1); ++pp)
        if (const Pool pool(split(d, tp, pp)); !pool.refusal() && pool.holds(d.context.value))
            return pp;
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> fewestGpus(const Deployment &d) {
    if (d.availableKv || d.dp <= 0)
        return std::nullopt;
    std::int64_t best = mostGpus / d.dp + 1; // per replica
    // The query heads bound the degree, where there are any; of states alone their heads do (takesTensorParallel).
    const std::int64_t most = d.model->queryHeads > 0 ? std::max<std::int64_t>(d.model->queryHeads, 64) : mostGpus;
    for (std::int64_t tp = 1; tp < best && tp <= most; ++tp)
        if (takesTensorParallel(*d.model, tp))
            if (const auto stages = fittingStages(d, tp, checked::ceilDiv(best, tp)))
                best = std::min(best, tp * *stages);
    return best <= mostGpus / d.dp ? std::optional(best * d.dp) : std::nullopt;
}

} // namespace kv::vllm
