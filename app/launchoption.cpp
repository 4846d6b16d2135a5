// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/launchoption.h"

#include "core/base/quantity.h"
#include "core/launch/launch.h"
#include "core/plan/deploy.h"
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

/// The load that the line cannot know, given beside it: the line's limits become options of the engine then.
struct Load {
    ScenarioOptions options;
    bool context = false, sequences = false;
};

Load loadOf(const ScenarioOptions &given) {
    Load load;
    load.context = given.context.has_value();
    load.sequences = given.sequences.has_value();
    load.options.context = given.context;
    load.options.sequences = given.sequences;
    return load;
}

Parsed<Scenario> readLine(const std::string &text, Scenario base, const ScenarioOptions &options) {
    Parsed<Scenario> line = readLaunch(text, base);
    const Load load = loadOf(options);
    if (!line || (!load.context && !load.sequences))
        return line;
    Parsed<Scenario> given = over(*line, load.options);
    if (!given)
        return given;
    base.workload.context = load.context ? given->workload.context : line->workload.context;
    base.workload.sequences = load.sequences ? given->workload.sequences : line->workload.sequences;
    base.workload.sharedPrefix = Tokens(0);
    return readLaunch(text, base, LaunchLoad::Base);
}

/// What no line says and nobody gave beside it.
std::optional<Note> whatIsAssumed(const Scenario &scenario, const ScenarioOptions &options) {
    std::string assumed;
    const auto say = [&assumed](const std::string &what) { assumed += (assumed.empty() ? "" : ", ") + what; };
    const bool llama = scenario.engine.id == "llama-cpp";
    if (!options.gpu && llama && !options.gpus)
        say(cardsInWords(scenario.hardware, scenario.hardware.count.value) + " (--gpu, --gpus)");
    else if (!options.gpu)
        say(cardsInWords(scenario.hardware, scenario.hardware.count.value) + " (--gpu)");
    if (!options.sequences && !llama)
        say(writeNumber(scenario.workload.sequences.value) + (scenario.workload.sequences == Count(1) ? " sequence" : " sequences") + " (--sequences)");
    if (assumed.empty())
        return std::nullopt;
    return infoNote("launch-assumed", "--from-launch", "The line does not say these, and they are assumed: " + assumed + ".");
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
    Parsed<Scenario> line = readLine(lineOf(*options.launchLine), base, options);
    if (!line)
        return line;
    for (Note &note : line.notes)
        if (!options.model || !note.code.starts_with("model-"))
            notes.push_back(std::move(note));
    if (options.model)
        line.value->model = base.model;
    // A degree beside the line's says how many GPUs there are, with the line's others.
    if ((others.pp || others.dp) && !others.tp && !others.gpus && line->parallel.tp)
        others.tp = std::to_string(line->parallel.tp->value);
    Parsed<Scenario> result = over(*line, others);
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    if (result)
        if (std::optional<Note> assumed = whatIsAssumed(*result, options))
            result.notes.push_back(std::move(*assumed));
    return result;
}

} // namespace kv
