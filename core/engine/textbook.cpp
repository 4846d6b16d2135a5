// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/textbook.h"

#include "core/base/quantity.h"
#include "core/engine/evensplit.h"
#include "core/engine/options.h"
#include "core/plan/payload.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum ElementType;

constexpr std::array<EngineOption, 3> optionTable{{
    {"draft_layers", OptionKind::Whole, "0", "layers of multi-token prediction that cache as well"},
    {"encoder_tokens", OptionKind::Whole, "the model's own", "tokens of the encoder that cross-attention keeps"},
    {"available_kv_bytes", OptionKind::Size, "none", "bytes for KV on each GPU, instead of the memory budget"},
}};

constexpr std::array<ElementType, 13> typeTable{Bf16, Fp16, Fp32, Fp8, Fp8E5m2, Int8, Int4, Q8_0, Q5_1, Q5_0, Q4_1, Q4_0, Iq4Nl};

/// All that the textbook needs to judge one deployment.
struct Sums {
    Payload payload;
    Bytes usable;        ///< of one GPU
    Bytes replicaBudget; ///< may be negative
    Bytes prefix;        ///< of one replica
    Bytes sequence;      ///< at the context
    Bytes fullestCache;  ///< of the fullest replica

    Bytes cacheOf(Count sequences) const { return prefix + (sequence - prefix) * sequences.value; }
};

std::int64_t gpusOfReplica(const Deployment &d) { return checked::mul(d.tp, d.pp); }

Sums sumsOf(const Deployment &d) {
    const OptionReader options(d.scenario->engine.options);
    std::optional<Tokens> encoder;
    if (const auto given = options.whole("encoder_tokens"))
        encoder = Tokens(*given);
    Sums s{Payload(*d.model, d.types, options.whole("draft_layers").value_or(0), encoder), {}, {}, {}, {}, {}};
    s.usable = Bytes(checked::mulDiv(d.memory.value, fractionOne - d.scenario->hardware.reserve, fractionOne)) - displayOf(d);
    s.replicaBudget = d.availableKv ? *d.availableKv * gpusOfReplica(d) : s.usable * gpusOfReplica(d) - d.weights;
    s.prefix = s.payload.prefix(d.prefix);
    s.sequence = s.payload.at(d.context);
    s.fullestCache = s.cacheOf(d.fullest());
    return s;
}

std::optional<std::int64_t> mostSequences(const Deployment &d, const Sums &s) {
    const Bytes each = s.sequence - s.prefix;
    if (s.prefix > std::max(Bytes(0), s.replicaBudget))
        return 0;
    if (each == Bytes(0))
        return std::nullopt;
    return checked::mul(d.dp, std::max<std::int64_t>(0, floorDiv(s.replicaBudget - s.prefix, each)));
}

/// The trap of the label: what a program gets of the card is another number in another unit.
void mindTheLabel(const Deployment &d, Plan &plan) {
    if (d.scenario->hardware.memory || !d.gpu || d.gpu->framework == Bytes(0) || d.gpu->framework == d.gpu->marketed)
        return;
    plan.warnings.push_back(infoNote("gb-vs-gib", "hardware.gpu",
                                     writeBytes(d.gpu->marketed, SizeUnit::Decimal) + " is what the box says. A program gets " +
                                         writeBytes(d.gpu->framework, SizeUnit::Binary) + " (" + writeBytes(d.gpu->framework, SizeUnit::Decimal) +
                                         ") of it; the engines count from that, the textbook from the label."));
}

/// On paper everything splits evenly; what no engine would start with is said.
void mindTheSplit(const Deployment &d, Plan &plan) {
    const ModelSpec &model = *d.model;
    if (d.pp > model.layerCount())
        plan.warnings.push_back(warningNote("no-engine-splits-so", "parallel.pp",
                                            "pp " + writeNumber(d.pp) + " is more than the model's " + writeNumber(model.layerCount()) +
                                                " layers: no engine would start so; the textbook splits everything evenly all the same."));
    if (model.queryHeads > 0 && model.queryHeads % d.tp != 0)
        plan.warnings.push_back(warningNote("no-engine-splits-so", "parallel.tp",
                                            "tp " + writeNumber(d.tp) + " does not divide the model's " + writeNumber(model.queryHeads) +
                                                " query heads: no engine would start so; the textbook splits everything evenly all the same."));
}

