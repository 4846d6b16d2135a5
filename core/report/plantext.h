// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plan as plain text for a terminal: the verdict first, then what it rests on. UTF-8, no colours, lines of a terminal's width where
// names allow.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>

namespace kv {

struct PlanExtras;

std::string planText(const Scenario &scenario, const Plan &plan, SizeUnit unit, const PlanExtras *extras = nullptr);

} // namespace kv
