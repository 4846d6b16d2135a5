// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenariofile.h"

#include "core/base/plaintext.h"
#include "core/scenario/section.h"

#include <array>

namespace kv {

namespace {

constexpr std::array<std::string_view, 3> tableKeys{"kvplan", "current", "scenarios"};

/// The index of the current scenario: 0 when nothing is said.
std::size_t readCurrent(const Json &root, std::size_t scenarios, Notes &notes) {
    const Json *current = root.find("current");
    if (!current || current->isNull())
        return 0;
    if (current->kind() == Json::Kind::Integer && current->integer() >= 0 && static_cast<std::size_t>(current->integer()) < scenarios)
        return static_cast<std::size_t>(current->integer());
    notes.push_back(errorNote("bad-value", "current",
                              "current: expected the place of a scenario in the list, 0 to " + std::to_string(scenarios - 1) + ", found " + describe(*current)));
    return 0;
}

} // namespace

Scenario scenarioDefaults() {
    Scenario scenario = firstScenario();
    scenario.model = {};
    return scenario;
}

void checkScenarioVersion(const Json &root, Notes &notes) {
    const Json *version = root.find("kvplan");
    if (!version)
        return;
    if (version->kind() != Json::Kind::Integer || version->integer() < 1) {
        notes.push_back(errorNote("bad-version", "kvplan", "kvplan: expected the version of the format, " + std::to_string(scenarioVersion) + ", found " + describe(*version)));
        return;
    }
    if (version->integer() > scenarioVersion)
        notes.push_back(warningNote("newer-version", "kvplan",
                                    "the scenario was written in version " + std::to_string(version->integer()) + " of the format, this program knows version " +
                                        std::to_string(scenarioVersion) + ": what it does not know is kept and has no effect"));
}

Parsed<ScenarioTable> readTable(const Json &root) {
    Parsed<ScenarioTable> out;
    if (!root.isObject()) {
        out.notes.push_back(errorNote("bad-value", "scenario", "expected a scenario or a table of scenarios, which is an object, found " + describe(root)));
        return out;
    }
    ScenarioTable table;
    const Json *list = root.find("scenarios");
    if (!list) {
        table.scenarios.push_back(&root);
        out.value = std::move(table);
        return out;
    }
    table.isTable = true;
    checkScenarioVersion(root, out.notes);
    if (!list->isArray())
        out.notes.push_back(errorNote("bad-value", "scenarios", "scenarios: expected an array of scenarios, found " + describe(*list)));
    else if (list->items().empty())
        out.notes.push_back(errorNote("no-scenario", "scenarios", "scenarios: the list is empty, so there is no scenario to plan"));
    if (hasError(out.notes))
        return out;
    for (const Json &item : list->items())
        table.scenarios.push_back(&item);
    table.current = readCurrent(root, table.scenarios.size(), out.notes);
    std::string places;
    Section(root, {}, {}, tableKeys, out.notes).keepUnknown(table.unknown, places);
    if (!places.empty())
        out.notes.push_back(warningNote("unknown-key", "", "not known to this version, kept and without effect: " + places));
    if (const Json *kept = table.unknown.find("")) {
        Json inner = *kept;
        table.unknown = std::move(inner);
    }
    if (const Json *version = root.find("kvplan"); version && *version != Json(scenarioVersion))
        table.unknown.set("kvplan", *version);
    if (!hasError(out.notes))
        out.value = std::move(table);
    return out;
}

Parsed<ScenarioDocument> readDocument(std::string_view text, const std::string &source, const std::string &folder) {
    Parsed<ScenarioDocument> out;
    const auto take = [&out](const Notes &notes) { out.notes.insert(out.notes.end(), notes.begin(), notes.end()); };
    const Parsed<Json> root = parseJson(text, source);
    take(root.notes);
    if (!root)
        return out;
    Parsed<ScenarioTable> table = readTable(*root);
    take(table.notes);
    if (!table)
        return out;
    ScenarioDocument document;
    document.current = table->current;
    document.unknown = table->unknown;
    const Scenario base = scenarioDefaults();
    for (std::size_t i = 0; i < table->scenarios.size(); ++i) {
        const std::string prefix = table->isTable ? "scenarios[" + std::to_string(i) + "]." : std::string();
        Parsed<Scenario> scenario = readScenarioAt(*table->scenarios[i], folder, base, prefix);
        take(scenario.notes);
        if (scenario)
            document.scenarios.push_back(std::move(*scenario.value));
    }
    if (!hasError(out.notes))
        out.value = std::move(document);
    return out;
}

std::string writeDocument(const ScenarioDocument &document, const std::string &folder) {
    Json root = Json::object();
    root.set("kvplan", scenarioVersion);
    root.set("current", static_cast<std::int64_t>(document.current));
    Json &list = root.set("scenarios", Json::array());
    for (const Scenario &scenario : document.scenarios)
        list.push(writeScenario(scenario, folder));
    for (const auto &[key, value] : document.unknown.members())
        root.set(key, value);
    constexpr int indent = 2;
    return writeJson(root, indent) + "\n";
}

} // namespace kv
