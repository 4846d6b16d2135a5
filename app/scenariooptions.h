// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The options that describe a scenario, as plan, render and log take them, and the scenario that they make.
//
// Each option is also a key of the scenario file and overrides what the file says there; without a file they override the first-start
// scenario. A given part takes with it what belonged to the part it replaces: another model leaves the weights of the old one behind,
// another card the memory set by hand, another engine the old one's options. What is left behind so is said in a warning.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace kv {

struct ScenarioOptions {
    using Text = std::optional<std::string>;
    Text scenarioFile, scenarioName;
    Text launchLine; ///< "vllm serve …"; "-": on standard input
    Text model, weightsDtype, weightsBytes;
    Text kvDtype, keyDtype, valueDtype;
    Text context, sequences, sharedPrefix, lengths, lengthsColumns, p50, p90, p99;
    std::vector<std::string> classes; ///< "name=chat,share=70,input=1500,output=300"
    Text gpu, gpus, gpuMemory, display, reserve, tp, pp, dp;
    Text engine;
    std::vector<std::string> engineOptions; ///< "KEY=VALUE"

    /// Whether any option changes the scenario itself.
    bool any() const;
};

/// Reads the file, applies the options, reads the result. Messages name the file, and the option where one is to blame.
Parsed<Scenario> readChosenScenario(const ScenarioOptions &options);

/// Puts the options into a scenario's object. Paths stay relative to the present folder, made absolute where `folder` is another.
void applyOptions(Json &scenario, const ScenarioOptions &options, const std::string &folder, Notes &notes);

/// Names the option in a message about a place that an option set ("workload.context" becomes "--context").
Note namedByOption(Note note, const ScenarioOptions &options);

} // namespace kv
