// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/plaintext.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/plan/fitmap.h"
#include "core/plan/nearest.h"
#include "core/report/answers.h"

#include <algorithm>

namespace kv {

namespace {

/// "1k-1M" into two numbers of a kind; notes say what is wrong.
template <typename Q, typename Read>
void readRange(const std::optional<std::string> &given, const char *option, Read read, Q &from, Q &to, Notes &notes) {
    if (!given)
        return;
    const std::size_t dash = given->find('-');
    const auto low = read(std::string_view(*given).substr(0, dash), option);
    const auto high = read(dash == std::string::npos ? std::string_view() : std::string_view(*given).substr(dash + 1), option);
    if (!low || !high || low->value < 1 || high->value <= low->value) {
        notes.push_back(errorNote("bad-value", option, std::string(option) + ": expected FROM-TO such as 1k-128k, rising and from 1 on, found \"" + oneLine(*given, 60) + "\""));
        return;
    }
    from = *low;
    to = *high;
}

void readGrid(const std::optional<std::string> &given, FitMapAxes &axes, Notes &notes) {
    if (!given)
        return;
    constexpr std::int64_t most = 1024;
    const std::size_t cross = given->find('x');
    const Parsed<Count> columns = readCount(std::string_view(*given).substr(0, cross), "--grid");
    const Parsed<Count> rows = readCount(cross == std::string::npos ? std::string_view() : std::string_view(*given).substr(cross + 1), "--grid");
    const auto taken = [](const Parsed<Count> &number) { return number && number->value >= 2 && number->value <= most; };
    if (!taken(columns) || !taken(rows)) {
        notes.push_back(errorNote("bad-value", "--grid", "--grid: expected two numbers from 2 to 1024 such as 64x64, found \"" + oneLine(*given, 60) + "\""));
        return;
    }
    axes.columns = static_cast<std::size_t>(columns->value);
    axes.rows = static_cast<std::size_t>(rows->value);
}

/// What the map's reader should know: what the plan says, also at its longest context.
Notes warningsOf(const Parsed<Scenario> &scenario, Tokens longest) {
    Notes warnings = notesOn(scenario, *scenario);
    Scenario asked = *scenario;
    asked.workload.context = longest;
    if (std::optional<Note> beyond = beyondModelLimit(asked); beyond && std::ranges::find(warnings, beyond->code, &Note::code) == warnings.end())
        warnings.push_back(std::move(*beyond));
    warn(warnings, true);
    return warnings;
}

int printSettings(const Parsed<Scenario> &read, const CommandLine &line) {
    const Scenario &scenario = *read;
    constexpr std::int64_t most = 1024;
    const Parsed<Count> upTo = readCount(*line.settingsUpTo, "--settings");
    if (!upTo || upTo->value < 1 || upTo->value > most)
        return refuse(errorNote("bad-value", "--settings", "--settings: expected a number of GPUs from 1 to 1024, found \"" + oneLine(*line.settingsUpTo, 60) + "\""), line.form);
    if (!scenario.hardware.devices.empty())
        return refuse(errorNote("unlike-devices", "hardware.devices", "hardware.devices: the map of settings counts alike cards"), line.form);
    const SettingsMap map = settingsMap(scenario, upTo->value);
    const Notes warnings = warningsOf(read, scenario.workload.context);
    print(line.form == Form::Json ? settingsMapJson(scenario, map, warnings) : line.form == Form::Csv ? settingsMapCsv(map) : settingsMapText(map));
    return ExitStatus::Made;
}

} // namespace

int runMap(const CommandLine &line) {
    const Parsed<Scenario> scenario = readChosenScenario(line.scenario);
    if (!scenario)
        return refuse(*firstError(scenario.notes), line.form);
    if (const Plan plan = evaluateHere(*scenario); plan.refusal)
        return refuse(namedByOption(*plan.refusal, line.scenario), line.form, nearestThatWork(*scenario));
    if (line.settingsUpTo)
        return printSettings(scenario, line);
    FitMapAxes axes;
    axes.columns = axes.rows = 11; // 1k, 2k, … 1M
    Notes notes;
    readRange(line.contexts, "--contexts", readTokens, axes.fromContext, axes.toContext, notes);
    readRange(line.sequences, "--counts", readCount, axes.fromSequences, axes.toSequences, notes);
    readGrid(line.grid, axes, notes);
    if (const Note *error = firstError(notes))
        return refuse(*error, line.form);
    const FitMap map = fitMap(*scenario, axes);
    const Notes warnings = warningsOf(scenario, axes.toContext);
    print(line.form == Form::Json ? fitMapJson(map, warnings) : line.form == Form::Csv ? fitMapCsv(map) : fitMapText(map, line.unit));
    return ExitStatus::Made;
}

} // namespace kv
