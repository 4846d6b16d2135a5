// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/plaintext.h"
#include "core/launch/launch.h"
#include "core/launch/launchback.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/report/csv.h"
#include "core/report/extras.h"
#include "core/report/html.h"
#include "core/report/latex.h"
#include "core/report/markdown.h"
#include "core/report/planjson.h"
#include "core/report/plantext.h"

#include <cstdio>

namespace kv {

namespace {

std::string written(const Scenario &scenario, const Plan &plan, const PlanExtras &extras, const CommandLine &line) {
    switch (line.form) {
    case Form::Text:
        return planText(scenario, plan, line.unit, &extras);
    case Form::Markdown:
        return planMarkdown(scenario, plan, line.unit, &extras);
    case Form::Csv:
        return planCsv(scenario, plan);
    case Form::Html:
        return planHtml(scenario, plan, line.unit, &extras, {}, {});
    case Form::Latex:
        return planLatex(scenario, plan, line.unit);
    case Form::Json:
        break;
    }
    std::string text;
    const LaunchCommand launch = launchCommand(scenario);
    appendPlanJson(text, scenario, plan, nullptr, true, &launch, &extras);
    return text + "\n";
}

/// The command alone, its remarks on standard error; refused where the engine is no server.
int printLaunch(const Scenario &scenario) {
    const LaunchCommand launch = launchCommand(scenario);
    if (launch.empty())
        return refuse(launch.notes.front(), Form::Text);
    for (const Note &note : launch.notes)
        std::fprintf(stderr, "kvplanner: note: %s\n", oneLine(note.text).c_str());
    std::string beside;
    for (const std::string &option : optionsBesideLaunch(scenario, firstScenario()))
        beside += " " + oneLine(option);
    if (!beside.empty())
        std::fprintf(stderr, "kvplanner: note: The command does not say%s: give that beside --from-launch to plan the same again.\n", beside.c_str());
    print(launch.script(true) + "\n");
    return ExitStatus::Made;
}

/// What would not start fits nobody.
int statusOf(const Plan &plan, const CommandLine &line) {
    return line.requireFit && !isPromised(plan) ? ExitStatus::DoesNotFit : ExitStatus::Made;
}

} // namespace

PlanExtras extrasOf(const Scenario &scenario, const Plan &plan, const CommandLine &line) {
    PlanExtras extras;
    extras.inFlight = inFlight(scenario, plan);
    if (line.levers)
        extras.levers = levers(scenario);
    extras.floor = decodeFloor(scenario, plan);
    return extras;
}

int runPlan(const CommandLine &line) {
    Parsed<Scenario> scenario = readChosenScenario(line.scenario);
    if (!scenario)
        return refuse(*firstError(scenario.notes), line.form);
    Plan plan = evaluate(*scenario);
    if (plan.refusal) {
        Note refusal = namedByOption(*plan.refusal, line.scenario);
        if (line.scenario.scenarioFile)
            refusal.text = oneLine(*line.scenario.scenarioFile) + ": " + refusal.text;
        return refuse(refusal, line.form, nearestThatWork(*scenario));
    }
    for (Note &warning : plan.warnings)
        if (warning.code == "size-without-unit")
            warning = namedByOption(std::move(warning), line.scenario);
    plan.warnings.insert(plan.warnings.begin(), scenario.notes.begin(), scenario.notes.end());
    if (line.launch && line.form != Form::Json) {
        warn(scenario.notes);
        const int status = printLaunch(*scenario);
        return status == ExitStatus::Made ? statusOf(plan, line) : status;
    }
    // Every other form says its warnings itself; a line of numbers has no place for them.
    if (line.form == Form::Csv || line.form == Form::Latex)
        warn(plan.warnings);
    print(written(*scenario, plan, extrasOf(*scenario, plan, line), line));
    return statusOf(plan, line);
}

} // namespace kv
