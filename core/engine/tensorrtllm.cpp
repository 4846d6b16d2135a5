// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensorrtllm.h"

#include "core/engine/fewest.h"
#include "core/engine/gpumemory.h"
#include "core/engine/longest.h"
#include "core/engine/tensorrtllm/pools.h"
#include "core/plan/payload.h"

#include "core/engine/options.h"
#include "core/engine/rankplace.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum ElementType;
using tensorrtllm::Pools;
using tensorrtllm::poolsOf;

constexpr std::array<EngineOption, 12> optionTable{{
    {"version", OptionKind::Word, "2026-08", "the release whose rules are counted", "2026-08"},
    {"tokens_per_block", OptionKind::Whole, "32", "tokens of one block"},
    {"free_gpu_memory_fraction", OptionKind::Fraction, "0.9", "share of the memory free after weights and peak that goes to KV"},
    {"enable_attention_dp", OptionKind::Bool, "false", "every GPU of the tensor-parallel group serves its own requests"},
    {"draft_layers", OptionKind::Whole, "0", "draft or MTP layers that cache as well, on the last stage"},
    {"indexer_dtype", OptionKind::Type, "fp8", "type of the sparse indexer's keys: fp8 or fp4"},
    {"max_batch_size", OptionKind::Whole, "2,048", "most sequences of a replica; given, also the slots of states"},
    {"ssm_dtype", OptionKind::Type, "mamba_ssm_cache_dtype, else the model's", "type of the recurrent states"},
    {"max_attention_window", OptionKind::List, "the model's own where only some layers slide", "windows by layer, repeated; 0: full"},
    {"layer_partition", OptionKind::List, "the first stages take the rest", "layers of each pipeline stage"},
    {"overhead_bytes", OptionKind::Size, "estimated", "peak of activations and all outside the framework, by hand"},
    {"available_kv_bytes", OptionKind::Size, "none", "bytes for KV on each GPU after the fraction, instead of the memory budget"},
}};
constexpr std::array<std::string_view, 1> versionTable{"2026-08"};
constexpr std::array<ElementType, 5> typeTable{Bf16, Fp16, Fp32, Fp8, Nvfp4};

/// Sequences of replica `index`: the first (sequences mod replicas) serve one more.
Count sequencesOf(const Deployment &d, const Pools &p, std::int64_t index) {
    return Count(d.sequences.value / p.replicas + (index < d.sequences.value % p.replicas ? 1 : 0));
}

/// Ranks hold the same KV: more of them than KV heads, or a latent, which every rank keeps whole.
bool repeatsKv(const ModelSpec &model, std::int64_t tp) {
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const auto *full = std::get_if<FullAttention>(&part); (full && tp > full->heads.kvHeads) || (tp > 1 && kindOf(part) == CacheKind::Latent))
                return true;
    return false;
}

void fillGpus(const Deployment &d, const Pools &p, Plan &plan) {
    for (std::int64_t index = 0; index < d.gpus; ++index) {
        GpuPlan gpu = gpuAtRank(d, index, p.ranks);
        const auto stage = static_cast<std::size_t>(gpu.pp);
        gpu.band = p.ranks[stage].band;
        gpu.kv = p.demand(stage, sequencesOf(d, p, p.attentionDp ? gpu.tp + d.tp * gpu.dp : gpu.dp));
        gpu.kvReserved = p.reserved(stage);
        gpu.free = p.ranks[stage].available - gpu.kv;
        gpu.kvReplicated = !p.attentionDp && repeatsKv(*d.model, d.tp);
        plan.kv.total += gpu.kv;
        plan.gpus.push_back(std::move(gpu));
    }
}

bool holds(const Deployment &d, const Pools &p) {
    const std::optional<std::int64_t> most = p.mostPerReplica();
    const bool room = std::ranges::all_of(p.ranks, [](const tensorrtllm::RankBudget &rank) { return rank.available >= Bytes(0); });
    return room && (!most || p.fullest(d).value <= *most);
}

