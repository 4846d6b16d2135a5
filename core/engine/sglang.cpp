// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/sglang.h"

#include "core/base/units.h"
#include "core/engine/fewest.h"
#include "core/engine/gpumemory.h"
#include "core/engine/longest.h"
#include "core/engine/options.h"
#include "core/engine/rankplace.h"
#include "core/engine/rankweights.h"
#include "core/engine/sglang/pools.h"
#include "core/hardware/generation.h"
#include "core/plan/payload.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum ElementType;
using sglang::Pools;
using sglang::poolsOf;

constexpr std::array<EngineOption, 21> optionTable{{
    {"version", OptionKind::Word, "2026-08", "the release whose rules are counted", "2026-08"},
    {"mem_fraction_static", OptionKind::Fraction, "by the card and the batch", "share of the memory for weights and KV"},
    {"page_size", OptionKind::Whole, "1; 64 with a sparse indexer", "tokens of one page"},
    {"swa_full_tokens_ratio", OptionKind::Ratio, "0.8", "tokens of the window pool for each of the full pool"},
    {"enable_dp_attention", OptionKind::Bool, "false", "attention data parallelism inside the tensor-parallel group"},
    {"decode_context_parallel", OptionKind::Whole, "1", "ranks that share the tokens of a sequence"},
    {"draft_layers", OptionKind::Whole, "0", "draft or MTP layers that cache as well"},
    {"conv_dtype", OptionKind::Type, "bf16", "type of the states' convolution part"},
    {"ssm_dtype", OptionKind::Type, "as the config hints, else fp32", "type of the states' recurrent part"},
    {"max_running_requests", OptionKind::Whole, "by the tokens, 2,048 to 4,096", "most sequences of a replica"},
    {"chunked_prefill_size", OptionKind::Whole, "by the card", "tokens of one prefill chunk, for the default memory share"},
    {"cuda_graph_max_bs", OptionKind::Whole, "by the card", "largest batch with a CUDA graph, for the default memory share"},
    {"mamba_full_memory_ratio", OptionKind::Ratio, "0.9", "memory of states for each of the full pool"},
    {"max_mamba_cache_size", OptionKind::Whole, "by the memory", "slots of states"},
    {"disable_radix_cache", OptionKind::Bool, "false", "share no prefixes"},
    {"enable_lora", OptionKind::Bool, "false", "serve LoRA adapters; room for them is set aside at start"},
    {"max_loras_per_batch", OptionKind::Whole, "8", "adapters in one batch, the plain model counted: slots that are set aside"},
    {"max_lora_rank", OptionKind::Whole, "of the adapters named", "largest rank of an adapter"},
    {"draft_model", OptionKind::Word, "none", "a model of its own that drafts, by preset id or path (--speculative-draft-model-path)"},
    {"overhead_bytes", OptionKind::Size, "0", "memory of the share that neither weights nor KV get, by hand"},
    {"available_kv_bytes", OptionKind::Size, "none", "bytes for KV on each GPU, instead of the memory budget"},
}};
constexpr std::array<std::string_view, 1> versionTable{"2026-08"};
constexpr std::array<ElementType, 6> typeTable{Bf16, Fp8, Fp8E5m2, Mxfp8, Nvfp4, Fp4MxBlock16};

// The default memory share is a rule of thumb of the engine's; what it leaves may be off by this much each way.
constexpr Bytes band{512 * mebibyte};

bool dpAttention(const Scenario &scenario) { return OptionReader(scenario.engine.options).boolean("enable_dp_attention").value_or(false); }

/// With DP attention replica r owns the GPUs r × tp ÷ dp … of each stage.
std::int64_t replicaOf(const Deployment &d, const GpuPlan &gpu) {
    return dpAttention(*d.scenario) ? gpu.tp / std::max<std::int64_t>(1, d.tp / d.dp) : gpu.dp;
}

void fillGpus(const Deployment &d, const Pools &p, Plan &plan) {
    std::int64_t heads = 0;
    for (const LayerShape &shape : d.model->shapes)
        for (const CachePart &part : shape.parts)
            if (const auto *full = std::get_if<FullAttention>(&part))
                heads = std::max(heads, full->heads.kvHeads);
    const bool replicated = (p.cells.latent && p.cells.attentionTp > p.cells.dcp) || (heads > 0 && p.cells.attentionTp / p.cells.dcp > heads);
    for (std::int64_t index = 0; index < d.gpus; ++index) {
        GpuPlan gpu = gpuAtRank(d, index, p.ranks);
        gpu.dp = replicaOf(d, gpu);
        const auto stage = static_cast<std::size_t>(gpu.pp);
        gpu.adapters = p.ranks[stage].adapters;
        gpu.draftWeights = p.ranks[stage].draftWeights;
        gpu.band = d.availableKv ? Bytes(0) : band;
        gpu.kv = p.demand(stage, Count(d.sequences.value / d.dp + (gpu.dp < d.sequences.value % d.dp ? 1 : 0)));
        if (d.draft) // sized as so many layers of the model's own shape
            gpu.draftKv = Bytes(checked::mulDiv(gpu.kv.value, d.draft->layerCount(), checked::add(d.draft->layerCount(), d.model->layerCount())));
        gpu.kvReserved = p.reserved(stage);
        gpu.free = p.ranks[stage].available - gpu.kv;
        gpu.kvReplicated = replicated;
        plan.kv.total += gpu.kv;
        plan.gpus.push_back(std::move(gpu));
    }
}

