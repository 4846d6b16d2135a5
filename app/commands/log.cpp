// SPDX-License-Identifier: GPL-3.0-or-later
//
// log FILE: what a server's start-up log says, beside the plan for the same settings. Options of a scenario override what the log says.
#include "app/commands/commands.h"

#include "core/base/units.h"
#include "core/log/logreader.h"
#include "core/plan/evaluate.h"
#include "core/report/logjson.h"
#include "core/scenario/scenariofile.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <unistd.h>

namespace kv {

namespace {

constexpr const char *standardInput = "standard input";

Parsed<ServerLog> readStandardInput() {
    constexpr std::size_t blockBytes = 256 * kibibyte;
    const auto block = std::make_unique_for_overwrite<char[]>(blockBytes);
    ServerLogReader reader;
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, block.get(), blockBytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return {std::nullopt, {errorNote("read-failed", standardInput, std::string("standard input cannot be read: ") + std::generic_category().message(errno))}};
        if (got == 0)
            return reader.finish(standardInput);
        reader.feed({block.get(), static_cast<std::size_t>(got)});
    }
}

void append(Notes &to, const Notes &notes) { to.insert(to.end(), notes.begin(), notes.end()); }

/// The log's scenario with the options over it.
Parsed<Scenario> withOptions(const ServerLog &log, Scenario base, const ScenarioOptions &options, Notes &notes) {
    LoggedModel found = findLoggedModel(log);
    takeDrafter(log, found, base);
    if (!base.model.spec && !options.model) {
        base.model = std::move(found.choice);
        append(notes, found.notes);
    }
    const Scenario fromLog = scenarioFromLog(log, base, notes);
    Json object = writeScenario(fromLog, {});
    // A card named by hand is planned with its own memory, not with what the log's card had left; what was assumed of it is not said then.
    if (options.gpu || options.gpuMemory) {
        if (!log.settings.find("available_kv_bytes")) // the server's own setting holds on any card
            object.find("engine")->find("options")->erase("available_kv_bytes");
        object.find("hardware")->erase("memory_bytes");
        std::erase_if(notes, [](const Note &note) { return note.where == "hardware.gpu"; });
    }
    applyOptions(object, options, {}, notes);
    if (!fromLog.model.spec && !options.model)
        return {fromLog, {}};
    return readScenarioAt(object, {}, scenarioDefaults(), {});
}

/// Whether a plan was refused for what an option says, which is the user's to mend; what the log says is not.
bool refusedByOption(const Note &refusal, const ScenarioOptions &options) {
    return namedByOption(refusal, options).where != refusal.where || (!options.engineOptions.empty() && refusal.where.starts_with("engine.options"));
}

} // namespace

int runLog(const CommandLine &line) {
    const ScenarioOptions &options = line.scenario;
    Parsed<ServerLog> log = line.file == "-" ? readStandardInput() : readServerLog(line.file);
    if (!log)
        return refuse(*firstError(log.notes), line.form);
    Reconciliation beside;
    if (options.any() || options.scenarioFile) {
        Scenario base = logScenarioBase();
        Notes notes;
        if (options.scenarioFile) {
            ScenarioOptions file;
            file.scenarioFile = options.scenarioFile;
            file.scenarioName = options.scenarioName;
            Parsed<Scenario> read = readChosenScenario(file);
            if (!read)
                return refuse(*firstError(read.notes), line.form);
            base = std::move(*read.value);
            append(notes, read.notes);
        }
        const Parsed<Scenario> scenario = withOptions(*log, std::move(base), options, notes);
        if (!scenario)
            return refuse(namedByOption(*firstError(scenario.notes), options), line.form);
        if (const Note *error = firstError(notes))
            return refuse(*error, line.form);
        beside = compareWithLog(*log, *scenario);
        if (beside.noPlan && refusedByOption(*beside.noPlan, options))
            return refuse(namedByOption(*beside.noPlan, options), line.form);
        append(notes, scenario.notes);
        beside.notes.insert(beside.notes.begin(), notes.begin(), notes.end());
    } else {
        beside = reconcile(*log, logScenarioBase());
    }
    std::string out;
    if (line.form == Form::Json) {
        appendLogJson(out, *log, beside, true);
        out += "\n";
    } else {
        out = logText(*log, beside, line.unit);
    }
    print(out);
    return ExitStatus::Made;
}

} // namespace kv
