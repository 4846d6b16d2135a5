// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"
#include "app/commands/commands.h"
#include "app/complete.h"
#include "app/languageoption.h"
#include "app/manpage.h"
#include "core/base/version.h"
#ifdef KV_HAS_UI
#include "ui/app.h"
#endif

#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace kv;

struct Command {
    std::string_view name;
    int (*run)(const CommandLine &line);
};

int runPlanOrBatch(const CommandLine &line) { return line.batch ? runBatch(line) : runPlan(line); }

constexpr Command commands[]{
    {"plan", runPlanOrBatch},
    {"log", runLog},
    {"solve", runSolve},
    {"map", runMap},
    {"fleet", runFleet},
    {"compare", runCompare},
    {"models", runModels},
    {"gpus", runGpus},
    {"engines", runEngines},
    {"dtypes", runDtypes},
    {"lessons", runLessons},
#ifdef KV_HAS_UI
    {"hub", runHub},
#endif
};

int openWindow([[maybe_unused]] const CommandLine &line, [[maybe_unused]] int argc, [[maybe_unused]] char **argv) {
#ifdef KV_HAS_UI
    if (const std::optional<Note> wrong = languageFault(line.language))
        return refuse(*wrong, line.form);
    std::vector<char *> words = takeLanguage({argv, static_cast<std::size_t>(argc)}).rest; // Qt keeps a reference to them
    int count = static_cast<int>(words.size());
    words.push_back(nullptr);
    return runWindow(count, words.data(), line.language);
#else
    return refuse(errorNote("no-window", "", "this build has no window; kvplanner plan gives the plan as text, kvplanner --help says what else there is"), line.form);
#endif
}

int run(int argc, char **argv) {
    if (argc >= 2 && std::string_view(argv[1]) == "--version") {
        print("kvplanner " + std::string(version()) + "\n");
        return ExitStatus::Made;
    }
    const std::span<char *const> words(argv, static_cast<std::size_t>(argc));
    if (argc >= 2 && std::string_view(argv[1]) == "complete") {
        for (const std::string &word : completions(words.subspan(2)))
            print(word + "\n");
        return ExitStatus::Made;
    }
    if (argc == 3 && (words[1] == std::string_view("help") || words[1] == std::string_view("--help")) && words[2] == std::string_view("man")) {
        print(manPage());
        return ExitStatus::Made;
    }
    const CommandLineResult asked = readCommandLine(argc, argv);
    if (asked.error)
        return refuse(*asked.error, asked.line.form);
    if (!asked.line.help.empty()) {
        print(asked.line.help);
        return ExitStatus::Made;
    }
    for (const Command &command : commands)
        if (command.name == asked.line.command)
            return command.run(asked.line);
#ifdef KV_HAS_UI
    if (asked.line.command == "render")
        return runRenderCommand(asked.line, argc, argv);
#endif
    return openWindow(asked.line, argc, argv);
}

} // namespace

int main(int argc, char **argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception &fault) {
        std::fprintf(stderr, "kvplanner: a fault of the program itself: %s\n", fault.what());
        return ExitStatus::Fault;
    }
}
