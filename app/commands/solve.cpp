// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/plan/nearest.h"
#include "core/plan/solve.h"
#include "core/report/answers.h"

namespace kv {

namespace {

Question questionOf(const std::string &word) {
    return word == "users" ? Question::Users : word == "context" ? Question::Context : word == "gpus" ? Question::Gpus : Question::Utilization;
}

} // namespace

int runSolve(const CommandLine &line) {
    const Parsed<Scenario> scenario = readChosenScenario(line.scenario);
    if (!scenario)
        return refuse(*firstError(scenario.notes), line.form);
    const Question question = questionOf(line.question);
    const Solution solution = solve(*scenario, question);
    if (solution.refusal)
        return refuse(namedByOption(*solution.refusal, line.scenario), line.form, nearestThatWork(*scenario));
    print(line.form == Form::Json ? solutionJson(*scenario, solution, question) : solution.sentence + "\n");
    return ExitStatus::Made;
}

} // namespace kv
