// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp.h"

#include "core/base/quantity.h"
#include "core/engine/gpumemory.h"
#include "core/engine/llamacpp/devices.h"
#include "core/engine/longest.h"
#include "core/engine/options.h"
#include "core/engine/rankweights.h"
#include "core/plan/payload.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum ElementType;
using namespace llamacpp;

constexpr auto optionTable = std::to_array<EngineOption>({
    {"version", OptionKind::Word, "v0.5.0", "the release whose rules are counted", "v0.5.0"},
    {"n_ctx", OptionKind::Whole, "context × sequences", "cells asked for (-c); 0: the trained length"},
    {"n_parallel", OptionKind::Whole, "the sequences", "slots (-np), at most 256"},
    {"kv_unified", OptionKind::Bool, "false", "one pool of cells for all slots (-kvu)"},
    {"swa_full", OptionKind::Bool, "false", "window layers keep every token (--swa-full)"},
    {"flash_attn", OptionKind::Word, "auto", "flash attention (-fa)", "on off auto"},
    {"n_batch", OptionKind::Whole, "2048", "tokens of a batch (-b)"},
    {"n_ubatch", OptionKind::Whole, "512", "tokens of a micro batch (-ub)"},
    {"n_rs_seq", OptionKind::Whole, "0", "states kept for rolling back a draft"},
    {"fit_margin_bytes", OptionKind::Size, "1 GiB", "memory left free on each GPU (--fit-target)"},
    {"n_gpu_layers", OptionKind::Whole, "all", "layers on the GPUs, the output counted (-ngl)"},
    {"tensor_split", OptionKind::Shares, "by memory", "shares of the GPUs (-ts)"},
    {"no_kv_offload", OptionKind::Bool, "false", "the cache stays on the host (-nkvo)"},
    {"cpu_moe", OptionKind::Bool, "false", "all experts on the host"},
    {"n_cpu_moe", OptionKind::Whole, "0", "layers whose experts stay on the host"},
    {"host_memory_bytes", OptionKind::Size, "not checked", "memory of the host for the weights and caches that stay there"},
    {"draft_model", OptionKind::Word, "none", "a model of its own that drafts, by preset id or path (-md)"},
    {"compute_bytes", OptionKind::Size, "estimated", "compute buffer of each GPU, by hand, as the start-up log prints it"},
    {"available_kv_bytes", OptionKind::Size, "none", "bytes for KV on each GPU, instead of the memory budget"},
});
constexpr std::array<std::string_view, 1> versionTable{"v0.5.0"};
constexpr std::array<ElementType, 9> typeTable{Fp16, Bf16, Fp32, Q8_0, Q5_1, Q5_0, Q4_1, Q4_0, Iq4Nl};

std::int64_t slotsOf(const Deployment &d) {
    return OptionReader(d.scenario->engine.options).whole("n_parallel").value_or(d.sequences.value);
}

/// Whatever memory there is: it has neither data nor pipeline parallel copies, and each sequence needs a slot.
bool isPossible(const Deployment &d) { return d.dp == 1 && d.pp == 1 && d.sequences.value <= slotsOf(d); }

/// KV that a GPU can hold.
Bytes roomOf(const Deployment &d, const Devices &devices, std::size_t gpu) {
    return d.availableKv ? *d.availableKv
                         : d.memoryAt(gpu) - devices.margin - devices.gpus[gpu].weights - devices.gpus[gpu].draftWeights -
                               devices.gpus[gpu].compute - displayAt(d, gpu);
}

std::optional<Bytes> hostMemory(const Deployment &d) { return OptionReader(d.scenario->engine.options).size("host_memory_bytes"); }

bool hostHolds(const Deployment &d, const Devices &devices) {
    const std::optional<Bytes> memory = hostMemory(d);
    const Bytes taken = devices.host.weights + devices.host.kv;
    return taken.inRange() && (!memory || taken <= *memory);
}

bool placed(const Deployment &d, const Devices &devices) {
    if (!hostHolds(d, devices))
        return false;
    for (std::size_t i = 0; i < devices.gpus.size(); ++i) {
        const Bytes budget = roomOf(d, devices, i);
        const bool idle = devices.gpus[i].weights == Bytes(0) && devices.gpus[i].draftWeights == Bytes(0) && devices.gpus[i].kv == Bytes(0);
        if (!budget.inRange() || !devices.gpus[i].kv.inRange() || (!idle && devices.gpus[i].kv > budget))
            return false;
    }
    return true;
}

Devices allOf(const Deployment &d, const Placement &placement, const Context &cells) {
    Devices devices = devicesOf(d, placement, cells);
    addDraft(d, cells, devices);
    return devices;
}

