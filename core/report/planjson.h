// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Plan as JSON, with the names that `kvplanner plan --json` promises, and the object that stands for a refusal. Sizes are whole numbers
// of bytes; what is not known or has no limit is null; engines add their own keys under "engine". Keys may be added, none changes.

#include "core/base/json.h"
#include "core/launch/launch.h"
#include "core/plan/nearest.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <span>
#include <string>

namespace kv {

class JsonWriter;
struct PlanExtras;

/// Appends the plan, or the object of its refusal. `id` is the mark of a batch line, nullptr when it had none; with a launch command it is
/// told as "launch": {"command", "environment", "words", "file": {"name", "text"}, "notes"}, the command empty where there is none.
/// `extras`: what was asked for beside the plan; how the lengths add up stands under "lengths", the rest under keys of its own.
void appendPlanJson(std::string &out, const Scenario &scenario, const Plan &plan, const Json *id = nullptr, bool pretty = false,
                    const LaunchCommand *launch = nullptr, const PlanExtras *extras = nullptr);
/// {"ok": false, "id": …, "error": {"code", "message", "where", "try"}}; `instead`: what works in its place, as "try": [{"change", "set", "fits"}], where "set" is a merge patch to the scenario.
void appendRefusalJson(std::string &out, const Note &error, const Json *id = nullptr, bool pretty = false,
                       std::span<const Alternative> instead = {});

/// "warnings": [{"code", "text", "where"}].
void writeWarnings(JsonWriter &out, const Notes &warnings);

Json planToJson(const Scenario &scenario, const Plan &plan);
Json refusalToJson(const Note &error);

} // namespace kv
