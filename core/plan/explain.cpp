// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/explain.h"

#include "core/engine/engines.h"
#include "core/plan/formula.h"
#include "core/scenario/measured.h"

#include <algorithm>

namespace kv {

namespace {

SizeUnit other(SizeUnit unit) { return unit == SizeUnit::Decimal ? SizeUnit::Binary : SizeUnit::Decimal; }

/// "327,680 B = 327.7 kB (320 KiB)"
std::string exactly(Bytes bytes, SizeUnit unit) {
    std::string text = writeNumber(bytes.value) + " B";
    if (bytes.value >= 1000 || bytes.value <= -1000)
        text += " = " + writeBytes(bytes, unit) + " (" + writeBytes(bytes, other(unit)) + ")";
    return text;
}

std::string layersOf(const ModelSpec &model, const PartTerms &part) {
    const CachePart &cache = model.shapes[part.shape].parts[part.part];
    std::string name(kindName(part.kind));
    if (const auto *state = std::get_if<RecurrentState>(&cache))
        name = std::string(stateFamilyName(state->family));
    return writeNumber(part.layers) + " " + name + (part.layers == 1 ? " layer" : " layers");
}

std::string titleOf(const ModelSpec &model, const PartTerms &part) {
    std::string layers = layersOf(model, part);
    const bool one = part.layers == 1;
    switch (part.kind) {
    case CacheKind::Full:
    case CacheKind::Latent:
    case CacheKind::Index:
        return layers + (one ? " grows" : " grow");
    case CacheKind::Window:
    case CacheKind::Chunked:
        return layers + (one ? " keeps" : " keep") + (part.terms.limit > Tokens(0) ? " at most " + writeNumber(part.terms.limit.value) + " tokens" : " part of the tokens");
    case CacheKind::Compressed: {
        const Factor *ratio = findFactor(part.terms, Role::Ratio);
        if (!ratio)
            return layers + (one ? " keeps" : " keep") + " at most " + writeNumber(part.terms.limit.value) + " tokens";
        return layers + (one ? " keeps " : " keep ") + "an entry for every " + writeNumber(ratio->value) + " tokens" + (part.terms.limit > Tokens(0) ? " beside the last " + writeNumber(part.terms.limit.value) + " tokens" : "");
    }
    case CacheKind::State:
        return layers + (one ? " keeps a state" : " keep a state");
    case CacheKind::Cross:
        return layers + (one ? " keeps" : " keep") + " the encoder's tokens";
    }
    return layers;
}

class Explainer {
public:
    Explainer(const Scenario &scenario, const Plan &plan, SizeUnit unit) : m_scenario(scenario), m_plan(plan), m_model(*plan.model), m_unit(unit) {}

    std::vector<ExplainSection> run() {
        if (m_plan.derivation.empty())
            nothingCached();
        else if (m_plan.derivation.size() == 1)
            part(m_plan.derivation.front(), "KV bytes of one token");
        else
            parts();
        if (!m_plan.derivation.empty())
            sequences();
        room();
        return std::move(m_sections);
    }

private:
    void nothingCached() {
        m_sections.push_back({"Nothing is cached", {m_model.kind == ModelKind::Decoder ? "no layer keeps keys, values or a state" : "this model keeps no KV cache: it does not generate token by token"}, {}, {}});
    }

    void part(const PartTerms &p, std::string title) {
        const Formula formula = formulaOf(p);
        ExplainSection section{std::move(title), {formula.named, "= " + formula.substituted}, {}, p.kind};
        const bool fixed = p.perToken == Bytes(0);
        section.lines.push_back("= " + exactly(fixed ? p.fixed : p.perToken, m_unit) + (fixed ? " a sequence" : ""));
        if (p.kind == CacheKind::Compressed && findFactor(p.terms, Role::Ratio)) {
            section.lines.push_back("a token while the window fills, entries alone behind it: " + writeBytes(p.atContext, m_unit) + " here");
            if (const Factor *state = findFactor(p.terms, Role::StateElements))
                section.lines.push_back("and a state: " + writeNumber(p.layers) + " × " + writeNumber(state->value) + " × " + factorValue(*findFactor(p.terms, Role::StateBytes)) + " = " + exactly(p.fixed, m_unit));
        } else if (p.terms.limit > Tokens(0) && !fixed)
            section.lines.push_back("a token, for the last " + writeNumber(p.terms.limit.value) + " tokens: " + writeBytes(p.atContext, m_unit) + " here");
        section.terms = termsOf(p);
        m_sections.push_back(std::move(section));
    }

    void parts() {
        std::string sum;
        int growing = 0;
        bool limited = false;
        for (const PartTerms &p : m_plan.derivation) {
            part(p, titleOf(m_model, p));
            if (p.perToken == Bytes(0))
                continue;
            sum += (sum.empty() ? "" : " + ") + writeNumber(p.perToken.value);
            ++growing;
            limited = limited || p.terms.limit > Tokens(0);
        }
        if (growing < 2)
            return; // the one part that grows has said it
        m_sections.push_back({"KV bytes of one token", {sum, "= " + exactly(m_plan.kv.perToken, m_unit)}, {}, {}});
        if (limited)
            m_sections.back().lines.push_back("while inside every window");
    }

