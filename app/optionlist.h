// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The options that set a scenario, the same for every command that plans one, with their help. Their values are kept as they are typed;
// app/scenariooptions.h reads them.

#include "app/scenariooptions.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace kv {

/// Adds an option whose value is kept as it is typed; of several the last counts, as people append to a command.
CLI::Option *addText(CLI::App &app, const char *name, ScenarioOptions::Text &field, const char *type, const char *help, const char *group);
void addScenarioOptions(CLI::App &app, ScenarioOptions &options);

} // namespace kv
