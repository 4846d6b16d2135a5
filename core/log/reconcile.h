// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A start-up log beside the plan for the same settings: value in, value out, for the command line and the window alike.
//
//   reconcile(log, base)     the whole: finds the model, fills a scenario from the log, plans it, lists what differs and why
//   scenarioFromLog          the scenario alone; what the log leaves open stays as in base
//   compareWithLog           a scenario of the caller's (with options of its own) against the log
//   calibrate                the scenario with the log's measurements in place of the estimates, marked as measured
//
// A difference names its cause in the terms of the engine's own log: "the log counts blocks ÷ 4 groups", "blocks × 16", "the overhead is
// an estimate", "one rank against the sum". Where memory differs, the tokens are also counted from the memory that the log prints, so
// that the layout of the cache is judged apart from the estimate of what is left for it. Only findLoggedModel() touches the disk.

#include "core/log/serverlog.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace kv {

enum class LoggedUnit : std::uint8_t { Size, Length, Number, Times };

struct LogDifference {
    std::string quantity; ///< as the log's JSON names it: "tokens", "available_kv_bytes"
    std::string name;     ///< for people: "Tokens of the cache"
    LoggedUnit unit = LoggedUnit::Size;
    /// Absent: silent, or not planned. Times are in hundredths, as logs print them (33.04× is 3,304).
    std::optional<std::int64_t> logged, planned;
    std::optional<std::int64_t> plannedFromLogged; ///< planned from the memory that the log prints, where that differs
    bool agrees = false; ///< as far as the log's rounding tells
    std::string text;    ///< why, in words; empty where there is nothing to say

    std::optional<std::int64_t> difference() const {
        const std::int64_t apart = logged && planned ? checked::sub(*planned, *logged) : outOfRangeValue;
        return apart == outOfRangeValue ? std::nullopt : std::optional(apart);
    }
};

struct Reconciliation {
    Scenario scenario;
    std::optional<Plan> plan;   ///< absent: noPlan says why
    std::optional<Note> noPlan;
    std::vector<LogDifference> differences;
    Notes notes; ///< what was assumed where the log is silent
};

/// The model that a log names: a preset by its repository or name, a file or folder, a model of the stores on this machine. Without a
/// spec where it is not found; the notes say what was taken for it.
struct LoggedModel {
    ModelChoice choice;
    Notes notes;
    std::string drafter; ///< preset or path of the model of its own that drafts; empty: none is named, or none known
};
LoggedModel findLoggedModel(const ServerLog &log);

/// Lays the log's drafter under scenarioFromLog(), unless the scenario has one for this engine.
void takeDrafter(const ServerLog &log, const LoggedModel &found, Scenario &base);

/// What a log is laid over: one sequence, a single GPU, the engine's defaults.
Scenario logScenarioBase();

/// Base with all that the log says; its model stays base's where that has one.
Scenario scenarioFromLog(const ServerLog &log, const Scenario &base, Notes &notes);

Reconciliation compareWithLog(const ServerLog &log, const Scenario &scenario);
Reconciliation reconcile(const ServerLog &log, const Scenario &base);

/// Weights, GPU memory and overhead as the log measured them; each stays marked in Scenario::measured while it is not changed.
Scenario calibrate(const Scenario &scenario, const ServerLog &log);

} // namespace kv
