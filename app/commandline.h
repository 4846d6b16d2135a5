// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was asked for on the command line, read by CLI11 in commandline.cpp alone. Faults of the command line are data: a note that names
// the option or the command, with the nearest one in full.

#include "app/scenariooptions.h"
#include "core/base/quantity.h"
#include "core/hardware/ownlist.h"

#include <optional>
#include <string>
#include <vector>

namespace kv {

enum class Form { Text, Json, Markdown, Csv, Html, Latex };

struct CommandLine {
    std::string command; ///< "plan", "models", …; empty: the window
    std::string help;    ///< set: the text to print instead of running anything
    ScenarioOptions scenario;
    std::optional<std::string> batch;
    std::optional<std::string> lessonFile; ///< of lessons --check
    GpuByHand gpu;                         ///< of gpus --add
    std::optional<std::string> addGpu, removeGpu;
    bool thisMachine = false; ///< of gpus
    std::string file; ///< of log ("-": standard input) and of compare; of hub the model's name
    Form form = Form::Text;
    SizeUnit unit = SizeUnit::Decimal;
    bool requireFit = false;
    bool launch = false; ///< of plan: the engine's command alone
    std::string output, size, theme = "light", view = "all"; ///< of render
    std::string language; ///< of the window and of render, as it was given
    double scale = 1;
    std::optional<std::string> lesson, guess;       ///< of render
    bool levers = false;                            ///< of plan
    std::string question;                           ///< of solve: "users", "context", "gpus", "utilization"
    std::optional<std::string> contexts, sequences, grid; ///< of map: "1k-1M", "1-1024", "64x64"
    std::optional<std::string> settingsUpTo;        ///< of map: GPUs that the map of settings goes up to
    std::optional<std::string> users, rate, seconds, lost, price; ///< of fleet
    std::string baseline;                           ///< of compare
    bool allRows = false;
};

/// Of an error, the form is still what was asked for, so that the refusal can be printed in it.
struct CommandLineResult {
    CommandLine line;
    std::optional<Note> error;
};

CommandLineResult readCommandLine(int argc, char **argv);

/// A command with the text of its --help and the names of its options, for what is made of them: man page and completion.
struct CommandHelp {
    std::string name, summary, text;
    bool takesFile = false; ///< behind its name
    std::vector<std::string> options; ///< "--model", "-o"; in the order of the help
};
std::vector<CommandHelp> commandHelps();
/// What solve may be asked.
const std::vector<std::string> &solveQuestions();

} // namespace kv
