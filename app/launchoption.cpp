// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/launchoption.h"

#include "core/base/quantity.h"
#include "core/launch/launch.h"
#include "core/plan/deploy.h"
#include "core/plan/solve.h"
#include "core/scenario/scenariofile.h"

#include <algorithm>
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

/// A number of GPUs beside a line that splits the model: where the split takes so many it stays, else nobody can tell which of the degrees is
/// meant to change. A line without a split leaves it to the number, as everywhere.
std::optional<Note> takeGpusBeside(const Scenario &line, ScenarioOptions &others) {
    if (!others.gpus || others.tp || others.pp || others.dp || line.engine.id == "llama-cpp" || line.hardware.count == Count(1))
        return std::nullopt;
    const Parsed<Count> gpus = readCount(*others.gpus, "--gpus");
    if (!gpus) // refused where it is read
        return std::nullopt;
    if (*gpus == line.hardware.count) {
        others.gpus.reset();
        return std::nullopt;
    }
    return errorNote("count-contradicts-parallel", "--gpus",
                     "--gpus: the line splits the model as " + splitText(line) + ", which takes " + writeNumber(line.hardware.count.value) + " GPUs, not " + writeNumber(gpus->value) +
                         "; give --tp, --pp or --dp beside it");
}

/// What no line says and nobody gave beside it.
std::optional<Note> whatIsAssumed(const Scenario &scenario, const ScenarioOptions &options) {
    std::string assumed;
    const auto say = [&assumed](const std::string &what) { assumed += (assumed.empty() ? "" : ", ") + what; };
    const bool llama = scenario.engine.id == "llama-cpp";
    const bool counted = options.gpus || scenario.hardware.count != firstScenario().hardware.count; // -dev, -sm none
    if (!options.gpu && llama && !counted)
        say(cardsInWords(scenario.hardware, scenario.hardware.count.value) + " (--gpu, --gpus)");
    else if (llama && !counted && scenario.hardware.devices.empty())
        say("that there are " + writeNumber(scenario.hardware.count.value) + " of these cards (--gpus)");
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
    if (std::optional<Note> refused = takeGpusBeside(*line, others))
        return {std::nullopt, {std::move(*refused)}};
    Parsed<Scenario> result = over(*line, others);
    // The length that fits is that of the cards and options beside the line.
    const auto automatic = std::ranges::find(notes, "length-that-fits", &Note::code);
    if (result && automatic != notes.end())
        *automatic = planLongestThatFits(*result.value, options.context || options.sequences ? LaunchLoad::Base : LaunchLoad::Line);
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    if (result)
        if (std::optional<Note> assumed = whatIsAssumed(*result, options))
            result.notes.push_back(std::move(*assumed));
    return result;
}

} // namespace kv