bool grows(const Layers &layers) {
    return std::ranges::any_of(layers.list, [](const Layer &layer) { return layer.created; });
}

/// Sequences of `context` tokens for which there are cells: of one pool as many as it holds, else one in each slot that is long enough.
std::int64_t seated(const Layers &layers, const Settings &s, std::int64_t context) {
    const std::int64_t slots = std::max<std::int64_t>(0, s.slots);
    if (!grows(layers))
        return slots;
    if (!s.unified)
        return context <= s.nCtxSeq ? slots : 0;
    return std::min(slots, s.nCtxSeq / context);
}

/// Whether `sequences` of `context` tokens in that many slots get their cells, and the cells their memory.
bool holds(const Deployment &d, const Layers &layers, const Placement &placement, std::int64_t slots, std::int64_t sequences, std::int64_t context) {
    if (seated(layers, settingsOf(d, layers, slots, context), context) < sequences)
        return false;
    const Context cells = contextOf(d, layers, slots, context);
    return !cells.refusal && placed(d, allOf(d, placement, cells));
}

/// With slots given there are so many, and their cells are made whether used or not: all of them fit or the server does not start. With
/// n_ctx given its cells are divided among the slots and rounded up, so that more slots can take less: each number is tried, from the most
/// where the sequences asked for hold, else only fewer than these.
std::int64_t mostSequences(const Deployment &d, const Layers &layers, const Placement &placement) {
    const OptionReader options(d.scenario->engine.options);
    const std::int64_t context = d.context.value;
    if (const std::optional<std::int64_t> slots = options.whole("n_parallel"))
        return holds(d, layers, placement, *slots, 0, context) ? seated(layers, settingsOf(d, layers, *slots, context), context) : 0;
    if (options.has("n_ctx")) {
        const std::int64_t asked = d.sequences.value;
        std::int64_t most = holds(d, layers, placement, asked, asked, context) ? mostSlots : std::min(mostSlots, asked - 1);
        while (most > 0 && !holds(d, layers, placement, most, most, context))
            --most;
        return most;
    }
    std::int64_t low = 0, high = mostSlots + 1;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (holds(d, layers, placement, middle, middle, context) ? low : high) = middle;
    }
    return low;
}

void fillDevices(const Deployment &d, const Devices &devices, Plan &plan) {
    for (std::size_t i = 0; i < devices.gpus.size(); ++i) {
        const DeviceShare &share = devices.gpus[i];
        GpuPlan gpu;
        gpu.index = static_cast<std::int64_t>(i);
        gpu.tp = gpu.index;
        gpu.gpu = d.unlike.empty() ? d.scenario->hardware.gpu : d.unlike[i].gpu->id;
        gpu.memory = d.memoryAt(i);
        gpu.reserve = devices.margin;
        gpu.weights = share.weights;
        gpu.kv = gpu.kvReserved = share.kv;
        gpu.display = d.availableKv ? Bytes(0) : displayAt(d, i);
        gpu.draftWeights = d.availableKv ? Bytes(0) : share.draftWeights;
        gpu.draftKv = share.draftKv;
        gpu.overhead = d.availableKv ? std::max(Bytes(0), gpu.memory - devices.margin - share.weights - *d.availableKv) : share.compute + gpu.display + share.draftWeights;
        gpu.band = d.availableKv ? Bytes(0) : share.computeBand;
        gpu.free = roomOf(d, devices, i) - share.kv;
        shareEvenly(d, true, gpu);
        plan.kv.total += share.kv;
        plan.fit.kvBudget += roomOf(d, devices, i);
        plan.weights.perGpu = std::max(plan.weights.perGpu, share.weights);
        plan.gpus.push_back(std::move(gpu));
    }
    plan.host = HostPlan{devices.host.weights, devices.host.kv, hostMemory(d), devices.lookedUp};
    plan.kv.total += devices.host.kv;
    // Tables that are looked up always lie on the host, and are mostly little; more, a cache or layers there are a machine of its own to buy.
    constexpr Bytes little{4 * gibibyte};
    if (!plan.host->memory && (devices.host.kv > Bytes(0) || devices.host.weights > std::min(devices.lookedUp, little)))
        plan.warnings.push_back(warningNote("host-not-checked", "engine.options.host_memory_bytes",
                                            "The host's memory takes " + writeBytes(plan.host->taken(), SizeUnit::Decimal) +
                                                " of weights and cache, and whether it has them is not checked: give what it has as host_memory_bytes."));
}

