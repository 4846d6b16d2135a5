// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The subcommands: each writes its answer to standard output and returns the exit status.

#include "app/commandline.h"
#include "core/report/extras.h"
#include "core/plan/nearest.h"

#include <span>
#include <string_view>

namespace kv {

enum ExitStatus { Made = 0, DoesNotFit = 1, Refused = 2, Fault = 3 };

/// What stands beside a plan: how unlike lengths add up, the bound of decoding, and the levers where they were asked for.
PlanExtras extrasOf(const Scenario &scenario, const Plan &plan, const CommandLine &line);

int runPlan(const CommandLine &line);
int runBatch(const CommandLine &line);
int runLog(const CommandLine &line);
int runSolve(const CommandLine &line);
int runMap(const CommandLine &line);
int runFleet(const CommandLine &line);
int runCompare(const CommandLine &line);
int runModels(const CommandLine &line);
int runGpus(const CommandLine &line);
int runEngines(const CommandLine &line);
int runDtypes(const CommandLine &line);
int runLessons(const CommandLine &line);
#ifdef KV_HAS_UI
int runHub(const CommandLine &line);
int runRenderCommand(const CommandLine &line, int argc, char **argv);
#endif

/// Writes to standard output and flushes; what cannot be written (a full disk) is a fault, thrown as std::runtime_error.
void print(std::string_view text);
/// What the scenario's reader and the plan of `answer`, what is answered with, have to say, each once. An answer without them would be a number
/// whose assumptions nobody sees.
Notes notesOn(const Parsed<Scenario> &asked, const Scenario &answer);
/// False: it does not fit, or an engine would not start so, or what the weights take is not known.
bool isPromised(const Plan &plan);
/// A line on standard error for each warning; `assumed`: also for what a launch line leaves open, where the answer itself does not say it.
void warn(const Notes &notes, bool assumed = false);
/// One line on standard error, and with --json the object on standard output.
/// `instead`: settings that work in place of those refused.
int refuse(const Note &error, Form form, std::span<const Alternative> instead = {});

} // namespace kv
