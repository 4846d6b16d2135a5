// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/plan/caveats.h"
#include "core/plan/nearest.h"
#include "core/plan/evaluate.h"
#include "core/plan/inflight.h"
#include "core/plan/solve.h"
#include "core/report/answers.h"

#include <cctype>

namespace kv {

namespace {

Question questionOf(const std::string &word) {
    return word == "users" ? Question::Users : word == "context" ? Question::Context : word == "gpus" ? Question::Gpus : Question::Utilization;
}

/// A sentence that goes on after a comma: only a word's letter is lowered.
std::string lowered(std::string sentence) {
    if (!sentence.empty())
        sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
    return sentence;
}

} // namespace

int runSolve(const CommandLine &line) {
    const Parsed<Scenario> scenario = readChosenScenario(line.scenario);
    if (!scenario)
        return refuse(*firstError(scenario.notes), line.form);
    const Question question = questionOf(line.question);
    Solution solution = solve(*scenario, question);
    if (solution.refusal)
        return refuse(namedByOption(*solution.refusal, line.scenario), line.form, nearestThatWork(*scenario));
    const Notes warnings = notesOn(scenario, solution.scenario);
    std::optional<InFlight> lengths;
    if (question == Question::Users && scenario->workload.distribution)
        lengths = inFlight(*scenario, evaluateHere(*scenario));
    if (lengths)
        solution.sentence += " With the lengths given, " + lowered(inFlightWords(*lengths).most);
    solution.sentence += caveats(evaluateHere(solution.scenario));
    warn(warnings, true);
    print(line.form == Form::Json ? solutionJson(*scenario, solution, question, warnings, lengths ? &*lengths : nullptr) : solution.sentence + "\n");
    return ExitStatus::Made;
}

} // namespace kv