/// Keys and values of the least heads in any layer that caches every token; 0: there are none.
std::int64_t leastKvHeads(const ModelSpec &model) {
    std::int64_t least = 0;
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const auto *full = std::get_if<FullAttention>(&part); full && full->heads.kvHeads > 0)
                least = least == 0 ? full->heads.kvHeads : std::min(least, full->heads.kvHeads);
    return least;
}

/// Engines keep copies where tensor parallelism goes beyond what can be cut; on paper there is one.
void mindTheCopies(const Deployment &d, Plan &plan) {
    const bool latent = std::ranges::any_of(d.model->shapes, [](const LayerShape &shape) {
        return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::Latent; });
    });
    const std::int64_t heads = leastKvHeads(*d.model);
    std::string why;
    if (latent && d.tp > 1)
        why = "engines keep the latent whole on each of the " + writeNumber(d.tp) + " GPUs of a tensor-parallel group";
    else if (heads > 0 && d.tp > heads)
        why = "tp " + writeNumber(d.tp) + " is more than the " + writeNumber(heads) + (heads == 1 ? " KV head" : " KV heads") + ", and engines keep copies of them";
    if (!why.empty())
        plan.warnings.push_back(warningNote("one-copy-counted", "parallel.tp", "The textbook counts one copy of the cache; " + why + ": count like an engine to see what that takes."));
}

class Textbook final : public Engine {
public:
    std::string_view id() const override { return "textbook"; }
    std::string_view name() const override { return "Textbook formula"; }
    std::span<const EngineOption> options() const override { return optionTable; }
    std::span<const ElementType> kvTypes() const override { return typeTable; }
    std::string_view overflow() const override { return "is beyond the memory"; }

    // A hint in the checkpoint is offered, not followed: on paper a cache is 16 bit until somebody says otherwise.
    CacheTypes automaticTypes(const ModelSpec &model, const Scenario &) const override { return {Bf16, Bf16, model.dtype}; }

    Bytes memoryOf(const Gpu &gpu, Notes &) const override { return gpu.marketed; }

    bool fits(const Deployment &d) const override {
        const Sums s = sumsOf(d);
        return s.fullestCache.inRange() && s.replicaBudget.inRange() && s.fullestCache <= s.replicaBudget;
    }

    Bytes totalKv(const Deployment &d) const override {
        const Sums s = sumsOf(d);
        return s.prefix * d.dp + (s.sequence - s.prefix) * d.sequences.value;
    }

    void plan(const Deployment &d, Plan &plan) const override {
        const Sums s = sumsOf(d);
        const std::int64_t ways = gpusOfReplica(d);
        plan.kv.perToken = s.payload.perToken();
        plan.kv.perTokenMarginal = s.payload.marginal(d.context);
        plan.kv.fixedPerSequence = s.payload.fixed();
        plan.kv.perSequence = s.sequence;
        plan.kv.perTokenPerGpu = Bytes(checked::ceilDiv(plan.kv.perToken.value, ways));
        plan.kv.perSequencePerGpu = Bytes(checked::ceilDiv(s.sequence.value, ways));
        plan.weights.perGpu = Bytes(checked::ceilDiv(d.weights.value, ways));
        plan.derivation = s.payload.derivation(d.context);
        splitEvenly(d, plan, [&](Count sequences) { return s.cacheOf(sequences); }, s.usable);

        mindTheSplit(d, plan);
        mindTheCopies(d, plan);
        mindTheLabel(d, plan);
        plan.fit.kvBudget = s.replicaBudget * d.dp;
        plan.fit.fits = s.fullestCache <= s.replicaBudget;
        plan.fit.maxSequences = mostSequences(d, s);
        if (plan.kv.perToken.inRange() && plan.kv.perToken > Bytes(0))
            plan.fit.kvCapacityTokens = checked::mul(d.dp, std::max<std::int64_t>(0, floorDiv(s.replicaBudget, plan.kv.perToken)));
    }

    std::optional<std::int64_t> minGpus(const Deployment &d) const override {
        const Sums s = sumsOf(d);
        return fewestGpusEvenly(d, s.usable, s.fullestCache);
    }

    std::optional<std::int64_t> maxContext(const Deployment &d) const override {
        const OptionReader options(d.scenario->engine.options);
        if (Payload(*d.model, d.types, options.whole("draft_layers").value_or(0)).empty())
            return std::nullopt; // nothing is cached: the context costs nothing here
        return Engine::maxContext(d);
    }
};

} // namespace

const Engine &textbookEngine() {
    static const Textbook engine;
    return engine;
}

} // namespace kv
