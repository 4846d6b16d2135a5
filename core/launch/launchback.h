// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What of a scenario its launch command does not say: the card, how many sequences run, what is given by hand. Told as the options of
// kvplanner that, beside --from-launch, make the same plan of the command again.

#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace kv {

/// Each with its value: "--gpu rtx-4090-24gb". `base` is what readLaunch() starts from. Empty: the command says it all, or starts nothing.
std::vector<std::string> optionsBesideLaunch(const Scenario &scenario, const Scenario &base);

} // namespace kv
