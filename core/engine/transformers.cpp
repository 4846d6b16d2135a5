// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/transformers.h"

#include "core/engine/evensplit.h"
#include "core/engine/gpumemory.h"
#include "core/engine/options.h"
#include "core/plan/payload.h"

#include <algorithm>
#include <array>

namespace kv {

namespace {

using enum ElementType;

constexpr std::array<EngineOption, 5> optionTable{{
    {"version", OptionKind::Word, "2026-08", "the release whose rules are counted", "2026-08"},
    {"cache", OptionKind::Word, "dynamic", "which cache generate() uses", "dynamic static"},
    {"max_cache_len", OptionKind::Whole, "the context", "tokens that a static cache is made for"},
    {"encoder_tokens", OptionKind::Whole, "the model's own", "tokens of the encoder that cross-attention keeps"},
    {"available_kv_bytes", OptionKind::Size, "none", "bytes for KV on each GPU, instead of the memory budget"},
}};
constexpr std::array<std::string_view, 1> versionTable{"2026-08"};
constexpr std::array<ElementType, 3> typeTable{Bf16, Fp16, Fp32};

/// The tensors of one sequence, layer by layer, as the cache classes shape them.
class Tensors {
public:
    explicit Tensors(const Deployment &d) : m_d(d) {
        const OptionReader options(d.scenario->engine.options);
        m_static = options.word("cache").value_or("dynamic") == "static";
        m_staticLength = options.whole("max_cache_len").value_or(d.context.value);
        if (const auto given = options.whole("encoder_tokens"))
            m_encoder = Tokens(*given);
        for (const LayerShape &shape : d.model->shapes)
            for (const CachePart &part : shape.parts)
                m_expanded = m_expanded || kindOf(part) == CacheKind::Index;
    }

    bool isStatic() const { return m_static; }
    std::int64_t staticLength() const { return m_staticLength; }
    bool expanded() const { return m_expanded; } ///< K and V of all heads instead of the latent

    Bytes sequence(Tokens context) const {
        const std::int64_t full = m_static ? m_staticLength : context.value;
        return sum([&](const CachePart &part) { return tokenBytesOf(part) * kept(part, full) + fixedOf(part); });
    }
    Bytes perToken() const {
        return sum([&](const CachePart &part) { return tokenBytesOf(part); });
    }

private:
    template <typename Each>
    Bytes sum(Each &&each) const {
        Bytes all;
        for (const LayerShape &shape : m_d.model->shapes)
            for (const CachePart &part : shape.parts)
                all += each(part) * shape.count;
        return all;
    }

    Bytes tokenBytesOf(const CachePart &part) const {
        if (const auto *latent = std::get_if<LatentAttention>(&part); latent && m_expanded)
            return tokenBytes(latent->expanded, m_d.types);
        return bytesPerToken(part, m_d.types);
    }
    std::int64_t kept(const CachePart &part, std::int64_t tokens) const {
        std::int64_t limit = 0;
        if (const auto *window = std::get_if<SlidingWindow>(&part))
            limit = window->window.value;
        else if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
            limit = chunked->chunk.value;
        else
            return tokens;
        return std::min(tokens, m_static ? limit : limit - 1);
    }
    Bytes fixedOf(const CachePart &part) const {
        if (const auto *state = std::get_if<RecurrentState>(&part)) {
            const bool deltaNet = state->family == StateFamily::GatedDeltaNet || state->family == StateFamily::Kda;
            const ElementType own = state->stateType == Auto ? m_d.types.model : state->stateType;
            return bytesFor(checked::mul(state->convChannels, state->kernel), m_d.types.model) + bytesFor(state->stateElements(), deltaNet ? Fp32 : own);
        }
        if (const auto *cross = std::get_if<CrossAttention>(&part))
            return tokenBytes(cross->heads, m_d.types) * m_encoder.value_or(cross->encoderTokens).value;
        return Bytes(0);
    }

    const Deployment &m_d;
    bool m_static = false, m_expanded = false;
    std::int64_t m_staticLength = 0;
    std::optional<Tokens> m_encoder;
};

Bytes replicaBudget(const Deployment &d) {
    const std::int64_t ways = checked::mul(d.tp, d.pp);
    return d.availableKv ? *d.availableKv * ways : (d.memory - displayOf(d)) * ways - d.weights;
}

std::optional<Note> unknownKind(const ModelSpec &model) {
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (kindOf(part) == CacheKind::Compressed)
                return errorNote("kind-not-known", "engine.id",
                                 "engine.id: how transformers keeps compressed attention (" + model.modelType + ") is not known; count like textbook or vllm");
    return std::nullopt;
}

class Transformers final : public Engine {
public:
    std::string_view id() const override { return "transformers"; }
    /// The library has no such layers: it passes over them on loading (_keys_to_ignore_on_load_unexpected of the model classes).
    bool loadsDrafts(const ModelSpec &) const override { return false; }
    std::string_view name() const override { return "Transformers"; }
    std::span<const std::string_view> versions() const override { return versionTable; }
    std::span<const EngineOption> options() const override { return optionTable; }
    std::span<const ElementType> kvTypes() const override { return typeTable; }
    CacheTypes automaticTypes(const ModelSpec &model, const Scenario &) const override { return {model.dtype, model.dtype, model.dtype}; }
    Bytes memoryOf(const Gpu &gpu, Notes &warnings) const override { return frameworkMemory(gpu, warnings); }
    std::string_view overflow() const override { return "runs out of memory"; }