bool holds(const Deployment &d, const Pools &p) {
    const std::optional<std::int64_t> most = p.mostPerReplica();
    return p.leastAvailable() >= Bytes(0) && (!most || d.fullest().value <= *most);
}

void fillFit(const Deployment &d, const Pools &p, Plan &plan) {
    const Bytes least = p.leastAvailable();
    plan.fit.kvBudget = least * d.gpus;
    if (const std::optional<std::int64_t> most = p.mostPerReplica())
        plan.fit.maxSequences = checked::mul(*most, d.dp);
    plan.fit.fits = holds(d, p);
    if (!plan.fit.fits)
        plan.fit.limit = p.limitInWords();
    if (p.cells.fullLayers || p.cells.window > 0)
        plan.fit.kvCapacityTokens = checked::mul(checked::mul(p.cells.fullLayers ? p.fullTokens : p.windowTokens, p.cells.dcp), d.dp);
    if (d.availableKv)
        return;
    plan.fit.estimate = true;
    plan.fit.uncertain = plan.fit.uncertain || holds(d, poolsOf(d, Bytes(0) - band)) != holds(d, poolsOf(d, band));
}

void fillFigures(const Deployment &d, const Pools &p, Plan &plan) {
    const Payload payload(*d.model, d.types, OptionReader(d.scenario->engine.options).whole("draft_layers").value_or(0));
    plan.kv.perToken = payload.perToken();
    plan.kv.perTokenMarginal = payload.marginal(d.context);
    plan.kv.fixedPerSequence = payload.fixed();
    plan.kv.perSequence = payload.at(d.context);
    plan.derivation = payload.derivation(d.context);
    Pools alone = p;
    alone.shared = 0;
    for (std::size_t stage = 0; stage < p.cells.stages.size(); ++stage) {
        plan.kv.perTokenPerGpu = std::max(plan.kv.perTokenPerGpu, p.cells.stages[stage].all());
        plan.kv.perSequencePerGpu = std::max(plan.kv.perSequencePerGpu, alone.demand(stage, Count(1)));
        plan.weights.perGpu = std::max(plan.weights.perGpu, p.ranks[stage].weights);
    }
    EngineReport &report = plan.engine;
    report.version = versionTable.front();
    if (p.cells.window == 0)
        report.values.emplace_back("cell_size_bytes", plan.kv.perTokenPerGpu.value);
    report.values.emplace_back("max_total_num_tokens", p.cells.fullLayers ? p.fullTokens : p.windowTokens);
    if (p.cells.window > 0) {
        report.values.emplace_back("full_tokens", p.fullTokens);
        report.values.emplace_back("swa_tokens", p.windowTokens);
    }
    if (const Bytes state = p.mostState(); state > Bytes(0))
        report.values.emplace_back("state_bytes_per_request", state.value);
}

