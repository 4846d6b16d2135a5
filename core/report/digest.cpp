// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/digest.h"

#include "core/base/plaintext.h"
#include "core/engine/engines.h"
#include "core/plan/budget.h"
#include "core/plan/solve.h"
#include "core/report/inwords.h"

#include <algorithm>

namespace kv {

namespace {

using enum TextTable::Align;

/// With the same minus sign as sizes have.
std::string signedNumber(std::int64_t n) { return n < 0 ? "−" + writeNumber(n).substr(1) : writeNumber(n); }

std::string plural(std::int64_t n, std::string_view one, std::string_view many) { return writeNumber(n) + " " + std::string(n == 1 ? one : many); }

std::string yesOrUnknown(const std::optional<std::int64_t> &number, std::string_view absent, std::string_view unit = {}) {
    if (!number)
        return std::string(absent);
    return writeNumber(*number) + (unit.empty() ? "" : " " + std::string(unit));
}

/// "70.6 billion"
std::string parametersText(std::int64_t count) {
    constexpr std::int64_t billion = 1'000'000'000, million = 1'000'000;
    if (count < billion)
        return writeNumber((count + million / 2) / million) + " million parameters";
    const std::int64_t tenths = (count + billion / 20) / (billion / 10);
    return writeNumber(tenths / 10) + "." + std::to_string(tenths % 10) + " billion parameters";
}

DigestSection pairs(std::string title) {
    DigestSection section{std::move(title), {}, false};
    section.table.column("What").column("Value");
    return section;
}

DigestSection sizes(std::string title) {
    DigestSection section{std::move(title), {}, false};
    section.table.column("What").column("Size", Right).column("Bytes", Right);
    return section;
}

class DigestMaker {
public:
    DigestMaker(const Scenario &scenario, const Plan &plan, SizeUnit unit, const InFlight *inFlight) : m_scenario(scenario), m_plan(plan), m_unit(unit), m_inFlight(inFlight) {}

    Digest make();

private:
    DigestSection scenarioSection() const;
    DigestSection cacheSection() const;
    DigestSection partsSection() const;
    DigestSection weightsSection() const;
    DigestSection gpuSection() const;
    DigestSection budgetSection() const;
    DigestSection fitSection() const;
    DigestSection engineSection() const;

    std::string modelText() const;
    void size(DigestSection &section, std::string name, Bytes bytes) const {
        section.table.row({std::move(name), writeBytes(bytes, m_unit), signedNumber(bytes.value)});
    }

