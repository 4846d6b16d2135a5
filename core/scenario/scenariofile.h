// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Scenarios as JSON: one object (a line of --batch, "--scenario FILE"), or a .kvplan document of several. Reading resolves the model
// (preset, path, inline config, inline GGUF metadata); unknown keys are kept and warned about once, on every level but one: an unknown
// engine option is refused, naming the nearest (by evaluate, which knows the engines). Relative paths are taken from `folder`.
//
// What was loaded from a path is embedded when written, and what is embedded comes first when read, so that a file opens to the same plan
// on any machine. A version newer than ours is read as far as it is understood, with a warning, and written back with its own number.

#include "core/base/units.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct ScenarioDocument {
    std::vector<Scenario> scenarios;
    std::size_t current = 0;
    Json unknown; ///< keys of the document level that this version does not know

    bool operator==(const ScenarioDocument &) const = default;
};

inline constexpr std::int64_t scenarioVersion = 1;
/// Largest .kvplan that is read: dozens of scenarios with their models embedded have a few hundred kB.
inline constexpr std::int64_t maxScenarioBytes = 64 * mebibyte;

/// Reads a scenario over `base`: what the object does not say stays as it is in base (the first-start scenario for files). A base
/// without a model makes the model a part that the object must name.
Parsed<Scenario> readScenario(const Json &object, const std::string &folder, const Scenario &base);
/// The same as it stands in a file: `prefix` ("scenarios[1].") goes before every place that a message names, and an embedded config must
/// hold its numbers as numbers.
Parsed<Scenario> readScenarioAt(const Json &object, const std::string &folder, const Scenario &base, std::string_view prefix);
Json writeScenario(const Scenario &scenario, const std::string &folder);

/// firstScenario() without its model: what a scenario from a file is read over.
Scenario scenarioDefaults();

Parsed<ScenarioDocument> readDocument(std::string_view text, const std::string &source, const std::string &folder);
std::string writeDocument(const ScenarioDocument &document, const std::string &folder);

/// A document's outer part: which objects are its scenarios, and which of them is the current one.
struct ScenarioTable {
    std::vector<const Json *> scenarios; ///< point into the root that was given; one for a scenario alone
    std::size_t current = 0;
    bool isTable = false; ///< whether the root has "scenarios"
    Json unknown;
};
Parsed<ScenarioTable> readTable(const Json &root);

/// Notes an error for a "kvplan" that is no version number, a warning for one that is newer than scenarioVersion.
void checkScenarioVersion(const Json &root, Notes &notes);

} // namespace kv
