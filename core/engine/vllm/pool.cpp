// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/pool.h"

#include "core/base/rounding.h"
#include "core/engine/adapters.h"
#include "core/engine/draftmodel.h"
#include "core/engine/vllm/rankweights.h"
#include "core/engine/vllm/startrules.h"

#include <algorithm>
#include <limits>

namespace kv::vllm {

Pool::Pool(const Deployment &deployment)
    : m_d(deployment), m_traits(traitsOf(*deployment.model)), m_demand(m_groups, m_settings) {
    // The sparse kernels keep FP8 latents in their own layout.
    if (m_traits.compressed || (m_traits.latent && m_traits.indexed && m_d.types.key == ElementType::Fp8))
        m_d.types.key = m_d.types.key == ElementType::Fp8 ? ElementType::Fp8DsMla : m_d.types.key;
    m_refusal = readSettings(m_d, m_traits, m_settings);
    if (m_refusal)
        return;
    m_askedBlock = m_settings.blockSize;
    m_settings.blockSize = forcedBlock(m_d, m_settings, m_traits);
    m_refusal = startRefusal(m_d, m_settings, m_traits);
    if (m_refusal)
        return;
    m_stages = stagesOf(m_d, m_settings);
    m_specs = specsOf(m_d, m_settings, m_traits, m_stages);
    m_refusal = formGroups(m_specs, m_settings, m_traits, m_groups);
    m_weights = weightsOfStages(m_d, m_settings, m_stages);
    if (m_settings.lora)
        m_adapters = adapterBytes(m_d, m_stages, {m_settings.loraSlots, m_settings.loraRank, true});
    m_draftWeights = draftWeightsPerGpu(m_d);
}

std::vector<Rank> Pool::ranks(std::int64_t maxLength) const {
    const Bytes requested(checked::sub(
        0, checked::mulDiv(checked::sub(0, m_d.memory.value), m_settings.utilization, fractionOne))); // rounded up
    std::vector<Rank> ranks(m_stages.size());
    for (std::size_t stage = 0; stage < ranks.size(); ++stage) {
        Rank &rank = ranks[stage];
        rank.reserve = m_d.memory - requested;
        rank.weights = m_weights[stage].all;
        rank.experts = m_weights[stage].experts;
        rank.resting = m_weights[stage].resting;
        if (m_d.availableKv) {
            rank.available = *m_d.availableKv;
            rank.overhead = std::max(Bytes(0), requested - rank.weights - rank.available);
            rank.draftWeights = std::min(rank.overhead, stage + 1 == ranks.size() ? m_draftWeights : Bytes(0)); // loaded all the same
            continue;
        }
        const Overhead overhead = overheadOf(m_d, m_settings, maxLength, stage + 1 == ranks.size());
        rank.display = m_d.display;
        rank.contested = std::max(Bytes(0), rank.display - rank.reserve);
        rank.reserve -= rank.display - rank.contested;
        rank.adapters = m_adapters.empty() ? Bytes(0) : m_adapters[stage];
        rank.draftWeights = stage + 1 == ranks.size() ? m_draftWeights : Bytes(0);
        const Bytes loaded = rank.adapters + rank.draftWeights;
        rank.overhead = overhead.all() + loaded + rank.display;
        rank.band = overhead.band;
        rank.available = requested - rank.weights - loaded - overhead.all();
    }
    return ranks;
}

std::int64_t Pool::blocks(const std::vector<Rank> &ranks) const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t stage = 0; stage < ranks.size(); ++stage)
        if (m_groups.blockBytes[stage] != 0)
            least = std::min(least, std::max<std::int64_t>(0, checked::floorDiv(ranks[stage].available.value,
                                                                                m_groups.blockBytes[stage])));
    return least;
}

bool Pool::isFree() const {
    const Bytes withheld(checked::mulDiv(m_d.memory.value, fractionOne - m_settings.utilization, fractionOne));
    return m_d.availableKv || m_d.display <= withheld;
}