    std::vector<BudgetRow> budgetOf(const Deployment &d, const GpuPlan &gpu) const override {
        if (d.availableKv)
            return {{"overhead", "What remains beside weights and the KV given", gpu.overhead, Certainty::ByHand, {}, "engine.options.available_kv_bytes"}};
        return {}; // activations come on top, and nobody knows how much: the plan says so
    }

    bool fits(const Deployment &d) const override {
        const Tensors tensors(d);
        const Bytes need = tensors.sequence(d.context) * d.fullest().value, budget = replicaBudget(d);
        return (!tensors.isStatic() || d.context.value <= tensors.staticLength()) && need.inRange() && budget.inRange() && need <= budget;
    }

    Bytes totalKv(const Deployment &d) const override { return Tensors(d).sequence(d.context) * d.sequences.value; }

    void plan(const Deployment &d, Plan &plan) const override {
        plan.refusal = unknownKind(*d.model);
        const Tensors tensors(d);
        if (!plan.refusal && tensors.isStatic() && d.context.value > tensors.staticLength())
            plan.refusal = errorNote("context-beyond-cache", "engine.options.max_cache_len",
                                     "engine.options.max_cache_len: a static cache of " + std::to_string(tensors.staticLength()) +
                                         " tokens cannot hold a context of " + std::to_string(d.context.value) + "; raise it or shorten the context");
        if (plan.refusal)
            return;
        figures(d, tensors, plan);
        const Bytes sequence = tensors.sequence(d.context);
        splitEvenly(d, plan, [&](Count sequences) { return sequence * sequences.value; }, d.memory - displayOf(d));
        const Bytes budget = replicaBudget(d);
        plan.fit.kvBudget = budget * d.dp;
        plan.fit.fits = sequence * d.fullest().value <= budget;
        if (sequence > Bytes(0))
            plan.fit.maxSequences = checked::mul(d.dp, std::max<std::int64_t>(0, floorDiv(budget, sequence)));
        if (plan.kv.perToken > Bytes(0))
            plan.fit.kvCapacityTokens = checked::mul(d.dp, std::max<std::int64_t>(0, floorDiv(budget, plan.kv.perToken)));
        plan.engine.version = versionTable.front();
        plan.warnings.push_back(infoNote("activations-on-top", "engine.id", "Activations come on top: Transformers sets no memory aside for them."));
        if (!tensors.isStatic() && OptionReader(d.scenario->engine.options).has("max_cache_len"))
            plan.warnings.push_back(warningNote("no-effect", "engine.options.max_cache_len", "max_cache_len is a static cache's length: a dynamic cache grows with its tokens, and it has no effect."));
        if (d.prefix > Tokens(0))
            plan.warnings.push_back(warningNote("prefix-not-shared", "workload.shared_prefix", "Transformers keeps a prefix for every sequence: sharing has no effect."));
    }

    std::optional<std::int64_t> minGpus(const Deployment &d) const override {
        return fewestGpusEvenly(d, d.memory - displayOf(d), Tensors(d).sequence(d.context) * d.fullest().value);
    }

    std::optional<std::int64_t> maxContext(const Deployment &d) const override {
        return Tensors(d).sequence(Tokens(1)) == Bytes(0) ? std::nullopt : Engine::maxContext(d);
    }

private:
    static void figures(const Deployment &d, const Tensors &tensors, Plan &plan) {
        const OptionReader options(d.scenario->engine.options);
        std::optional<Tokens> encoder;
        if (const auto given = options.whole("encoder_tokens"))
            encoder = Tokens(*given);
        const Payload payload(*d.model, d.types, 0, encoder);
        const std::int64_t ways = checked::mul(d.tp, d.pp);
        // Where keys and values are kept expanded there is no latent to speak of: the tensors are the payload.
        plan.kv.perToken = tensors.expanded() ? tensors.perToken() : payload.perToken();
        plan.kv.perTokenMarginal = tensors.expanded() ? tensors.perToken() : payload.marginal(d.context);
        plan.kv.fixedPerSequence = payload.fixed();
        const ModelSpec own = tensors.expanded() ? withoutLatents(*d.model) : ModelSpec{};
        const Payload kept = tensors.expanded() ? Payload(own, d.types, 0, encoder) : payload;
        plan.kv.perSequence = kept.at(d.context);
        plan.kv.perTokenPerGpu = Bytes(checked::ceilDiv(tensors.perToken().value, ways));
        plan.kv.perSequencePerGpu = Bytes(checked::ceilDiv(tensors.sequence(d.context).value, ways));
        plan.weights.perGpu = Bytes(checked::ceilDiv(d.weights.value, ways));
        plan.derivation = kept.derivation(d.context);
    }

    /// The model as it is kept: keys and values of all heads in the place of each latent, so that the derivation says what is counted.
    static ModelSpec withoutLatents(ModelSpec model) {
        for (LayerShape &shape : model.shapes)
            for (CachePart &part : shape.parts)
                if (const auto *latent = std::get_if<LatentAttention>(&part)) {
                    const HeadShape heads = latent->expanded;
                    part = FullAttention{heads};
                }
        return model;
    }
};

} // namespace

const Engine &transformersEngine() {
    static const Transformers engine;
    return engine;
}

} // namespace kv
