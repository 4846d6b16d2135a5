// SPDX-License-Identifier: GPL-3.0-or-later
//
// evaluate() over any scenario (madescenario.h): parts add up to the whole, figures agree with one another and with every form they are told
// in, nothing is out of range, nothing that is kept costs nothing, and more of a thing never needs less.
#include "core/plan/budget.h"
#include "core/plan/explain.h"
#include "core/report/planjson.h"
#include "core/scenario/scenariofile.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/madescenario.h"

#include <cmath>

using namespace kv;
using fuzz::require;

namespace {

void checkGpus(const Plan &plan, bool given) {
    require(static_cast<std::int64_t>(plan.gpus.size()) == plan.gpusInAll, "every GPU has a plan");
    Bytes kv;
    std::int64_t index = 0;
    for (const GpuPlan &gpu : plan.gpus) {
        require(gpu.index == index++ && gpu.tp >= 0 && gpu.pp >= 0 && gpu.dp >= 0, "GPUs are numbered");
        for (const Bytes part : {gpu.memory, gpu.reserve, gpu.weights, gpu.overhead, gpu.kv, gpu.kvReserved, gpu.band, gpu.display, gpu.adapters, gpu.draftWeights, gpu.draftKv})
            require(part >= Bytes(0), "no part of a GPU is negative");
        require(ownOverhead(gpu) >= Bytes(0) && gpu.draftKv <= gpu.kv, "what has a line of its own lies inside");
        const Bytes rest = gpu.memory - gpu.reserve - gpu.weights - gpu.overhead - gpu.kv;
        require(given || gpu.free == rest, "what is free is the rest");
        kv += gpu.kv;
    }
    const Bytes onHost = plan.host ? plan.host->kv : Bytes(0);
    require(onHost >= Bytes(0) && plan.kv.total == kv + onHost, "the cache is the sum of the GPUs' and the host's");
}

void checkBudget(const Scenario &s, const Plan &plan, bool given) {
    const Budget budget = budgetOf(s, plan);
    require(budget.rows.size() >= 3 && budget.rows.front().key == "memory" && budget.rows.back().key == "free", "a budget begins with the memory and ends with the rest");
    Bytes sum;
    for (std::size_t i = 1; i < budget.rows.size(); ++i)
        sum += budget.rows[i].bytes;
    require(given || !sum.inRange() || sum == budget.rows.front().bytes, "the rows are the memory");
}

void checkPayload(const Plan &plan) {
    Bytes token, context, fixed;
    for (const PartTerms &part : plan.derivation) {
        token += part.perToken;
        context += part.atContext;
        fixed += part.fixed;
    }
    require(plan.kv.perToken == token && plan.kv.fixedPerSequence == fixed && plan.kv.perSequence == context + fixed, "the payload is the sum of its derivation");
    require(plan.kv.perTokenMarginal >= Bytes(0) && plan.kv.perTokenMarginal <= plan.kv.perToken + plan.kv.fixedPerSequence, "a token more costs no more than a token");
}

void checkNoSilentZero(const Scenario &s, const Plan &plan) {
    const bool kept = plan.model->cachingLayers() > 0;
    require(!kept || plan.kv.perToken > Bytes(0) || plan.kv.fixedPerSequence > Bytes(0), "layers that keep something cost something");
    require(!kept || s.workload.context.value == 0 || plan.kv.perSequence > Bytes(0), "and so does a sequence of them");
    require(s.workload.sequences.value == 0 || s.workload.context.value == 0 || plan.kv.perSequence == Bytes(0) || plan.kv.total > Bytes(0), "and so do all of them");
    const bool said = s.weights.bytes || plan.weights.source == WeightSource::Unknown;
    require(said || plan.weights.total > Bytes(0), "weights that are known weigh something");
}

void checkEngine(const Plan &plan) {
    for (const auto &[key, value] : plan.engine.values) {
        if (const auto *number = std::get_if<double>(&value))
            require(std::isfinite(*number) && *number >= 0, key.c_str());
        if (const auto *whole = std::get_if<std::int64_t>(&value))
            require(*whole != outOfRangeValue, key.c_str());
    }
}

void checkFit(const Scenario &s, const Plan &plan) {
    const Fit &fit = plan.fit;
    require(fitsAt(s, s.workload.context, s.workload.sequences) == fit.fits, "the short judgement is the long one");
    require(!fit.fits || !fit.maxSequences || s.workload.sequences.value <= *fit.maxSequences, "what fits is within the most that do");
    for (const std::optional<std::int64_t> &figure : {fit.maxSequences, fit.maxContext, fit.kvCapacityTokens, fit.minGpus})
        require(!figure || *figure >= 0, "no limit is negative");
    require(!fit.minGpus || *fit.minGpus >= 1, "the fewest GPUs are one");
    if (fit.maxContext && *fit.maxContext > 0)
        require(fitsAt(s, Tokens(*fit.maxContext), s.workload.sequences), "the longest context fits");
}

/// The forms in which a plan is told.
void checkForms(const Scenario &s, const Plan &plan, SizeUnit unit) {
    const Json json = planToJson(s, plan);
    const auto at = [&json](const char *section, const char *key) {
        const Json *part = json.find(section), *value = part ? part->find(key) : nullptr;
        return value && value->kind() == Json::Kind::Integer ? value->integer() : outOfRangeValue;
    };
    require(at("kv", "total_bytes") == plan.kv.total.value && at("kv", "bytes_per_sequence") == plan.kv.perSequence.value && at("weights", "total_bytes") == plan.weights.total.value &&
                at("fit", "kv_budget_bytes") == plan.fit.kvBudget.value, "JSON tells the same numbers");
    require(parseJson(writeJson(json), "json").notes.empty(), "and is JSON, no key twice");
    const std::string text = explainText(explain(s, plan, unit));
    require(!text.empty() && text.find(" nan") == std::string::npos && text.find(" inf") == std::string::npos, "the derivation is in numbers");
    const Verdict said = verdict(s, plan, unit);
    require(!said.headline.empty() && (said.state != Verdict::State::DoesNotFit || !plan.fit.fits), "the verdict is the plan's");
    const std::string size = writeBytes(plan.kv.total, unit);
    const Parsed<Bytes> read = readBytes(size, "a size");
    require(!read || std::abs(static_cast<double>(read->value) - static_cast<double>(plan.kv.total.value)) <= 0.051 * static_cast<double>(plan.kv.total.value), "a size reads as it is written");
    const Parsed<Scenario> again = readScenario(writeScenario(s, {}), {}, scenarioDefaults());
    fuzz::checkParsed(again);
    require(again.value.has_value(), again ? "" : firstError(again.notes)->text.c_str());
    const Plan same = evaluate(*again);
    require(same.ok() && same.kv.total == plan.kv.total && same.weights.total == plan.weights.total && same.fit.kvBudget == plan.fit.kvBudget && same.fit.fits == plan.fit.fits, "and has the same plan");
}

/// 0: no limit stands for more than any number.
std::int64_t users(const Plan &plan) { return plan.fit.maxSequences.value_or(INT64_MAX); }

/// More tokens, more sequences and more GPUs, under every engine where its rule says so.
void checkMore(const Scenario &s, const Plan &plan, std::int64_t more) {
    const bool textbook = s.engine.id == "textbook";
    Scenario longer = s, wider = s;
    longer.workload.context = s.workload.context + Tokens(more);
    wider.workload.sequences = s.workload.sequences + Count(more);
    if (longer.workload.context.inRange())
        if (const Plan next = evaluateHere(longer); next.ok()) {
            require(next.kv.perSequence >= plan.kv.perSequence, "a longer sequence needs no less");
            require(!textbook || (users(next) <= users(plan) && next.kv.total >= plan.kv.total && next.fit.fits <= plan.fit.fits), "longer ones leave no room for more of them");
        }
    if (wider.workload.sequences.inRange())
        if (const Plan next = evaluateHere(wider); next.ok())
            // A given n_ctx is cut by the slots, each rounded up to whole blocks of cells: more slots may come to a little less.
            require((next.kv.total >= plan.kv.total || s.engine.options.find("n_ctx")) && (s.engine.id == "llama-cpp" || (next.fit.fits <= plan.fit.fits && users(next) == users(plan))), "more sequences need no less");
    if (!textbook || !s.parallel.tp)
        return;
    Scenario larger = s;
    larger.hardware.count = s.hardware.count * 2;
    larger.parallel.tp = *s.parallel.tp * 2;
    if (const Plan next = evaluateHere(larger); next.ok())
        require(users(next) >= users(plan) && next.fit.fits >= plan.fit.fits, "more GPUs hold no fewer");
}

/// What only a search finds, against the judgement itself; the textbook's rule is monotone, so there is nothing beyond its answers.
void checkLimits(const Scenario &s, const Plan &plan) {
    if (s.engine.id != "textbook")
        return;
    const Fit &fit = plan.fit;
    if (fit.maxSequences && *fit.maxSequences < INT64_MAX) {
        require(*fit.maxSequences == 0 || fitsAt(s, s.workload.context, Count(*fit.maxSequences)), "the most sequences fit");
        require(!fitsAt(s, s.workload.context, Count(*fit.maxSequences + 1)), "and one more does not");
    }
    const std::optional<Tokens> limit = plan.model->maxContext;
    if (fit.maxContext && *fit.maxContext > 0 && (!limit || *fit.maxContext < limit->value))
        require(!fitsAt(s, Tokens(*fit.maxContext + 1), s.workload.sequences), "and one token more does not");
}

} // namespace

/// Reading all models takes longer than an input may.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
    fuzz::models();
    return 0;
}

KV_FUZZ(bytes) {
    fuzz::Choices take(bytes);
    const std::uint8_t depth = take.byte();
    static Scenario s;
    s = fuzz::madeScenario(take);
    fuzz::inWords = [] { return writeJson(writeScenario(s, {})); };
    const Plan plan = depth % 4 == 0 ? evaluate(s) : evaluateHere(s); // the searches take most of the time
    fuzz::checkNotes(plan.warnings);
    if (plan.refusal) {
        fuzz::checkNote(*plan.refusal);
        return;
    }
    const Json *available = s.engine.options.find("available_kv_bytes");
    const bool given = available && !available->isNull();
    checkGpus(plan, given);
    checkBudget(s, plan, given);
    checkPayload(plan);
    checkNoSilentZero(s, plan);
    checkEngine(plan);
    checkFit(s, plan);
    checkLimits(s, plan);
    checkMore(s, plan, 1 + take.whole(14));
    if (depth % 16 == 0)
        checkForms(s, plan, take.oneIn(2) ? SizeUnit::Binary : SizeUnit::Decimal);
}
