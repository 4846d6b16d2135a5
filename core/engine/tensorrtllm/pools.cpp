// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensorrtllm/pools.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"

#include <algorithm>

namespace kv::tensorrtllm {

namespace {

std::int64_t blocksFor(std::int64_t tokens, std::int64_t perBlock) { return checked::ceilDiv(tokens, perBlock); }

/// The least over the stages of what each pool's share of the memory holds.
void countBlocks(Pools &p) {
    const std::size_t pools = p.cells.stages.empty() ? 0 : p.cells.stages.front().pools.size();
    p.blocks.assign(pools, std::numeric_limits<std::int64_t>::max());
    for (std::size_t stage = 0; stage < p.cells.stages.size(); ++stage) {
        const Bytes forPools = p.ranks[stage].available - p.cells.stages[stage].slot * p.slots;
        for (std::size_t pool = 0; pool < pools; ++pool) {
            const Bytes block = p.cells.stages[stage].pools[pool].perToken * p.tokensPerBlock;
            if (block == Bytes(0))
                continue; // this stage has no layer of the pool: it sets no limit
            const std::int64_t share = checked::floorDiv(forPools.value, static_cast<std::int64_t>(pools));
            p.blocks[pool] = std::min(p.blocks[pool], std::max<std::int64_t>(0, checked::floorDiv(share, block.value)));
        }
    }
}

void countShared(const Deployment &d, Pools &p) {
    for (const PoolCell &pool : p.cells.stages.front().pools)
        p.shared.push_back(pool.window > 0 ? 0 : d.prefix.value / p.tokensPerBlock);
}

} // namespace

void Pools::setContext(Tokens context) {
    request.clear();
    if (cells.stages.empty())
        return;
    for (const PoolCell &pool : cells.stages.front().pools)
        request.push_back(blocksFor(pool.window > 0 ? std::min(context.value, pool.window) : context.value, tokensPerBlock));
}

std::optional<std::int64_t> Pools::batchLimit() const {
    constexpr std::int64_t standard = 2048;
    const bool caches = !blocks.empty() || std::ranges::any_of(cells.stages, [](const StageCells &stage) { return stage.slot > Bytes(0); });
    return maxBatchSize || !caches ? maxBatchSize : std::optional(standard);
}

bool Pools::roomOnAllStages() const {
    for (std::size_t i = 0; const StageCells &cell : cells.stages) {
        const Bytes states = cell.slot * slots;
        if (!states.inRange() || ranks[i++].available < states)
            return false;
    }
    return true;
}

std::optional<std::int64_t> Pools::mostPerReplica() const {
    if (!roomOnAllStages())
        return 0;
    std::optional<std::int64_t> most = batchLimit();
    const auto limit = [&](std::int64_t n) { most = most ? std::min(*most, n) : n; };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t each = request[i] - shared[i], room = blocks[i] - shared[i];
        if (room < 0)
            limit(0);
        else if (each > 0)
            limit(room / each);
    }
    return most; // states have room: of as many slots as are asked for, or as max_batch_size says
}

/// Empty where something else is what leaves no room.
std::string Pools::statesInWords() const {
    const bool states = std::ranges::any_of(cells.stages, [](const StageCells &stage) { return stage.slot > Bytes(0); });
    const bool room = std::ranges::all_of(ranks, [](const RankBudget &rank) { return rank.available >= Bytes(0); });
    if (!states || !room)
        return {};
    return "The recurrent states of " + writeNumber(slots) + (slots == 1 ? " slot take" : " slots take") + " more than is left on a GPU" +
           (maxBatchSize ? ": max_batch_size sets how many there are." : ".");
}

std::string Pools::limitInWords() const {
    if (!roomOnAllStages())
        return statesInWords();
    const std::optional<std::int64_t> most = mostPerReplica();
    if (!most)
        return {};
    const std::string serves = writeNumber(*most) + (*most == 1 ? " sequence" : " sequences") + (replicas > 1 ? " on each replica" : "");
    if (most == batchLimit())
        return (maxBatchSize ? "max_batch_size runs " : "TensorRT-LLM's default of max_batch_size runs ") + serves + " at a time.";
    for (std::size_t i = 0; const std::int64_t held : blocks) {
        if (const std::int64_t each = request[i] - shared[i]; held < shared[i] || (each > 0 && (held - shared[i]) / each == *most))
            return (blocks.size() > 1 ? "Pool " + writeNumber(static_cast<std::int64_t>(i) + 1) + " of " + writeNumber(static_cast<std::int64_t>(blocks.size())) : std::string("The pool")) +
                   " has " + writeNumber(held) + " blocks, and each sequence takes " + writeNumber(request[i]) + " of them: room for " + serves + ".";
        ++i;
    }
    return {};
}

Bytes Pools::demand(std::size_t stage, Count sequences) const {
    const StageCells &cell = cells.stages[stage];
    Bytes sum = cell.slot * sequences.value;
    for (std::size_t i = 0; i < cell.pools.size(); ++i) {
        const Bytes block = cell.pools[i].perToken * tokensPerBlock;
        sum += block * checked::add(shared[i], checked::mul(request[i] - shared[i], sequences.value));
    }
    return sum;
}

Bytes Pools::reserved(std::size_t stage) const {
    const StageCells &cell = cells.stages[stage];
    Bytes sum = cell.slot * slots;
    for (std::size_t i = 0; i < cell.pools.size(); ++i)
        if (cell.pools[i].perToken > Bytes(0))
            sum += cell.pools[i].perToken * tokensPerBlock * blocks[i];
    return sum;
}

Pools poolsOf(const Deployment &d, Bytes more) {
    const OptionReader options(d.scenario->engine.options);
    Pools p;
    p.tokensPerBlock = options.whole("tokens_per_block").value_or(32);
    p.maxBatchSize = options.whole("max_batch_size");
    p.attentionDp = options.boolean("enable_attention_dp").value_or(false);
    p.replicas = p.attentionDp ? checked::mul(d.tp, d.dp) : d.dp;
    p.cells = cellsOf(d);
    p.refusal = p.cells.refusal;
    if (p.refusal)
        return p;
    p.ranks = budgets(d, p.cells.stageLayerCounts);
    for (RankBudget &rank : p.ranks)
        rank.available += more;
    p.slots = p.maxBatchSize.value_or(p.fullest(d).value);
    countBlocks(p);
    if (!p.cells.stages.empty())
        countShared(d, p);
    p.setContext(d.context);
    return p;
}

} // namespace kv::tensorrtllm
