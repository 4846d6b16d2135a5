// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The answers of solve, map and fleet on the command line, as text and as JSON.

#include "core/base/quantity.h"
#include "core/plan/fitmap.h"
#include "core/plan/fleet.h"
#include "core/plan/inflight.h"
#include "core/plan/solve.h"

#include <string>

namespace kv {

/// `warnings` stand under "warnings"; how unlike lengths add up, where they were asked about, under "lengths".
std::string solutionJson(const Scenario &asked, const Solution &solution, Question question, const Notes &warnings = {}, const InFlight *inFlight = nullptr);

std::string fitMapText(const FitMap &map, SizeUnit unit); ///< the boundary alone: a line a context
std::string fitMapMarkdown(const FitMap &map, SizeUnit unit);
std::string fitMapJson(const FitMap &map, const Notes &warnings = {});
std::string settingsMapText(const SettingsMap &map);
std::string settingsMapMarkdown(const SettingsMap &map);
std::string settingsMapJson(const Scenario &asked, const SettingsMap &map, const Notes &warnings = {});

std::string fleetText(const Fleet &fleet);
std::string fleetJson(const Fleet &fleet, const Notes &warnings = {});

} // namespace kv
