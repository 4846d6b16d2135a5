// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Plan as JSON, with the names that `kvplanner plan --json` promises, and the object that stands for a refusal.

#include "core/base/json.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>

namespace kv {

Json planToJson(const Scenario &scenario, const Plan &plan);
/// {"ok": false, "error": {"code", "message", "where"}}
Json refusalToJson(const Note &error);

} // namespace kv