/// Layers are whole, so the GPU with the most cache holds more than an even share. A cache on the host is on no GPU.
void fillFullest(const Context &cells, const Devices &devices, Plan &plan) {
    Bytes fullest, own, all = devices.host.kv;
    for (const DeviceShare &share : devices.gpus) {
        fullest = std::max(fullest, share.kv);
        own = std::max(own, share.kv - share.draftKv);
        all += share.kv - share.draftKv;
    }
    plan.kv.perSequencePerGpu = Bytes(checked::ceilDiv(fullest.value, std::max<std::int64_t>(1, cells.settings.slots)));
    if (all > Bytes(0)) // what grows with every token lies where the cache lies
        plan.kv.perTokenPerGpu = Bytes(checked::mulDiv(plan.kv.perToken.value, own.value, all.value));
}

void fillFigures(const Deployment &d, const Context &cells, Plan &plan) {
    const Payload payload(*d.model, d.types);
    plan.kv.perToken = payload.perToken();
    plan.kv.perTokenMarginal = payload.marginal(d.context);
    plan.kv.fixedPerSequence = payload.fixed();
    plan.kv.perSequence = payload.at(d.context);
    plan.derivation = payload.derivation(d.context);
    plan.unitOfUser = "slot";
    plan.engine.version = versionTable.front();
    auto &values = plan.engine.values;
    values.emplace_back("n_ctx", cells.settings.nCtx);
    values.emplace_back("n_ctx_seq", cells.settings.nCtxSeq);
    values.emplace_back("kv_cache_bytes", cells.attention.value);
    values.emplace_back("recurrent_state_bytes", cells.state.value);
    values.emplace_back("context_bytes", cells.all().value);
}

/// Whether the verdict hangs on the estimate of the compute buffers.
void judgeEstimate(const Deployment &d, const Devices &devices, Plan &plan) {
    if (std::ranges::none_of(plan.gpus, [](const GpuPlan &gpu) { return gpu.band > Bytes(0); }))
        return;
    plan.fit.estimate = true;
    Devices worse = devices, better = devices;
    for (std::size_t i = 0; i < devices.gpus.size(); ++i) {
        worse.gpus[i].compute += plan.gpus[i].band;
        better.gpus[i].compute -= plan.gpus[i].band;
    }
    plan.fit.uncertain = plan.fit.uncertain || placed(d, worse) != placed(d, better);
}

/// What stands in the way besides bytes: the cells of a slot, or the slots.
std::string limitOf(const Deployment &d, const Layers &layers, const Context &cells, const Devices &devices) {
    if (!hostHolds(d, devices))
        return "The host has " + writeBytes(hostMemory(d).value_or(Bytes(0)), SizeUnit::Decimal) + " for weights and cache, and " +
               writeBytes(devices.host.weights + devices.host.kv, SizeUnit::Decimal) + " are to lie there.";
    const std::int64_t slots = std::max<std::int64_t>(1, slotsOf(d)), context = d.context.value;
    if (grows(layers) && cells.settings.unified && checked::mul(context, d.sequences.value) > cells.settings.nCtxSeq)
        return writeNumber(slots) + " slots share " + writeNumber(cells.settings.nCtxSeq) + " cells (n_ctx), and " + writeNumber(checked::mul(context, d.sequences.value)) + " are wanted.";
    if (grows(layers) && !cells.settings.unified && context > cells.settings.nCtxSeq)
        return "Each of " + writeNumber(slots) + " slots has " + writeNumber(cells.settings.nCtxSeq) + " cells; n_ctx " + writeNumber(cells.settings.nCtx) + " is divided among them.";
    if (d.sequences.value > slotsOf(d))
        return "n_parallel gives " + writeNumber(slotsOf(d)) + (slotsOf(d) == 1 ? " slot." : " slots.");
    return {};
}

class LlamaCpp final : public Engine {
public:
    bool loadsDrafts(const ModelSpec &model) const override { return keepsDrafts(model); }
    bool readsGguf() const override { return true; }
    std::string_view id() const override { return "llama-cpp"; }
    std::string_view name() const override { return "llama.cpp"; }
    std::span<const std::string_view> versions() const override { return versionTable; }
    std::span<const EngineOption> options() const override { return optionTable; }
    std::span<const ElementType> kvTypes() const override { return typeTable; }
    bool splitsKeyAndValueTypes() const override { return true; }
    CacheTypes automaticTypes(const ModelSpec &model, const Scenario &) const override { return {Fp16, Fp16, model.dtype}; }
    Bytes memoryOf(const Gpu &gpu, Notes &warnings) const override { return frameworkMemory(gpu, warnings); }
    std::string_view overflow() const override { return "waits until a slot is free"; }
    bool capacityIsRoom() const override { return false; }

