// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The cards of a machine (hardware/machine.h) as a scenario's hardware. llama.cpp splits its layers over unlike cards; every other engine
// counts with alike ranks.

#include "core/hardware/machine.h"
#include "core/scenario/scenario.h"

namespace kv {

/// Cards that are alike, in the order in which they stand.
std::vector<Device> devicesOf(const Machine &machine);
/// Puts the machine's cards into a scenario: alike ones as a number of GPUs, unlike ones as devices where the engine takes them, else the
/// kind of which there is most memory. Cards that are not of the list become guests of it. Returns what should be said about that.
std::string takeMachine(Scenario &scenario, const Machine &machine);

} // namespace kv