bool Pool::starts(const std::vector<Rank> &ranks, std::int64_t maxLength) const {
    if (!isFree())
        return false;
    const std::int64_t request = m_demand.request(maxLength);
    for (std::size_t stage = 0; stage < ranks.size(); ++stage) {
        const std::int64_t need = checked::mul(request, m_groups.blockBytes[stage]);
        if (need == outOfRangeValue || !ranks[stage].available.inRange() || ranks[stage].available < Bytes(need) ||
            ranks[stage].available < Bytes(0))
            return false;
    }
    return true;
}

std::optional<std::int64_t> Pool::mostPerReplica(std::int64_t blocks, std::int64_t context) const {
    if (cachesNothing())
        return std::nullopt;
    const std::int64_t common = sharedBlocks(context), each = checked::sub(m_demand.request(context), common);
    if (context > m_settings.lengthFor(Tokens(context)) || common > blocks || each == outOfRangeValue)
        return 0;
    return each == 0 ? m_settings.maxSeqs : std::min(m_settings.maxSeqs, checked::floorDiv(blocks - common, each));
}

bool Pool::holds(std::int64_t context, std::int64_t direction) const {
    const std::int64_t length = m_settings.lengthFor(Tokens(context));
    std::vector<Rank> shifted = ranks(length);
    for (Rank &rank : shifted)
        rank.available += rank.band * direction;
    if (context > length || !starts(shifted, length))
        return false;
    const std::optional<std::int64_t> most = mostPerReplica(blocks(shifted), context);
    return !most || m_d.fullest().value <= *most;
}

std::int64_t Pool::longestLength(const std::vector<Rank> &ranks, std::int64_t maxLength) const {
    std::int64_t low = 0, high = maxLength; // low holds or is 0
    if (starts(ranks, high))
        return high;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (starts(ranks, middle) ? low : high) = middle;
    }
    return low;
}

LogFigures Pool::logged(std::int64_t blocks, std::int64_t maxLength) const {
    const Release &rules = m_settings.rules();
    const auto blockOf = [&](const Group &group) { return group.blockSize > 0 ? group.blockSize : maxLength; };
    std::int64_t leastBlock = blockOf(m_groups.list.front());
    for (const Group &group : m_groups.list)
        leastBlock = std::min(leastBlock, blockOf(group));
    LogFigures figures;
    if (rules.tokens == LoggedTokens::Blocks)
        figures.tokens = checked::mul(blocks, leastBlock);
    else if (rules.tokens == LoggedTokens::BlocksPerGroup)
        figures.tokens =
            checked::mul(checked::mul(blocks / static_cast<std::int64_t>(m_groups.list.size()), leastBlock),
                         m_settings.contextParallel);
    if (rules.concurrency == LoggedConcurrency::FromTokens) {
        figures.concurrency = static_cast<double>(figures.tokens) / static_cast<double>(maxLength);
        return figures;
    }
    std::int64_t each = m_demand.request(maxLength);
    if (rules.concurrency == LoggedConcurrency::SumOfBytes && m_groups.layout == Layout::Packed) {
        std::int64_t bytes = 0;
        for (const Group &group : m_groups.list)
            bytes = checked::add(bytes, checked::mul(m_demand.blocks(group, maxLength), group.pages.front()));
        each = std::max<std::int64_t>(
            1, checked::ceilDiv(bytes, std::max<std::int64_t>(1, m_groups.list.front().pages.front())));
    }
    // In binary floating point, as the engine does: the figure is cut off, not rounded.
    figures.concurrency = static_cast<double>(blocks) / static_cast<double>(each);
    if (rules.tokens == LoggedTokens::FromConcurrency)
        figures.tokens = checked::truncated(figures.concurrency * static_cast<double>(maxLength));
    return figures;
}

} // namespace kv::vllm