    std::vector<BudgetRow> budgetOf(const Deployment &d, const GpuPlan &gpu) const override {
        std::vector<BudgetRow> rows{{"reserve", "Margin left free", gpu.reserve, Certainty::Exact, {}, "engine.options.fit_margin_bytes"}};
        const bool byHand = OptionReader(d.scenario->engine.options).has("compute_bytes");
        if (d.availableKv)
            rows.push_back({"overhead", "What remains beside weights and the KV given", gpu.overhead, Certainty::ByHand, {}, "engine.options.available_kv_bytes"});
        else
            rows.push_back({"compute", "Compute and output buffers", ownOverhead(gpu),
                            byHand ? Certainty::ByHand : gpu.band > Bytes(0) ? Certainty::Estimate : Certainty::Exact, gpu.band, "engine.options.compute_bytes"});
        return rows;
    }

    bool fits(const Deployment &d) const override {
        const Layers layers = layersOf(*d.model);
        return !layers.refusal && isPossible(d) && holds(d, layers, placementOf(d, layers), slotsOf(d), d.sequences.value, d.context.value);
    }

    Bytes totalKv(const Deployment &d) const override {
        const Layers layers = layersOf(*d.model);
        const Context cells = contextOf(d, layers, slotsOf(d), d.context.value);
        if (layers.refusal || cells.refusal)
            return Bytes::outOfRange();
        if (!d.draft)
            return cells.all();
        const Devices devices = allOf(d, placementOf(d, layers), cells);
        Bytes all = devices.host.kv;
        for (const DeviceShare &gpu : devices.gpus)
            all += gpu.kv;
        return all;
    }

    void plan(const Deployment &d, Plan &plan) const override {
        const Layers layers = layersOf(*d.model);
        plan.refusal = layers.refusal;
        if (!plan.refusal && (d.dp != 1 || d.pp != 1))
            plan.refusal = errorNote("impossible-parallel", "parallel",
                                     "parallel: llama.cpp has neither data nor pipeline parallel copies of its own; it splits the layers over the GPUs (tensor_split). Take dp 1 and pp 1.");
        if (plan.refusal)
            return;
        const Context cells = contextOf(d, layers, slotsOf(d), d.context.value);
        const Placement placement = placementOf(d, layers);
        const Devices devices = cells.refusal ? Devices{} : allOf(d, placement, cells);
        plan.refusal = cells.refusal ? cells.refusal : devices.refusal;
        if (plan.refusal)
            return;
        plan.warnings.insert(plan.warnings.end(), layers.warnings.begin(), layers.warnings.end());
        if (!d.model->sourceIsGguf && runsIn16Bit(d))
            plan.warnings.push_back(infoNote("runs-in-16-bit", "model", "llama.cpp's converter writes FP32 checkpoints in 16 bit."));
        fillFigures(d, cells, plan);
        fillDevices(d, devices, plan);
        fillFullest(cells, devices, plan);
        plan.fit.fits = holds(d, layers, placement, slotsOf(d), d.sequences.value, d.context.value);
        if (cells.all() > Bytes(0))
            plan.fit.maxSequences = mostSequences(d, layers, placement);
        if (plan.kv.perToken > Bytes(0))
            plan.fit.kvCapacityTokens = cells.settings.nCtx;
        judgeEstimate(d, devices, plan);
        if (!plan.fit.fits)
            plan.fit.limit = limitOf(d, layers, cells, devices);
        if (d.prefix > Tokens(0))
            plan.warnings.push_back(warningNote("prefix-not-shared", "workload.shared_prefix", "llama.cpp's slots share nothing: a common prefix is kept for each."));
    }

    /// The least number of alike cards over which the layers fit.
    std::optional<std::int64_t> minGpus(const Deployment &d) const override {
        constexpr std::int64_t most = 64;
        const OptionReader options(d.scenario->engine.options);
        if (d.availableKv || !options.shares("tensor_split").empty() || !d.unlike.empty())
            return std::nullopt;
        const Layers layers = layersOf(*d.model);
        if (layers.refusal || !isPossible(d))
            return std::nullopt;
        Deployment tried = d;
        for (std::int64_t count = 1; count <= most; ++count) {
            tried.tp = tried.gpus = count;
            if (holds(tried, layers, placementOf(tried, layers), slotsOf(d), d.sequences.value, d.context.value))
                return count;
        }
        return std::nullopt;
    }

    std::optional<std::int64_t> maxContext(const Deployment &d) const override {
        if (Payload(*d.model, d.types).empty())
            return std::nullopt;
        const Layers layers = layersOf(*d.model);
        if (layers.refusal || !isPossible(d))
            return 0; // no context fits, so that there is no search
        const Placement placement = placementOf(d, layers);
        return longestContext(d, [&](Tokens context) { return holds(d, layers, placement, slotsOf(d), d.sequences.value, context.value); });
    }
};

} // namespace

const Engine &llamaCppEngine() {
    static const LlamaCpp engine;
    return engine;
}

} // namespace kv
