// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/explain.h"

#include "core/base/plaintext.h"
#include "core/engine/engines.h"
#include "core/plan/caveats.h"
#include "core/plan/deploy.h"
#include "core/plan/deployable.h"
#include "core/plan/evaluate.h"
#include "core/plan/inflight.h"

#include <algorithm>

namespace kv {

namespace {

// Amber from here down: less than a twentieth of the budget is left.
constexpr std::int64_t tightDivisor = 20;

std::string counted(std::int64_t n, std::string_view one, std::string_view many) {
    return writeNumber(n) + " " + std::string(n == 1 ? one : many);
}

/// "an 11th", "a 2nd": the article follows the sound of the number.
std::string ordinal(std::int64_t n) {
    const std::string digits = std::to_string(n);
    const std::size_t lead = (digits.size() - 1) % 3 + 1; // the digits before the first comma are what is spoken first
    const std::string_view spoken = std::string_view(digits).substr(0, lead);
    const bool vowel = digits.front() == '8' || spoken == "11" || spoken == "18";
    const bool teen = n % 100 >= 11 && n % 100 <= 13;
    const char *suffix = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
    return std::string(vowel ? "An " : "A ") + writeNumber(n) + suffix;
}

/// The types worth trying for the cache, from 16 bit down.
std::optional<ElementType> smallerType(const Plan &plan, const Engine &engine) {
    if (info(plan.kv.types.key).blockBytes < 2 * info(plan.kv.types.key).blockElements)
        return std::nullopt; // not 16 bit any more
    for (const ElementType type : {ElementType::Fp8, ElementType::Q8_0})
        if (std::ranges::find(engine.kvTypes(), type) != engine.kvTypes().end())
            return type;
    return std::nullopt;
}

std::string smallerCache(const Scenario &scenario, const Plan &plan) {
    const Engine *engine = findEngine(scenario.engine.id);
    const std::optional<ElementType> type = engine ? smallerType(plan, *engine) : std::nullopt;
    if (!type || !plan.fit.maxSequences)
        return {};
    Scenario tried = scenario;
    tried.kv = {*type, *type};
    const Plan other = evaluate(tried);
    if (!other.ok() || !other.fit.maxSequences || *other.fit.maxSequences <= *plan.fit.maxSequences)
        return {};
    const std::string label(info(*type).label);
    const bool vowelSound = label.front() == 'F'; // "an FP8 cache"
    return std::string(vowelSound ? "an " : "a ") + label + " cache would hold " + writeNumber(*other.fit.maxSequences);
}

/// What the GPUs have left together, as the tile shows it; KV on a host takes nothing of it.
Bytes freeInAll(const Plan &plan) {
    Bytes left;
    for (const GpuPlan &gpu : plan.gpus)
        left += gpu.free;
    return left;
}

Bytes shortage(const Plan &plan) {
    Bytes missing;
    for (const GpuPlan &gpu : plan.gpus)
        if (gpu.free < Bytes(0))
            missing -= gpu.free;
    return missing;
}

void wordFitting(const Scenario &scenario, const Plan &plan, SizeUnit unit, Verdict &v) {
    const std::int64_t sequences = scenario.workload.sequences.value;
    v.headline = counted(sequences, "sequence", "sequences") + " of " + counted(scenario.workload.context.value, "token", "tokens") +
                 (sequences == 1 ? " fits on " : " fit on ") + cardsInWords(scenario.hardware, plan.gpusInAll);
    v.detail = writeBytes(freeInAll(plan), unit) + " stays free.";
    if (!plan.fit.maxSequences) {
        v.detail += plan.derivation.empty() ? " Nothing is cached, so memory sets no limit to the sequences." : " Another sequence needs nothing more.";
        return;
    }
    if (*plan.fit.maxSequences == sequences) {
        const Bytes more = plan.replicas == 1 ? plan.kv.perSequence - freeInAll(plan) : Bytes(0);
        v.detail += " " + ordinal(sequences + 1) + " sequence ";
        if (more > Bytes(0) && plan.engine.id == "textbook" && scenario.workload.sharedPrefix == Tokens(0))
            v.detail += "needs " + writeBytes(more, unit) + " more";
        else
            v.detail += "is one too many";
    } else {
        v.detail += " " + counted(*plan.fit.maxSequences, "sequence fits", "sequences fit") + " in all";
    }
    const std::string smaller = smallerCache(scenario, plan);
    v.detail += smaller.empty() ? "." : "; " + smaller + ".";
}

/// What a GPU has for a cache before anything is cached.
Bytes roomOf(const GpuPlan &gpu) { return gpu.free + gpu.kv; }

bool noRoomAtAll(const Plan &plan) {
    return !plan.gpus.empty() && plan.fit.kvBudget < Bytes(0) && std::ranges::any_of(plan.gpus, [](const GpuPlan &gpu) { return roomOf(gpu) < Bytes(0); });
}

/// No byte is left for a cache on some GPU: is it the weights, or what the engine sets aside beside them?
void wordNoRoom(const Scenario &scenario, const Plan &plan, SizeUnit unit, Verdict &v) {
    const GpuPlan &fullest = *std::ranges::min_element(plan.gpus, {}, roomOf);
    const Bytes loaded = fullest.weights + fullest.draftWeights;
    const std::string cards = cardsInWords(scenario.hardware, plan.gpusInAll);
    const bool several = plan.gpusInAll > 1;
    if (loaded > fullest.memory) {
        v.headline = "The weights alone do not fit on " + cards;
        v.detail = writeBytes(loaded, unit) + " of weights" + (several ? " on the fullest GPU" : "") + " are " + writeBytes(loaded - fullest.memory, unit) + " more than the memory it has.";
        return;
    }
    v.headline = "No room for a cache is left on " + cards;
    v.detail = "Of " + writeBytes(fullest.memory, unit) + (several ? " on the fullest GPU" : "") + " weights take " + writeBytes(loaded, unit) + ", the engine withholds " +
               writeBytes(fullest.reserve, unit) + " and " + writeBytes(fullest.overhead - fullest.draftWeights, unit) + " go to its own buffers: " +
               writeBytes(-roomOf(fullest), unit) + " too much.";
}

std::string fewestSentence(const Scenario &scenario, std::int64_t fewest) {
    const std::int64_t count = fewestGpus(scenario, fewest);
    return " It takes " + counted(count, "GPU", "GPUs") + " of this kind" + (count > fewest ? "; " + writeNumber(fewest) + " by an odd split." : ".");
}

void wordNotFitting(const Scenario &scenario, const Plan &plan, SizeUnit unit, Verdict &v) {
    const std::int64_t sequences = scenario.workload.sequences.value;
    if (noRoomAtAll(plan)) {
        wordNoRoom(scenario, plan, unit, v);
    } else {
        v.headline = counted(sequences, "sequence", "sequences") + " of " + counted(scenario.workload.context.value, "token", "tokens") +
                     (sequences == 1 ? " does not fit: " : " do not fit: ");
        const std::int64_t most = plan.fit.maxSequences.value_or(0);
        v.headline += most == 0 ? "not one does" : writeNumber(most) + (most == 1 ? " does" : " do");
        // Bytes may be left while slots, a pool or a setting are not: then that is what limits.
        const Bytes missing = shortage(plan);
        if (missing > Bytes(0) || plan.fit.limit.empty())
            v.detail = "Short by " + writeBytes(missing, unit) + " over " + counted(plan.gpusInAll, "GPU", "GPUs") + ".";
        else
            v.detail = plan.fit.limit;
    }
    std::string smaller = smallerCache(scenario, plan);
    if (!smaller.empty()) {
        smaller.front() = smaller.front() == 'a' ? 'A' : smaller.front();
        v.detail += " " + smaller + ".";
    }
    if (plan.fit.maxContext && *plan.fit.maxContext > 0)
        v.detail += " " + counted(sequences, "sequence fits", "sequences fit") + " with up to " + writeNumber(*plan.fit.maxContext) + (*plan.fit.maxContext == 1 ? " token." : " tokens.");
    else if (plan.fit.minGpus)
        v.detail += fewestSentence(scenario, *plan.fit.minGpus);
}

/// What is said where everybody looks: the attention was assumed, since nobody knows this model. Empty: it is known.
std::string assumption(const Plan &plan) {
    for (const Note &note : plan.warnings)
        if (note.code == "unknown-architecture" || note.code == "unknown-model-type") {
            const std::string type = plan.model ? oneLine(plan.model->modelType, 60) : std::string();
            return " The KV cache is an assumption: " +
                   (type.empty() ? std::string("the file names no model type") : "the architecture \"" + type + "\" is not known") + ".";
        }
    return {};
}

/// The headline counts every sequence at the whole context; what requests of unlike lengths make of it.
std::string lengthsSentence(const Scenario &scenario, const InFlight *flight) {
    const SharedLengths &lengths = scenario.workload.distribution;
    if (!lengths)
        return {};
    if (flight) {
        const InFlightWords words = inFlightWords(*flight);
        std::string text = " " + words.fit + " " + words.most;
        if (flight->cut && !flight->reserved)
            text += " Some are longer than the context: a server would refuse those or cut them.";
        return text;
    }
    return " That is with each at the whole context; of the requests half have up to " + writeNumber(lengths->p50) + " tokens, 99 of 100 up to " + writeNumber(lengths->p99) + ".";
}

} // namespace

Verdict verdict(const Scenario &scenario, const Plan &plan, SizeUnit unit, const InFlight *inFlight) {
    Verdict v;
    if (!plan.ok()) {
        v.state = Verdict::State::Refused;
        v.headline = "This cannot be planned";
        v.detail = plan.refusal->text;
        return v;
    }
    const std::string assumed = assumption(plan);
    const bool beyond = beyondModelLimit(scenario).has_value();
    if (!plan.fit.fits) {
        v.state = Verdict::State::DoesNotFit;
        wordNotFitting(scenario, plan, unit, v);
    } else {
        const bool tight = freeInAll(plan) * tightDivisor < plan.fit.kvBudget;
        v.state = tight || beyond || plan.fit.uncertain || (inFlight && inFlight->cut) || !assumed.empty() || wouldNotStart(plan) ? Verdict::State::Tight : Verdict::State::Fits;
        wordFitting(scenario, plan, unit, v);
    }
    v.detail += lengthsSentence(scenario, inFlight);
    if (beyond)
        v.detail += " The model was made for up to " + counted(plan.model->maxContext->value, "token", "tokens") + ".";
    v.detail += assumed;
    v.detail += caveats(plan);
    return v;
}

std::string caveats(const Plan &plan) {
    std::string text;
    if (const Note *reason = wouldNotStart(plan))
        text += reason->code == "engine-not-on-card" ? " But the engine does not run on these cards."
                : reason->code == "type-beyond-card" ? " But the engine would not start with a cache of this type on these cards."
                                                     : " But no engine would start with this split of the model.";
    if (plan.weights.source == WeightSource::Unknown)
        text += " The weights are not counted: their size is not known.";
    return text;
}

} // namespace kv
