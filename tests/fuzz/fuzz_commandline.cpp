// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line, a word a line: read, or refused with the word to blame. Options given once more, one by one and in another order, say
// the same; what they make of the first scenario is a plan or a refusal. No command is run, and no path that leads out of the folder is followed.
#include "app/commandline.h"
#include "core/scenario/scenariofile.h"
#include "tests/fuzz/fuzzing.h"

#include <array>

using namespace kv;

namespace {

using Options = ScenarioOptions;
struct Named {
    const char *option;
    Options::Text Options::*field;
};
constexpr std::array named{
    Named{"--scenario", &Options::scenarioFile}, Named{"--scenario-name", &Options::scenarioName}, Named{"--from-launch", &Options::launchLine},
    Named{"--model", &Options::model}, Named{"--weights-dtype", &Options::weightsDtype}, Named{"--weights-bytes", &Options::weightsBytes},
    Named{"--kv-dtype", &Options::kvDtype}, Named{"--k-dtype", &Options::keyDtype}, Named{"--v-dtype", &Options::valueDtype},
    Named{"--context", &Options::context}, Named{"--sequences", &Options::sequences}, Named{"--shared-prefix", &Options::sharedPrefix},
    Named{"--lengths", &Options::lengths}, Named{"--lengths-columns", &Options::lengthsColumns}, Named{"--p50", &Options::p50},
    Named{"--p90", &Options::p90}, Named{"--p99", &Options::p99}, Named{"--gpu", &Options::gpu}, Named{"--gpus", &Options::gpus},
    Named{"--gpu-memory", &Options::gpuMemory}, Named{"--display", &Options::display}, Named{"--reserve", &Options::reserve},
    Named{"--tp", &Options::tp}, Named{"--pp", &Options::pp}, Named{"--dp", &Options::dp}, Named{"--engine", &Options::engine},
};

std::vector<std::string> wordsOf(std::string_view bytes) {
    std::vector<std::string> words{"kvplanner"};
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view word = bytes.substr(0, end);
        words.emplace_back(word.substr(0, word.find('\0')));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return words;
}

CommandLineResult read(std::vector<std::string> words) {
    std::vector<char *> pointers;
    for (std::string &word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return readCommandLine(static_cast<int>(words.size()), pointers.data());
}

bool alike(const Options &a, const Options &b) {
    return a.classes == b.classes && a.engineOptions == b.engineOptions && std::ranges::all_of(named, [&](const Named &n) { return a.*n.field == b.*n.field; });
}

/// The same options as "--name=value", the last first.
void checkAgain(const CommandLine &line) {
    std::vector<std::string> words{"kvplanner", "plan"};
    const auto add = [&words](const std::string &option, const std::string &value) {
        words.push_back(option + (value.empty() ? std::string() : "=" + value));
        if (value.empty()) // behind "=" an empty text is none: the next word would be it
            words.emplace_back();
    };
    for (const std::string &option : line.scenario.engineOptions)
        add("--engine-option", option);
    for (const std::string &kind : line.scenario.classes)
        add("--class", kind);
    for (std::size_t i = named.size(); i-- > 0;)
        if (const Options::Text &value = line.scenario.*named[i].field)
            add(named[i].option, *value);
    const CommandLineResult again = read(std::move(words));
    fuzz::require(!again.error && alike(again.line.scenario, line.scenario), "the same options say the same");
}

bool leadsAway(const Options &options) {
    const auto away = [](const Options::Text &text) { return text && (text->find_first_of("/~") != std::string::npos || text == ".."); };
    const bool file = away(options.model) || away(options.lengths);
    const bool draft = std::ranges::any_of(options.engineOptions, [](const std::string &option) { return option.find('/') != std::string::npos; });
    return file || draft || options.scenarioFile || options.launchLine || options.gpu == "this-machine";
}

void checkScenario(const Options &options) {
    static const Scenario first = firstScenario();
    Json object = Json::object();
    Notes notes;
    applyOptions(object, options, {}, notes);
    fuzz::checkNotes(notes);
    if (hasError(notes))
        return;
    const Parsed<Scenario> scenario = readScenario(object, {}, first);
    fuzz::checkParsed(scenario);
    for (const Note &note : scenario.notes)
        fuzz::checkNote(namedByOption(note, options));
    if (scenario)
        if (const Plan plan = evaluate(*scenario); plan.refusal)
            fuzz::checkNote(namedByOption(*plan.refusal, options));
}

} // namespace

KV_FUZZ(bytes) {
    const std::vector<std::string> words = wordsOf(bytes);
    const CommandLineResult asked = read(words);
    if (asked.error)
        fuzz::checkNote(*asked.error);
    if (asked.error || !asked.line.help.empty() || !asked.line.scenario.any())
        return;
    if (fuzz::inOneOf(bytes, 4))
        checkAgain(asked.line);
    if (fuzz::inOneOf(bytes, 16) && !leadsAway(asked.line.scenario))
        checkScenario(asked.line.scenario);
}