void warn(const Deployment &d, const Pools &p, Plan &plan) {
    if (runsIn16Bit(d))
        plan.warnings.push_back(infoNote("runs-in-16-bit", "model", "SGLang runs FP32 checkpoints in 16 bit."));
    if (d.prefix > Tokens(0) && !p.radix)
        plan.warnings.push_back(warningNote("prefix-not-shared", "workload.shared_prefix", "Without the radix cache SGLang shares no prefix: it is kept for every sequence."));
    if (d.prefix > Tokens(0) && p.radix && p.cells.encoder > 0)
        plan.warnings.push_back(warningNote("prefix-not-shared", "workload.shared_prefix",
                                            "SGLang keeps the encoder's tokens before the text, so that sequences with other pictures or sounds share no prefix: it is kept for every sequence."));
    const OptionReader options(d.scenario->engine.options);
    const bool lora = options.boolean("enable_lora").value_or(false);
    if (lora && !options.has("max_lora_rank"))
        plan.warnings.push_back(warningNote("rank-assumed", "engine.options.max_lora_rank",
                                            "SGLang takes the largest rank of the adapters it is started with; without max_lora_rank 16 is assumed here."));
    if (!lora && (options.has("max_loras_per_batch") || options.has("max_lora_rank")))
        plan.warnings.push_back(warningNote("lora-off", "engine.options.enable_lora", "Without enable_lora there are no LoRA slots: their settings have no effect."));
    // server_args.py: 1,536 MiB more are reserved for the piecewise prefill graphs of MLA; whether they are captured hangs on the release and its flags.
    if (p.cells.latent && !options.has("mem_fraction_static") && !d.availableKv)
        plan.warnings.push_back(warningNote("prefill-graphs-not-counted", "engine.options.mem_fraction_static",
                                            "Where SGLang captures prefill graphs of a latent model, its default share is less by 1.5 GiB; they are not counted: give mem_fraction_static as the server prints it."));
    const bool indexed = std::ranges::any_of(d.model->shapes, [](const LayerShape &shape) {
        return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::Index; });
    });
    if (indexed && !p.cells.latent)
        plan.warnings.push_back(warningNote("index-keys-unchecked", "model", "How SGLang stores the index keys beside this model's attention is not known for certain; they are counted in 16 bit."));
    if (p.mostState() > Bytes(0) && (d.draft || options.whole("draft_layers").value_or(0) > 0)) {
        // kv_cache_configurator.py: (requests + 1) × draft tokens of them; how many tokens a step drafts is no option here.
        plan.warnings.push_back(warningNote("draft-states-not-counted", "engine.options.draft_layers",
                                            "While it drafts SGLang keeps a copy of a request's states for every drafted token; these are not planned, so that less room is left than shown."));
        plan.fit.uncertain = true;
    }
    if (p.cells.window > 0 && p.cells.fullLayers && p.maxRunningGiven && !p.radix && !p.windowByRequests)
        plan.warnings.push_back(warningNote("window-pool-by-requests", "engine.options.max_running_requests",
                                            "With max_running_requests and without the radix cache SGLang sizes the window pool by the requests and the tokens that they draft; planned is its usual share, swa_full_tokens_ratio."));
    if (p.windowTooSmall())
        plan.warnings.push_back(warningNote("window-pool-too-small", "engine.options.swa_full_tokens_ratio",
                                            "The window pool of " + std::to_string(p.windowTokens) + " tokens does not hold one window of " + std::to_string(p.cells.window) +
                                                ": SGLang refuses to start; raise swa_full_tokens_ratio or the memory."));
}

class Sglang final : public Engine {
public:
    std::string_view id() const override { return "sglang"; }
    std::string_view name() const override { return "SGLang"; }
    std::span<const std::string_view> versions() const override { return versionTable; }
    std::span<const EngineOption> options() const override { return optionTable; }
    std::span<const ElementType> kvTypes() const override { return typeTable; }
    bool dpInsideTp(const Scenario &scenario) const override { return dpAttention(scenario); }
    /// Sparse latents by the card alone, before the checkpoint is read: FP8 from compute capability 10 on, else 16 bit (arg_groups/overrides.py
    /// _dsa_kv_cache_dtype_default). Else the model's type, or the checkpoint's hint of FP8, the only one that configure_kv_cache_dtype takes.
    CacheTypes automaticTypes(const ModelSpec &model, const Scenario &scenario) const override {
        const Gpu *gpu = findGpu(scenario.hardware.gpu);
        const bool blackwell = gpu && generationOf(*gpu) == Generation::Blackwell;
        const ElementType own = (sglang::hasSparseLatents(model) ? blackwell : model.kvHint == Fp8) ? Fp8 : Bf16;
        return {own, own, model.dtype};
    }
    Bytes memoryOf(const Gpu &gpu, Notes &warnings) const override { return frameworkMemory(gpu, warnings); }
    std::string_view overflow() const override { return "queues it"; }

    std::vector<BudgetRow> budgetOf(const Deployment &d, const GpuPlan &gpu) const override {
        const bool byHand = OptionReader(d.scenario->engine.options).has("mem_fraction_static");
        std::vector<BudgetRow> rows{{"reserve", "Left out of mem_fraction_static, for activations and graphs", gpu.reserve,
                                     byHand ? Certainty::ByHand : Certainty::Exact, {}, "engine.options.mem_fraction_static"}};
        if (d.availableKv)
            rows.push_back({"overhead", "What remains beside weights and the KV given", gpu.overhead, Certainty::ByHand, {}, "engine.options.available_kv_bytes"});
        else // the engine counts from what is free before it loads, which the planner takes to be the whole
            rows.push_back({"overhead", "Taken before the model loads", ownOverhead(gpu), Certainty::Estimate, band, "engine.options.available_kv_bytes"});
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
        fillFigures(d, p, plan);
        plan.replicasAtExperts = dpAttention(*d.scenario) ? d.dp : 1; // attention alone is in data parallel there
        fillGpus(d, p, plan);
        fillFit(d, p, plan);
        warn(d, p, plan);
    }

    std::optional<std::int64_t> minGpus(const Deployment &d) const override {
        return fewestGpusByRanks(*this, d, dpAttention(*d.scenario) ? 1 : d.dp);
    }

    std::optional<std::int64_t> maxContext(const Deployment &d) const override {
        if (Payload(*d.model, d.types).empty())
            return std::nullopt;
        return longestContextOf(d, poolsOf(d), holds);
    }
};

} // namespace

const Engine &sglangEngine() {
    static const Sglang engine;
    return engine;
}

} // namespace kv
