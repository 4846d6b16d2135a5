// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/plaintext.h"
#include "core/plan/caveats.h"
#include "core/plan/evaluate.h"
#include "core/plan/fleet.h"
#include "core/plan/nearest.h"
#include "core/report/answers.h"

#include <charconv>
#include <cmath>

namespace kv {

namespace {

std::optional<double> readNumber(const std::optional<std::string> &given, const char *option, Notes &notes) {
    if (!given)
        return std::nullopt;
    double number = 0;
    const char *end = given->data() + given->size();
    const auto [at, fault] = std::from_chars(given->data(), end, number);
    if (fault == std::errc() && at == end && std::isfinite(number) && number >= 0)
        return number;
    notes.push_back(errorNote("bad-value", option, std::string(option) + ": expected a number of 0 or more, found \"" + oneLine(*given, 60) + "\""));
    return std::nullopt;
}

std::optional<std::int64_t> readWhole(const std::optional<std::string> &given, const char *option, Notes &notes) {
    if (!given)
        return std::nullopt;
    const Parsed<Count> count = readCount(*given, option);
    notes.insert(notes.end(), count.notes.begin(), count.notes.end());
    return count ? std::optional(count->value) : std::nullopt;
}

} // namespace

int runFleet(const CommandLine &line) {
    Parsed<Scenario> scenario = readChosenScenario(line.scenario);
    if (!scenario)
        return refuse(*firstError(scenario.notes), line.form);
    Notes notes;
    FleetTarget target = scenario.value->fleet;
    // Of the two ways to give a load the one on the command line takes the file's place.
    if (line.users)
        target.requestsPerSecond.reset();
    if (line.rate)
        target.users.reset();
    if (line.users)
        target.users = readWhole(line.users, "--users", notes);
    if (line.rate)
        target.requestsPerSecond = readNumber(line.rate, "--rate", notes);
    if (line.seconds)
        target.secondsPerRequest = readNumber(line.seconds, "--seconds", notes);
    if (line.lost)
        target.lost = readWhole(line.lost, "--lost", notes).value_or(0);
    if (const std::optional<double> price = readNumber(line.price, "--price", notes))
        scenario.value->hardware.pricePerGpuHour = price;
    if (const Note *error = firstError(notes))
        return refuse(*error, line.form);
    if (!target.users && !(target.requestsPerSecond && target.secondsPerRequest))
        return refuse(errorNote("usage", "--users", "give the load: --users N, or --rate requests a second with --seconds a request"), line.form);
    const Plan plan = evaluateHere(*scenario);
    if (plan.refusal)
        return refuse(namedByOption(*plan.refusal, line.scenario), line.form, nearestThatWork(*scenario));
    const std::optional<InFlight> lengths = inFlight(*scenario, plan);
    const Fleet made = fleet(*scenario, plan, target, lengths ? &*lengths : nullptr);
    if (made.refusal)
        return refuse(*made.refusal, line.form);
    const Notes warnings = notesOn(scenario, *scenario);
    warn(warnings, true);
    print(line.form == Form::Json ? fleetJson(made, warnings) : fleetText(made) + (caveats(plan).empty() ? std::string() : caveats(plan).substr(1) + "\n"));
    return ExitStatus::Made;
}

} // namespace kv