    std::vector<ExplainTerm> termsOf(const PartTerms &p) const {
        std::vector<ExplainTerm> terms;
        const auto fromFact = [&](Role role, std::int64_t value, std::string written) {
            ExplainTerm term{std::string(roleName(role)), std::move(written), {}, {}};
            if (const Fact *fact = m_model.fact(role, value)) { // layers of one model may differ in it
                term.from = fact->from;
                term.note = fact->trap;
            }
            terms.push_back(std::move(term));
        };
        bool layersDone = false;
        for (std::uint8_t i = 0; i < p.terms.count; ++i) {
            const Factor &factor = p.terms.factors[i];
            if (factor.role == Role::KeyAndValue) {
                terms.push_back({"a key and a value", "2", "for every token, at every layer", {}});
                continue;
            }
            if (!layersDone) {
                fromFact(Role::Layers, m_model.layerCount(), writeNumber(p.layers));
                if (p.layers != m_model.layerCount() && std::ranges::count(m_model.shapes[p.shape].parts, m_model.shapes[p.shape].parts[p.part]) == 1)
                    terms.back().note = "of " + writeNumber(m_model.layerCount()) + " in all";
                layersDone = true;
            }
            if (const std::string type = typeOf(factor.role); !type.empty())
                terms.push_back({std::string(roleName(factor.role)), factorValue(factor), type, {}});
            else
                fromFact(factor.role, factor.value, factorValue(factor));
        }
        return terms;
    }

    /// Where the bytes of an element come from.
    std::string typeOf(Role role) const {
        const auto named = [&](ElementType type, ElementType chosen) {
            return std::string(info(type).label) + (chosen == ElementType::Auto ? ", " + automaticReason() : ", as chosen");
        };
        switch (role) {
        case Role::KeyBytes:
        case Role::ElementBytes:
            return named(m_plan.kv.types.key, m_scenario.kv.key);
        case Role::ValueBytes:
            return named(m_plan.kv.types.value, m_scenario.kv.value);
        case Role::ConvBytes:
            return std::string(info(m_plan.kv.types.model).label) + ", the model's type";
        default:
            return {};
        }
    }

    std::string automaticReason() const {
        const Fact *dtype = m_model.fact(Role::Dtype);
        if (m_plan.kv.types.key == m_model.dtype && dtype)
            return dtype->origin == Origin::File ? "as " + dtype->from + " says" : dtype->from;
        return "16 bit unless chosen otherwise";
    }

    void sequences() {
        const std::int64_t context = m_scenario.workload.context.value, count = m_scenario.workload.sequences.value;
        const bool plain = m_plan.derivation.size() == 1 && m_plan.kv.fixedPerSequence == Bytes(0) && m_plan.derivation.front().terms.limit == Tokens(0);
        if (!plain) {
            ExplainSection one{"One sequence of " + writeNumber(context) + (context == 1 ? " token" : " tokens"), {}, {}, {}};
            std::string sum;
            for (const PartTerms &p : m_plan.derivation)
                sum += (sum.empty() ? "" : " + ") + writeBytes(p.atContext + p.fixed, m_unit);
            if (m_plan.derivation.size() > 1)
                one.lines.push_back(sum);
            one.lines.push_back("= " + exactly(m_plan.kv.perSequence, m_unit));
            m_sections.push_back(std::move(one));
        }
        ExplainSection all{"All sequences", {}, {}, {}};
        const Bytes simple = m_plan.kv.perSequence * count;
        if (m_plan.kv.total == simple)
            all.lines.push_back(plain ? writeNumber(m_plan.kv.perToken.value) + " × " + writeNumber(context) + " × " + writeNumber(count)
                                      : writeNumber(m_plan.kv.perSequence.value) + " × " + writeNumber(count));
        else if (m_scenario.workload.sharedPrefix > Tokens(0))
            all.lines.push_back("a prefix of " + writeNumber(m_scenario.workload.sharedPrefix.value) + " tokens kept once" +
                                (m_plan.replicas > 1 ? " a replica" : "") + ", the rest " + writeNumber(count) + " times");
        else
            all.lines.push_back("as " + engineName() + " sets it aside on " + writeNumber(m_plan.gpusInAll) + (m_plan.gpusInAll == 1 ? " GPU" : " GPUs"));
        all.lines.push_back("= " + writeNumber(m_plan.kv.total.value) + " B = " + writeBytes(m_plan.kv.total, m_unit));
        m_sections.push_back(std::move(all));
    }

    std::string engineName() const {
        const Engine *engine = findEngine(m_plan.engine.id);
        return std::string(engine ? engine->name() : m_plan.engine.id);
    }

