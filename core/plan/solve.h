// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The question turned round: not whether these settings fit, but which would. Each answer is looked for with the engine's own judgement
// at every candidate, so that a budget that depends on what is asked for (vLLM's activations on the longest request) is met at its fixed
// point: it fits at the answer, and at the next step beyond it does not.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>

namespace kv {

enum class Question : std::uint8_t {
    Users,       ///< most sequences at this context
    Context,     ///< longest context for these sequences, up to the model's limit
    Gpus,        ///< fewest GPUs of this kind for this load, in a split that is deployed (deployable.h); dp is kept. Also where the present split is refused
    Utilization, ///< least share of the memory that the engine must plan with, in thousandths
};

struct Solution {
    std::optional<Note> refusal;        ///< set: the question has no answer here, for this reason
    std::optional<std::int64_t> answer; ///< sequences, tokens, GPUs, thousandths; absent: no limit, as the sentence says
    bool atLimit = false;               ///< the model's or the engine's own limit stops it, not the memory
    std::string option;                 ///< of Utilization: the option that takes the answer
    std::string sentence;
    Scenario scenario;                  ///< the scenario with the answer put in; as it was where there is none
    Notes warnings;                     ///< of the plan with the answer, what that without it did not say
    bool fits = false;                  ///< whether that one fits: not where even the least asks for too much
};

Solution solve(const Scenario &scenario, Question question);

/// The scenario on so many GPUs, split as the engine takes it: tensor parallel as far as it goes, then pipeline stages; dp kept. The first
/// split that fits and with which an engine would start, else the first that fits; otherwise nothing.
std::optional<Scenario> onGpus(const Scenario &scenario, std::int64_t gpus);

/// "TP 1 × PP 7", "TP 4 × DP 2": tp always, the others where they split anything.
std::string splitText(const Scenario &scenario);
/// "8 (TP 8); 7 by an odd split" for the fewest GPUs of a plan; the number alone where no split of it is known to fit.
std::string fewestText(const Scenario &scenario, std::int64_t gpus);

} // namespace kv
