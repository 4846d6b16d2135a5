// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/launchoption.h"

#include "core/launch/launch.h"
#include "core/scenario/scenariofile.h"

#include <iostream>
#include <iterator>

namespace kv {

namespace {

constexpr std::size_t longestLine = 1 << 20;

Parsed<Scenario> over(const Scenario &base, const ScenarioOptions &options) {
    Json object = Json::object();
    Notes notes;
    applyOptions(object, options, {}, notes);
    Parsed<Scenario> scenario;
    if (!hasError(notes))
        scenario = readScenario(object, {}, base);
    scenario.notes.insert(scenario.notes.begin(), notes.begin(), notes.end());
    for (Note &note : scenario.notes)
        note = namedByOption(std::move(note), options);
    return scenario;
}

std::string lineOf(const std::string &given) {
    if (given != "-")
        return given;
    // One byte more than is taken: the reader then says that it is too long.
    std::string text(longestLine + 1, '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::cin.gcount()));
    return text;
}

} // namespace

Parsed<Scenario> readLaunchScenario(const ScenarioOptions &options) {
    // A model given by hand stands for the line's, which need not be known then.
    ScenarioOptions modelAlone, others = options;
    modelAlone.model = options.model;
    others.model.reset();
    Scenario base = firstScenario();
    Notes notes;
    if (options.model) {
        Parsed<Scenario> chosen = over(base, modelAlone);
        if (!chosen)
            return chosen;
        notes = chosen.notes;
        base.model = chosen->model;
    } else {
        base.model = {};
    }
    Parsed<Scenario> line = readLaunch(lineOf(*options.launchLine), base);
    if (!line)
        return line;
    for (Note &note : line.notes)
        if (!options.model || !note.code.starts_with("model-"))
            notes.push_back(std::move(note));
    if (options.model)
        line.value->model = base.model;
    Parsed<Scenario> result = over(*line, others);
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    return result;
}

} // namespace kv
