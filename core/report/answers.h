// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The answers of solve, map and fleet on the command line, as text and as JSON.

#include "core/base/quantity.h"
#include "core/plan/fitmap.h"
#include "core/plan/fleet.h"
#include "core/plan/solve.h"

#include <string>

namespace kv {

std::string solutionJson(const Scenario &asked, const Solution &solution, Question question);

std::string fitMapText(const FitMap &map, SizeUnit unit); ///< the boundary alone: a line a context
std::string fitMapJson(const FitMap &map);
std::string settingsMapText(const SettingsMap &map);
std::string settingsMapJson(const Scenario &asked, const SettingsMap &map);

std::string fleetText(const Fleet &fleet);
std::string fleetJson(const Fleet &fleet);

} // namespace kv
