// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/planfigures.h"

#include "core/base/quantity.h"
#include "core/engine/rankplace.h"
#include "core/plan/payload.h"

#include <algorithm>

namespace kv::vllm {

namespace {

void fillPayload(const Pool &pool, const Deployment &asked, Plan &plan) {
    const Payload payload(*asked.model, asked.types, pool.settings().draftLayers);
    plan.kv.perToken = payload.perToken();
    plan.kv.perTokenMarginal = payload.marginal(asked.context);
    plan.kv.fixedPerSequence = payload.fixed();
    plan.kv.perSequence = payload.at(asked.context);
    plan.derivation = payload.derivation(asked.context);
}

/// Bytes of one token on the fullest stage, all layers that cache tokens, while inside every window.
Bytes tokenBytes(const Pool &pool) {
    std::vector<std::int64_t> onStage(pool.stages().size(), 0);
    for (const Registered &layer : pool.specs().layers)
        onStage[layer.stage] = checked::add(onStage[layer.stage], pool.specs().specs[layer.spec].tokenBytes);
    return Bytes(checked::ceilDiv(*std::ranges::max_element(onStage), pool.settings().contextParallel));
}

/// GPUs of a tensor-parallel group that keep the same heads of the same tokens.
std::int64_t copiesOfHeads(const Pool &pool) {
    const Deployment &d = pool.deployment();
    std::int64_t heads = 1;
    for (const LayerShape &shape : d.model->shapes)
        for (const CachePart &part : shape.parts) {
            if (const auto *full = std::get_if<FullAttention>(&part))
                heads = std::max(heads, full->heads.kvHeads);
            else if (const auto *window = std::get_if<SlidingWindow>(&part))
                heads = std::max(heads, window->heads.kvHeads);
            else if (kindOf(part) == CacheKind::Chunked || kindOf(part) == CacheKind::Cross)
                heads = std::max(heads, d.model->kvHeads);
            else if (kindOf(part) == CacheKind::State)
                return 1; // states are split
        }
    return std::max<std::int64_t>(1, d.tp / (std::min(heads, d.tp) * pool.settings().contextParallel));
}

/// Of the bytes of a token on each stage: a draft model's own, and all (at least 1).
std::vector<std::pair<std::int64_t, std::int64_t>> draftShares(const Pool &pool) {
    std::vector<std::pair<std::int64_t, std::int64_t>> shares(pool.stages().size(), {0, 0});
    const SpecList &list = pool.specs();
    for (std::size_t i = 0; i < list.layers.size(); ++i) {
        const std::int64_t bytes = list.specs[list.layers[i].spec].tokenBytes;
        auto &[own, all] = shares[list.layers[i].stage];
        all = checked::add(all, bytes);
        if (i >= list.draftFrom)
            own = checked::add(own, bytes);
    }
    for (auto &[own, all] : shares)
        all = std::max<std::int64_t>(1, all);
    return shares;
}

std::int64_t replicaBlocks(const Pool &pool, std::int64_t sequences) {
    const Deployment &d = pool.deployment();
    return pool.demand().all(d.context.value, std::min(d.prefix, d.context).value, sequences);
}

void fillGpus(const Pool &pool, const std::vector<Rank> &ranks, std::int64_t blocks, Plan &plan) {
    const Deployment &d = pool.deployment();
    const std::int64_t fuller = d.sequences.value % d.dp, least = d.sequences.value / d.dp;
    const std::int64_t most = replicaBlocks(pool, checked::add(least, 1)), fewer = replicaBlocks(pool, least),
                       copies = copiesOfHeads(pool);
    const std::vector<std::pair<std::int64_t, std::int64_t>> draft = draftShares(pool);
    plan.gpus.reserve(static_cast<std::size_t>(d.gpus));
    for (std::int64_t index = 0; index < d.gpus; ++index) {
        GpuPlan gpu = gpuAtRank(d, index, ranks);
        const Rank &rank = ranks[static_cast<std::size_t>(gpu.pp)];
        const std::int64_t block = pool.groups().blockBytes[static_cast<std::size_t>(gpu.pp)];
        gpu.adapters = rank.adapters;
        gpu.draftWeights = rank.draftWeights;
        gpu.band = rank.band;
        gpu.kv = Bytes(checked::mul(gpu.dp < fuller ? most : fewer, block));
        gpu.kvReserved = block == 0 ? Bytes(0) : Bytes(checked::mul(blocks, block));
        const auto [own, all] = draft[static_cast<std::size_t>(gpu.pp)];
        gpu.draftKv = Bytes(checked::mulDiv(gpu.kv.value, own, all));
        gpu.free = rank.available - gpu.kv - rank.contested;
        gpu.kvReplicated = block > 0 && gpu.tp % copies != 0;
        plan.kv.total += gpu.kv;
        plan.gpus.push_back(std::move(gpu));
    }
}

/// Weights and overhead leave no stage short, those without layers that cache as well.
bool isRoom(const std::vector<Rank> &ranks) {
    return std::ranges::all_of(ranks, [](const Rank &rank) { return rank.available >= Bytes(0); });
}

/// What stands in the way besides bytes that are missing on a GPU: a setting, or blocks that one rank alone has too few of.
std::string limitOf(const Pool &pool, const std::vector<Rank> &ranks, std::int64_t blocks) {
    const Deployment &d = pool.deployment();
    const std::int64_t length = pool.maxLength(), each = pool.demand().request(d.context.value);
    if (!pool.isFree())
        return "vLLM starts only where the share it plans with is free; lower gpu_memory_utilization.";
    if (!isRoom(ranks))
        return {};
    if (d.context.value > length)
        return "max_model_len allows requests of " + writeNumber(length) + " tokens.";
    if (!pool.starts(ranks, length))
        return "One request of max_model_len, " + writeNumber(length) + " tokens, does not fit, so that vLLM would not start.";
    if (d.fullest().value > pool.settings().maxSeqs)
        return "max_num_seqs runs " + writeNumber(pool.settings().maxSeqs) + " sequences at a time" + (d.dp > 1 ? " on each replica." : ".");
    return "The pool has " + writeNumber(blocks) + " blocks, and each sequence takes " + writeNumber(each) + ".";
}

void fillFit(const Pool &pool, const std::vector<Rank> &ranks, std::int64_t blocks, Plan &plan) {
    const Deployment &d = pool.deployment();
    const std::int64_t context = d.context.value;
    plan.fit.kvBudget = std::ranges::min_element(ranks, {}, &Rank::available)->available * d.gpus;
    plan.fit.fits = pool.holds(context);
    if (const auto most = pool.mostPerReplica(blocks, context))
        plan.fit.maxSequences = pool.isFree() && isRoom(ranks) ? checked::mul(*most, d.dp) : 0;
    if (!pool.cachesNothing() && pool.demand().grows()) {
        const std::vector<Group> &groups = pool.groups().list;
        const std::int64_t request = pool.demand().request(context);
        std::int64_t each = 0;
        if (groups.size() == 1)
            each = checked::mul(checked::mul(blocks, groups.front().blockSize), pool.settings().contextParallel);
        else if (request > 0)
            each = checked::mulDiv(blocks, context, request);
        plan.fit.kvCapacityTokens = checked::mul(each, d.dp);
    }
    if (!plan.fit.fits)
        plan.fit.limit = limitOf(pool, ranks, blocks);
    if (d.availableKv) // read off a log: nothing is estimated
        plan.fit.estimate = plan.fit.uncertain = false;
    if (std::ranges::none_of(ranks, [](const Rank &rank) { return rank.band > Bytes(0); }))
        return;
    plan.fit.estimate = true;
    plan.fit.uncertain = plan.fit.uncertain || pool.holds(context, -1) != pool.holds(context, 1);
}

void fillReport(const Pool &pool, const std::vector<Rank> &ranks, std::int64_t blocks, Plan &plan) {
    EngineReport &report = plan.engine;
    report.version = pool.settings().release.written;
    const Groups &groups = pool.groups();
    const std::int64_t length = pool.maxLength();
    const Bytes band = std::ranges::max_element(ranks, {}, &Rank::band)->band;
    if (band > Bytes(0)) // of the overhead's estimate, either way
        report.values.emplace_back("overhead_band_bytes", band.value);
    report.values.emplace_back("group_count", static_cast<std::int64_t>(groups.list.size()));
    std::vector<std::int64_t> sizes, blockSizes;
    for (const Group &group : groups.list) {
        sizes.push_back(group.layers);
        blockSizes.push_back(group.blockSize > 0 ? group.blockSize : length);
    }
    report.values.emplace_back("group_sizes", std::move(sizes));
    report.values.emplace_back("block_sizes", std::move(blockSizes));
    if (groups.page > 0)
        report.values.emplace_back("page_size_bytes", groups.page);
    if (pool.cachesNothing())
        return;
    const LogFigures logged = pool.logged(blocks, length);
    report.values.emplace_back("num_gpu_blocks", blocks);
    if (logged.tokens != outOfRangeValue) // blocks of states alone are as long as the longest request
        report.values.emplace_back("logged_tokens", logged.tokens);
    report.values.emplace_back("max_concurrency", logged.concurrency);
    report.values.emplace_back("estimated_max_model_len", pool.longestLength(ranks, length));
}

} // namespace

std::vector<BudgetRow> budgetRows(const Pool &pool, const GpuPlan &gpu) {
    std::vector<BudgetRow> rows{{"reserve", "Withheld by gpu_memory_utilization", gpu.reserve, Certainty::Exact, {}, "engine.options.gpu_memory_utilization"}};
    if (pool.deployment().availableKv) {
        rows.push_back({"overhead", "What remains beside weights and the KV given", gpu.overhead, Certainty::ByHand, {}, "engine.options.available_kv_bytes"});
        return rows;
    }
    const Settings &s = pool.settings();
    const Overhead o = overheadOf(pool.deployment(), s, pool.maxLength(), gpu.pp + 1 == pool.deployment().pp);
    const auto add = [&](std::string_view key, const char *name, Bytes bytes, Bytes band, bool byHand, std::string_view setBy) {
        rows.push_back({key, name, bytes, byHand ? Certainty::ByHand : band > Bytes(0) ? Certainty::Estimate : Certainty::Exact, band, setBy});
    };
    add("activation", "Activation peak", o.activation, o.activationBand, s.activation.has_value(), "engine.options.activation_bytes");
    add("non_torch", "Outside the framework's allocator", o.outside, o.outsideBand, s.outside.has_value(), "engine.options.non_torch_bytes");
    if (s.rules().graphsInside)
        add("cuda_graphs", "CUDA graphs", o.graphs, o.graphsBand, s.graphs.has_value(), "engine.options.cuda_graph_bytes");
    return rows;
}

Bytes totalCache(const Pool &pool) {
    const Deployment &d = pool.deployment();
    const std::int64_t fuller = d.sequences.value % d.dp, least = d.sequences.value / d.dp;
    const std::int64_t all = checked::add(checked::mul(replicaBlocks(pool, least + 1), fuller),
                                          checked::mul(replicaBlocks(pool, least), d.dp - fuller));
    Bytes total;
    for (const std::int64_t block : pool.groups().blockBytes)
        total += Bytes(checked::mul(checked::mul(all, block), d.tp));
    return total;
}

void fillPlan(const Pool &pool, const Deployment &asked, Plan &plan) {
    fillPayload(pool, asked, plan);
    const std::vector<Rank> ranks = pool.ranks(pool.maxLength());
    const std::int64_t blocks = pool.blocks(ranks);
    plan.kv.perTokenPerGpu = tokenBytes(pool);
    plan.kv.perSequencePerGpu =
        Bytes(checked::mul(pool.demand().request(pool.maxLength()), pool.groups().fullestBlock()));
    plan.weights.perGpu = std::ranges::max_element(ranks, {}, &Rank::weights)->weights;
    plan.replicasAtExperts = asked.dp; // the group that holds them is tp × dp
    fillGpus(pool, ranks, blocks, plan);
    fillFit(pool, ranks, blocks, plan);
    fillReport(pool, ranks, blocks, plan);
    addNotes(pool, asked, ranks, plan);
}

} // namespace kv::vllm
