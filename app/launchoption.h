// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The option --from-launch: the scenario is a pasted launch command, and the other options replace their parts of it. What the line does not
// say (the GPU, the sequences) is that of the first-start scenario.

#include "app/scenariooptions.h"

namespace kv {

Parsed<Scenario> readLaunchScenario(const ScenarioOptions &options);

} // namespace kv
