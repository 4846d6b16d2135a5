// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Scenarios as JSON: one object (a line of --batch, "--scenario FILE"), or a .kvplan document of several. Reading resolves the model
// (preset, path, inline config, inline GGUF metadata); unknown keys are kept and warned about once, on every level but one: an unknown
// engine option is refused, naming the nearest. Relative paths are taken from `folder`.

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

/// Reads a scenario over `base`: what the object does not say stays as it is in base (the first-start scenario for files).
Parsed<Scenario> readScenario(const Json &object, const std::string &folder, const Scenario &base);
Json writeScenario(const Scenario &scenario, const std::string &folder);

Parsed<ScenarioDocument> readDocument(std::string_view text, const std::string &source, const std::string &folder);
std::string writeDocument(const ScenarioDocument &document, const std::string &folder);

} // namespace kv
