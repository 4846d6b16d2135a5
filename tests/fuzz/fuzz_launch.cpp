// SPDX-License-Identifier: GPL-3.0-or-later
//
// A launch command. Words survive quoting; what a line says is a scenario, and the command written for that scenario says the same again.
#include "core/launch/launch.h"
#include "core/launch/launchline.h"
#include "core/launch/shellwords.h"
#include "core/model/catalogue.h"
#include "tests/fuzz/fuzzing.h"

using namespace kv;

namespace {

const Scenario &base() {
    static const Scenario scenario = [] {
        Scenario made = firstScenario();
        made.model = {"llama-3.1-8b", {}, {}, *presetModel("llama-3.1-8b")};
        made.hardware.count = Count(1);
        return made;
    }();
    return scenario;
}

void checkWords(std::string_view bytes) {
    const Parsed<ShellWords> split = splitShellWords(bytes);
    fuzz::checkParsed(split);
    if (!split)
        return;
    std::string quoted;
    for (const std::string &word : split->words)
        quoted += (quoted.empty() ? "" : " ") + quoteShellWord(word);
    const Parsed<ShellWords> again = splitShellWords(quoted);
    fuzz::require(again && again->words == split->words && again->rest.empty(), "quoted words come back");
}

} // namespace

KV_FUZZ(bytes) {
    checkWords(bytes);
    const Parsed<LaunchLine> line = parseLaunchLine(bytes);
    fuzz::checkParsed(line);
    if (!line)
        return;
    for (const auto &[flag, value] : line->flags)
        fuzz::require(flag != nullptr, "a flag is one of the table's");
    if (!fuzz::inOneOf(bytes, 4))
        return;
    const Parsed<Scenario> scenario = readLaunch(bytes, base());
    fuzz::checkParsed(scenario);
    if (!scenario)
        return;
    fuzz::require(scenario->engine.id == line->engine && scenario->model.spec, "an engine and a model");
    const LaunchCommand command = launchCommand(*scenario);
    fuzz::checkNotes(command.notes);
    if (command.empty())
        return;
    const Parsed<Scenario> again = readLaunch(command.text(true), *scenario);
    fuzz::require(again.value.has_value(), "a written command can be read");
    fuzz::require(launchCommand(*again).text() == command.text(), "and is written the same again");
}
