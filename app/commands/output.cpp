// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/plaintext.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/report/planjson.h"
#include "core/report/refusal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace kv {

void print(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written)
        throw std::runtime_error(std::string("standard output cannot be written: ") + std::generic_category().message(errno));
}

Notes notesOn(const Parsed<Scenario> &asked, const Scenario &answer) {
    Notes notes = asked.notes;
    for (Note &note : evaluateHere(answer).warnings)
        if (std::ranges::find(notes, note) == notes.end())
            notes.push_back(std::move(note));
    return notes;
}

bool isPromised(const Plan &plan) { return plan.fit.fits && !wouldNotStart(plan) && plan.weights.source != WeightSource::Unknown; }

void warn(const Notes &notes, bool assumed) {
    for (const Note &note : notes)
        if (assumed && note.code == "launch-assumed")
            std::fprintf(stderr, "kvplanner: note: %s\n", oneLine(note.text).c_str());
    for (const Note &note : notes)
        if (note.severity == Severity::Warning)
            std::fprintf(stderr, "kvplanner: warning: %s\n", oneLine(note.text).c_str());
}

int refuse(const Note &error, Form form, std::span<const Alternative> instead) {
    constexpr std::size_t most = 20'000; // names of files out of a repository may be many
    std::string line = "kvplanner: " + oneLine(refusalSentence(error), most);
    if (const std::string others = insteadSentence(instead); !others.empty())
        line += (line.ends_with('.') ? " " : ". ") + others;
    line += '\n';
    std::fputs(line.c_str(), stderr);
    if (form == Form::Json) {
        std::string object;
        appendRefusalJson(object, error, nullptr, true, instead);
        print(object + "\n");
    }
    return ExitStatus::Refused;
}

} // namespace kv