    const Scenario &m_scenario;
    const Plan &m_plan;
    SizeUnit m_unit;
    const InFlight *m_inFlight;
};

Digest DigestMaker::make() {
    Digest digest;
    digest.title = oneLine(m_scenario.name.empty() ? m_plan.modelName : m_scenario.name, 200);
    digest.verdict = verdict(m_scenario, m_plan, m_unit, m_inFlight);
    digest.sections.push_back(scenarioSection());
    digest.sections.push_back(cacheSection());
    if (m_plan.derivation.size() > 1)
        digest.sections.push_back(partsSection());
    digest.sections.push_back(weightsSection());
    digest.sections.push_back(gpuSection());
    digest.sections.push_back(budgetSection());
    digest.sections.push_back(fitSection());
    if (!m_plan.engine.values.empty())
        digest.sections.push_back(engineSection());
    digest.derivation = explain(m_scenario, m_plan, m_unit);
    for (const Note &note : m_plan.warnings)
        digest.warnings.push_back(oneLine(note.text) + " [" + note.code + "]");
    return digest;
}

std::string DigestMaker::modelText() const {
    const ModelSpec &model = *m_plan.model;
    std::string text = oneLine(m_plan.modelName, 200) + ", " + model.attentionName() + ", " + plural(model.layerCount(), "layer", "layers");
    if (model.weights.parameters > 0)
        text += ", " + parametersText(model.weights.parameters);
    if (model.maxContext)
        text += ", up to " + writeNumber(model.maxContext->value) + (model.maxContext->value == 1 ? " token" : " tokens");
    return text;
}

DigestSection DigestMaker::scenarioSection() const {
    DigestSection section = pairs("Scenario");
    const Workload &load = m_scenario.workload;
    section.table.row({"Model", modelText()});
    std::string workload = plural(load.sequences.value, "sequence", "sequences") + " of " + plural(load.context.value, "token", "tokens");
    if (load.sharedPrefix > Tokens(0))
        workload += ", the first " + writeNumber(load.sharedPrefix.value) + " shared";
    section.table.row({"Workload", std::move(workload)});
    if (load.distribution)
        section.table.row({"Lengths", lengthsInWords(*load.distribution)});
    section.table.row({"Hardware", hardwareInWords(m_scenario, m_plan)});
    section.table.row({"Counted like", engineInWords(m_scenario, m_plan, true)});
    return section;
}

DigestSection DigestMaker::cacheSection() const {
    DigestSection section = sizes("KV cache in " + cacheTypesInWords(m_plan));
    const KvFigures &kv = m_plan.kv;
    size(section, "One token", kv.perToken);
    if (kv.perTokenMarginal != kv.perToken)
        size(section, "The next token at this context", kv.perTokenMarginal);
    if (kv.fixedPerSequence != Bytes(0))
        size(section, "Fixed, each sequence", kv.fixedPerSequence);
    size(section, "One sequence, the payload", kv.perSequence);
    if (m_plan.gpusInAll > 1 || kv.perSequencePerGpu != kv.perSequence)
        size(section, "One sequence on the fullest GPU, as reserved", kv.perSequencePerGpu);
    size(section, m_plan.host && m_plan.host->kv > Bytes(0) ? "All sequences, GPUs and host" : "All sequences on all GPUs", kv.total);
    return section;
}

DigestSection DigestMaker::partsSection() const {
    DigestSection section{"By kind of layer", {}, true};
    section.table.column("Kind").column("Layers", Right).column("One token", Right).column("At this context", Right).column("Fixed", Right);
    for (const PartTerms &part : m_plan.derivation) {
        std::string kind(kindName(part.kind));
        if (part.terms.limit > Tokens(0))
            kind += ", at most " + writeNumber(part.terms.limit.value) + " tokens";
        section.table.row({std::move(kind), writeNumber(part.layers), writeBytes(part.perToken, m_unit), writeBytes(part.atContext, m_unit), writeBytes(part.fixed, m_unit)});
    }
    return section;
}

DigestSection DigestMaker::weightsSection() const {
    const WeightFigures &weights = m_plan.weights;
    std::string title = "Weights";
    if (!weights.scheme.empty())
        title += ", " + weights.scheme;
    title += std::string(" (") + weightSourceName(weights.source) + (weights.estimate ? ", an estimate)" : ")");
    DigestSection section = sizes(std::move(title));
    size(section, "One copy", weights.total);
    size(section, "The fullest GPU", weights.perGpu);
    return section;
}

bool alike(const GpuPlan &a, const GpuPlan &b) {
    return a.gpu == b.gpu && a.memory == b.memory && a.reserve == b.reserve && a.weights == b.weights && a.overhead == b.overhead && a.kv == b.kv &&
           a.kvReserved == b.kvReserved;
}

DigestSection DigestMaker::gpuSection() const {
    DigestSection section{"Each GPU", {}, true};
    TextTable &table = section.table;
    table.column("GPU").column("Memory", Right).column("Reserve", Right).column("Weights", Right).column("Overhead", Right).column("KV", Right);
    // Where the engine sets aside more than the sequences hold, both are shown: they are what people mix up.
    const bool pools = std::ranges::any_of(m_plan.gpus, [](const GpuPlan &gpu) { return gpu.kvReserved != gpu.kv; });
    if (pools)
        table.column("KV pool", Right);
    table.column("Free", Right);
    for (std::size_t first = 0; first < m_plan.gpus.size();) {
        std::size_t next = first + 1;
        while (next < m_plan.gpus.size() && alike(m_plan.gpus[first], m_plan.gpus[next]))
            ++next;
        const GpuPlan &gpu = m_plan.gpus[first];
        std::string name = writeNumber(gpu.index);
        if (next - first > 1)
            name += " to " + writeNumber(m_plan.gpus[next - 1].index);
        std::vector<std::string> cells{std::move(name), writeBytes(gpu.memory, m_unit), writeBytes(gpu.reserve, m_unit), writeBytes(gpu.weights, m_unit),
                                       writeBytes(gpu.overhead, m_unit), writeBytes(gpu.kv, m_unit)};
        if (pools)
            cells.push_back(writeBytes(gpu.kvReserved, m_unit));
        cells.push_back(writeBytes(gpu.free, m_unit));
        table.row(std::move(cells));
        first = next;
    }
    if (m_plan.host)
        table.row({"host", m_plan.host->memory ? writeBytes(*m_plan.host->memory, m_unit) : std::string(), "", writeBytes(m_plan.host->weights, m_unit), "",
                   writeBytes(m_plan.host->kv, m_unit), m_plan.host->memory ? writeBytes(*m_plan.host->memory - m_plan.host->taken(), m_unit) : std::string()});
    return section;
}

DigestSection DigestMaker::budgetSection() const {
    const Budget budget = budgetOf(m_scenario, m_plan);
    DigestSection section{m_plan.gpus.size() > 1 ? "The fullest GPU (" + writeNumber(budget.gpu) + "), item by item" : std::string("The GPU, item by item"), {}, true};
    section.table.column("Item").column("Size", Right).column("Certainty").column("By hand with");
    for (const BudgetRow &row : budget.rows) {
        std::string certainty(certaintyName(row.certainty));
        if (row.band > Bytes(0))
            certainty += " ± " + writeBytes(row.band, m_unit);
        section.table.row({row.name, writeBytes(row.bytes, m_unit), std::move(certainty), std::string(row.setBy)});
    }
    return section;
}

DigestSection DigestMaker::fitSection() const {
    DigestSection section = pairs("Fit");
    const Fit &fit = m_plan.fit;
    section.table.row({"It fits", std::string(fit.fits ? "yes" : "no") + (fit.uncertain ? ", within an estimate's uncertainty" : "")});
    section.table.row({"Room for KV", writeBytes(fit.kvBudget, m_unit) + " (" + signedNumber(fit.kvBudget.value) + " B)"});
    section.table.row({"Most sequences at this context", yesOrUnknown(fit.maxSequences, "no limit")});
    section.table.row({"Longest context for these sequences", yesOrUnknown(fit.maxContext, "not known", "tokens")});
    const Engine *engine = findEngine(m_plan.engine.id);
    section.table.row({std::string(engine ? engine->capacityName() : "Tokens that the room holds"), yesOrUnknown(fit.kvCapacityTokens, "no layer grows with tokens")});
    section.table.row({"Fewest GPUs for this load", fit.minGpus ? fewestText(m_scenario, *fit.minGpus) : std::string("not known, or none")});
    return section;
}

DigestSection DigestMaker::engineSection() const {
    DigestSection section = pairs("What " + m_plan.engine.id + " itself counts");
    for (const auto &[name, value] : m_plan.engine.values) {
        std::string text;
        if (const auto *list = std::get_if<std::vector<std::int64_t>>(&value))
            for (const std::int64_t item : *list)
                text += (text.empty() ? "" : ", ") + writeNumber(item);
        else if (const auto *word = std::get_if<std::string>(&value))
            text = *word;
        else if (const auto *real = std::get_if<double>(&value))
            text = writeJson(Json(*real));
        else
            text = writeNumber(std::get<std::int64_t>(value));
        section.table.row({name, std::move(text)});
    }
    return section;
}

} // namespace

std::string_view stateWord(Verdict::State state) {
    static constexpr std::string_view words[]{"Fits", "Tight", "Does not fit", "Refused"};
    return words[static_cast<std::size_t>(state)];
}

Digest digestOf(const Scenario &scenario, const Plan &plan, SizeUnit unit, const InFlight *inFlight) { return DigestMaker(scenario, plan, unit, inFlight).make(); }

} // namespace kv