/// Slots of states are as many as the sequences asked for, unless max_batch_size says how many: what is left for the pools, and so the most
/// sequences, hangs on the number asked for. The most is where both meet: so many fit when so many are asked for, and one more does not.
std::optional<std::int64_t> mostAsked(const Deployment &d, const Pools &p) {
    const std::optional<std::int64_t> most = p.mostPerReplica();
    const bool ownSlots = std::ranges::any_of(p.cells.stages, [](const auto &stage) { return stage.slot > Bytes(0); });
    if (!ownSlots || OptionReader(d.scenario->engine.options).has("max_batch_size"))
        return most ? std::optional(checked::mul(*most, p.replicas)) : std::nullopt;
    const auto holdsAsked = [&](std::int64_t sequences) {
        Deployment asked = d;
        asked.sequences = Count(sequences);
        const Pools pools = poolsOf(asked);
        return !pools.refusal && holds(asked, pools);
    };
    Deployment one = d;
    one.sequences = Count(1);
    const std::optional<std::int64_t> atMost = poolsOf(one).mostPerReplica(); // the fewest slots leave the most room
    if (!atMost)
        return std::nullopt;
    std::int64_t low = 0, high = checked::add(checked::mul(*atMost, p.replicas), 1);
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holdsAsked(middle) ? low : high) = middle;
    }
    return low;
}

void fillFit(const Deployment &d, const Pools &p, Plan &plan) {
    Bytes least = p.ranks.front().available;
    for (const tensorrtllm::RankBudget &rank : p.ranks)
        least = std::min(least, rank.available);
    plan.fit.kvBudget = least * d.gpus;
    const std::optional<std::int64_t> most = p.mostPerReplica();
    plan.fit.maxSequences = mostAsked(d, p);
    plan.fit.fits = least >= Bytes(0) && (!most || p.fullest(d).value <= *most);
    if (!p.blocks.empty())
        plan.fit.kvCapacityTokens = checked::mul(checked::mul(p.blocks.front(), p.tokensPerBlock), p.replicas);
    if (!plan.fit.fits)
        plan.fit.limit = p.limitInWords();
    if (const Bytes band = p.ranks.front().band; band > Bytes(0)) {
        plan.fit.estimate = true;
        plan.fit.uncertain = plan.fit.uncertain || holds(d, poolsOf(d, Bytes(0) - band)) != holds(d, poolsOf(d, band));
    }
}

/// A block of each pool on the stage where it is largest. Both figures of a pair are of one pool: the first, which keeps the most of a sequence.
void reportPools(const Pools &p, Plan &plan) {
    std::vector<std::int64_t> bytes(p.blocks.size()), windows(p.blocks.size());
    for (const tensorrtllm::StageCells &stage : p.cells.stages)
        for (std::size_t i = 0; i < stage.pools.size(); ++i) {
            bytes[i] = std::max(bytes[i], (stage.pools[i].perToken * p.tokensPerBlock).value);
            windows[i] = stage.pools[i].window;
        }
    plan.engine.values.emplace_back("bytes_per_block", bytes.empty() ? std::int64_t{0} : bytes.front());
    plan.engine.values.emplace_back("blocks", p.blocks.empty() ? std::int64_t{0} : p.blocks.front());
    plan.engine.values.emplace_back("tokens_per_block", p.tokensPerBlock);
    if (p.blocks.size() < 2)
        return;
    plan.engine.values.emplace_back("windows", std::move(windows));
    plan.engine.values.emplace_back("blocks_by_window", p.blocks);
    plan.engine.values.emplace_back("bytes_per_block_by_window", std::move(bytes));
}