    const GpuPlan &fullest() const { return *std::ranges::min_element(m_plan.gpus, {}, &GpuPlan::free); }

    /// "measured" where the log of a real server gave it, which outlives what an estimate would say.
    std::string origin(std::string_view place, std::string otherwise) const {
        const std::vector<std::string> measured = measuredPlaces(m_scenario);
        return std::ranges::find(measured, place) != measured.end() ? "measured" : std::move(otherwise);
    }

    /// What the room for KV is made of on one GPU, each figure exact or an estimate with its band.
    std::vector<ExplainTerm> budgetRows(const GpuPlan &gpu) const {
        std::int64_t band = 0;
        for (const auto &[name, value] : m_plan.engine.values)
            if (const auto *bytes = std::get_if<std::int64_t>(&value); bytes && name == "overhead_band_bytes")
                band = *bytes;
        const bool byRoom = m_scenario.engine.options.find("available_kv_bytes");
        const bool guessed = gpu.overhead > Bytes(0) && !byRoom && (band > 0 || (m_plan.fit.estimate && !m_plan.weights.estimate));
        std::vector<ExplainTerm> rows;
        rows.push_back({"memory", writeBytes(gpu.memory, m_unit), origin("hardware.memory_bytes", m_scenario.hardware.memory ? "by hand" : "what a program gets of the card"), {}});
        rows.push_back({"withheld", writeBytes(gpu.reserve, m_unit), "exact, by the engine's own setting", {}});
        rows.push_back({"weights", writeBytes(gpu.weights, m_unit), origin("weights.bytes", m_plan.weights.estimate ? "an estimate" : "exact"), std::string(weightSourceName(m_plan.weights.source))});
        rows.push_back({"overhead", writeBytes(gpu.overhead, m_unit),
                        band > 0 ? "an estimate, ± " + writeBytes(Bytes(band), m_unit) : guessed ? "an estimate" : byRoom ? "what the room given leaves" : "exact",
                        guessed ? "an option can give it by hand" : ""});
        rows.push_back({"in use", writeBytes(gpu.kv, m_unit), gpu.kvReserved > gpu.kv ? "of " + writeBytes(gpu.kvReserved, m_unit) + " set aside for KV" : "KV", {}});
        return rows;
    }

    void room() {
        if (m_plan.gpus.empty())
            return;
        const GpuPlan &first = m_plan.gpus.front();
        const std::int64_t count = m_plan.gpusInAll;
        ExplainSection section{"Room for KV on " + writeNumber(count) + (count == 1 ? " GPU" : " GPUs"), {}, {}, {}};
        if (m_plan.engine.id == "textbook" && !m_scenario.engine.options.find("available_kv_bytes")) {
            const std::int64_t kept = fractionOne - m_scenario.hardware.reserve;
            section.lines.push_back(writeNumber(count) + " × " + writeBytes(first.memory, m_unit) + " × " + fractionText(kept) + " − " +
                                    (m_plan.replicas > 1 ? writeNumber(m_plan.replicas) + " × " : "") + writeBytes(m_plan.weights.total, m_unit));
        } else {
            section.lines.push_back(std::string(count == 1 ? "memory" : "of each: memory") + " − withheld − weights − overhead");
            section.terms = budgetRows(fullest());
        }
        std::string result = "= " + writeBytes(m_plan.fit.kvBudget, m_unit);
        if (m_plan.fit.maxSequences)
            result += " → " + writeNumber(*m_plan.fit.maxSequences) + (*m_plan.fit.maxSequences == 1 ? " sequence" : " sequences");
        section.lines.push_back(std::move(result));
        m_sections.push_back(std::move(section));
    }

    static std::string fractionText(std::int64_t billionths) {
        std::string digits = std::to_string(billionths % fractionOne);
        digits.insert(0, 9 - digits.size(), '0');
        while (digits.size() > 2 && digits.back() == '0')
            digits.pop_back();
        return std::to_string(billionths / fractionOne) + "." + digits;
    }

    const Scenario &m_scenario;
    const Plan &m_plan;
    const ModelSpec &m_model;
    SizeUnit m_unit;
    std::vector<ExplainSection> m_sections;
};

} // namespace

std::vector<ExplainSection> explain(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    if (!plan.ok() || !plan.model)
        return {};
    return Explainer(scenario, plan, unit).run();
}

std::string explainText(const std::vector<ExplainSection> &sections) {
    std::string text;
    for (const ExplainSection &section : sections) {
        text += section.title + "\n";
        for (const std::string &line : section.lines)
            text += "  " + line + "\n";
        for (const ExplainTerm &term : section.terms)
            text += "    " + term.value + "  " + term.name + (term.from.empty() ? "" : ": " + term.from) + (term.note.empty() ? "" : ", " + term.note) + "\n";
        text += "\n";
    }
    return text;
}

} // namespace kv