void fillFigures(const Deployment &d, const Pools &p, Plan &plan) {
    const Payload payload(*d.model, d.types, OptionReader(d.scenario->engine.options).whole("draft_layers").value_or(0));
    plan.kv.perToken = payload.perToken();
    plan.kv.perTokenMarginal = payload.marginal(d.context);
    plan.kv.fixedPerSequence = payload.fixed();
    plan.kv.perSequence = payload.at(d.context);
    plan.derivation = payload.derivation(d.context);
    Bytes slot;
    for (std::size_t stage = 0; stage < p.cells.stages.size(); ++stage) {
        plan.kv.perTokenPerGpu = std::max(plan.kv.perTokenPerGpu, p.cells.stages[stage].perToken());
        // Without the prefix: what one sequence alone takes.
        Pools alone = p;
        std::ranges::fill(alone.shared, 0);
        plan.kv.perSequencePerGpu = std::max(plan.kv.perSequencePerGpu, alone.demand(stage, Count(1)));
        slot = std::max(slot, p.cells.stages[stage].slot);
        plan.weights.perGpu = std::max(plan.weights.perGpu, p.ranks[stage].weights);
    }
    plan.engine.version = versionTable.front();
    reportPools(p, plan);
    if (slot > Bytes(0))
        plan.engine.values.emplace_back("state_bytes_per_slot", slot.value);
    const bool states = std::ranges::any_of(p.cells.stages, [](const auto &stage) { return stage.slot > Bytes(0); });
    if (states && OptionReader(d.scenario->engine.options).whole("draft_layers").value_or(0) > 0) {
        plan.warnings.push_back(warningNote("draft-states-not-counted", "engine.options.draft_layers",
                                            "While it drafts TensorRT-LLM keeps a copy of a request's states for every drafted token; these are not planned, so that less room is left than shown."));
        plan.fit.uncertain = true;
    }
    if (p.cells.windowsInFull)
        plan.warnings.push_back(infoNote("windows-at-full-length", "engine.options.max_attention_window",
                                         "TensorRT-LLM takes windows from the model only where sliding layers stand beside others, and chunks never: layers whose window or chunk it does not take are kept at full length."));
    if (p.blocks.size() > 1)
        plan.warnings.push_back(warningNote("windows-not-checked", "engine.id",
                                            "Several windows share the memory in equal parts; this rule of TensorRT-LLM is read from its source, not held against a log."));
}

class TensorRtLlm final : public Engine {
public:
    std::string_view id() const override { return "tensorrt-llm"; }
    std::string_view name() const override { return "TensorRT-LLM"; }
    std::span<const std::string_view> versions() const override { return versionTable; }
    std::span<const EngineOption> options() const override { return optionTable; }
    std::span<const ElementType> kvTypes() const override { return typeTable; }
    CacheTypes automaticTypes(const ModelSpec &model, const Scenario &) const override {
        const ElementType own = model.kvHint != Auto && std::ranges::find(typeTable, model.kvHint) != typeTable.end() ? model.kvHint : model.dtype;
        return {own, own, model.dtype};
    }
    Bytes memoryOf(const Gpu &gpu, Notes &warnings) const override { return frameworkMemory(gpu, warnings); }
    std::string_view overflow() const override { return "queues it"; }

    std::vector<BudgetRow> budgetOf(const Deployment &d, const GpuPlan &gpu) const override {
        std::vector<BudgetRow> rows{{"reserve", "Withheld by free_gpu_memory_fraction", gpu.reserve, Certainty::Exact, {}, "engine.options.free_gpu_memory_fraction"}};
        if (d.availableKv)
            rows.push_back({"overhead", "What remains beside weights and the KV given", gpu.overhead, Certainty::ByHand, {}, "engine.options.available_kv_bytes"});
        else
            rows.push_back({"peak", "Profiling peak beside the weights", ownOverhead(gpu), gpu.band > Bytes(0) ? Certainty::Estimate : Certainty::ByHand, gpu.band,
                            "engine.options.overhead_bytes"});
        return rows;
    }

    bool fits(const Deployment &d) const override {
        const Pools p = poolsOf(d);
        return !p.refusal && holds(d, p);
    }

    void plan(const Deployment &d, Plan &plan) const override {
        const Pools p = poolsOf(d);
        plan.refusal = p.refusal;
        if (plan.refusal)
            return;
        plan.replicas = p.replicas;
        fillFigures(d, p, plan);
        plan.replicasAtExperts = p.attentionDp ? d.tp : 1;
        fillGpus(d, p, plan);
        fillFit(d, p, plan);
    }

    std::optional<std::int64_t> minGpus(const Deployment &d) const override {
        // Layers dealt by hand say nothing about another number of stages.
        return OptionReader(d.scenario->engine.options).list("layer_partition").empty() ? fewestGpusByRanks(*this, d, d.dp) : std::nullopt;
    }

    std::optional<std::int64_t> maxContext(const Deployment &d) const override {
        if (Payload(*d.model, d.types).empty())
            return std::nullopt;
        return longestContextOf(d, poolsOf(d), holds);
    }
};

} // namespace

const Engine &tensorRtLlmEngine() {
    static const TensorRtLlm engine;
    return engine;
}

} // namespace kv
