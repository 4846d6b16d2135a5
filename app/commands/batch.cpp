// SPDX-License-Identifier: GPL-3.0-or-later
//
// plan --batch: one scenario a line in, one plan a line out, in the same order. A plan is written as soon as it is made, unless more input
// already waits: so the first comes out before the last is read, and a long file is not slowed by a flush a line.
#include "app/commands/commands.h"
#include "app/tracecache.h"

#include "core/base/plaintext.h"
#include "core/base/units.h"
#include "core/hardware/gpu.h"
#include "core/plan/deploy.h"
#include "core/plan/evaluate.h"
#include "core/report/planjson.h"
#include "core/scenario/scenariofile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

constexpr std::size_t blockBytes = 64 * kibibyte;
constexpr std::size_t outputBytes = 32 * kibibyte;
/// A scenario with a model inside has a few kB; what is longer is skipped to its end, in bounded memory.
constexpr std::size_t longestLine = 64 * mebibyte;

/// Lines of a descriptor, each as soon as it is there.
class LineSource {
public:
    explicit LineSource(int descriptor) : m_descriptor(descriptor) {}

    struct Line {
        std::string_view text;
        bool tooLong = false;
    };
    /// Whether next() has a line without waiting for input.
    bool ready() const { return m_text.find('\n', m_at) != std::string::npos; }
    std::optional<Line> next();
    /// Why reading ended before the input did; 0: it did not.
    int error() const { return m_error; }

private:
    bool fill();

    int m_descriptor;
    std::string m_text;
    std::size_t m_at = 0;      ///< start of the line that comes next
    std::size_t m_searched = 0; ///< no line break between m_at and here
    bool m_end = false;
    int m_error = 0;
};

std::optional<LineSource::Line> LineSource::next() {
    bool tooLong = false;
    for (;;) {
        const std::size_t end = m_text.find('\n', std::max(m_at, m_searched));
        if (end != std::string::npos || (m_end && m_at < m_text.size())) {
            const std::size_t stop = std::min(end, m_text.size());
            const std::string_view line = std::string_view(m_text).substr(m_at, stop - m_at);
            m_at = m_searched = std::min(stop + 1, m_text.size());
            return Line{tooLong ? std::string_view() : line, tooLong};
        }
        if (m_end)
            return tooLong ? std::optional(Line{{}, true}) : std::nullopt;
        m_searched = m_text.size();
        if (m_text.size() - m_at > longestLine) {
            tooLong = true;
            m_at = m_searched;
        }
        m_end = !fill();
        if (m_end && tooLong && m_at >= m_text.size())
            return Line{{}, true};
    }
}

bool LineSource::fill() {
    m_text.erase(0, m_at);
    m_searched -= m_at;
    m_at = 0;
    const std::size_t before = m_text.size();
    m_text.resize(before + blockBytes);
    ssize_t got = 0;
    while ((got = ::read(m_descriptor, m_text.data() + before, blockBytes)) < 0) {
        pollfd waiting{m_descriptor, POLLIN, 0};
        if (errno == EAGAIN) // a terminal or pipe that its owner set not to block
            ::poll(&waiting, 1, -1);
        else if (errno != EINTR)
            break;
    }
    m_error = got < 0 ? errno : 0;
    m_text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return got > 0;
}

/// The batch's file, or the reason why it cannot be read. A pipe is welcome here: a batch streams.
Parsed<int> openBatch(const std::string &path) {
    const auto refused = [&](const char *code, const std::string &reason) {
        return Parsed<int>{std::nullopt, {errorNote(code, "--batch", "--batch: " + oneLine(path) + ": " + reason)}};
    };
    if (path == "-")
        return {STDIN_FILENO, {}};
    const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return refused(errno == EACCES ? "no-permission" : "no-such-file", errno == ENOENT ? "there is no such file" : std::generic_category().message(errno));
    struct stat status {};
    if (::fstat(file, &status) != 0 || !(S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode))) {
        ::close(file);
        return refused("not-a-file", "this is no file with one scenario a line");
    }
    ::fcntl(file, F_SETFL, 0);
    return {file, {}};
}

class Batch {
public:
    Batch(const CommandLine &line, const Scenario &base) : m_line(line), m_base(base) {}

    int run(int descriptor);

private:
    void plan(std::string_view text, std::size_t number);
    void refused(const Note &error, const Json *id, std::span<const Alternative> instead = {});

    const CommandLine &m_line;
    const Scenario &m_base;
    TraceCache m_traces; ///< a trace that every line names is read once
    std::string m_out;
    std::size_t m_refused = 0, m_made = 0;
    bool m_allFit = true;
};

int Batch::run(int descriptor) {
    LineSource source(descriptor);
    std::size_t number = 0;
    while (const auto line = source.next()) {
        ++number;
        if (line->tooLong)
            refused(errorNote("line-too-long", "line " + std::to_string(number), "line " + std::to_string(number) + ": longer than 64 MiB"), nullptr);
        else if (line->text.find_first_not_of(" \t\r") != std::string_view::npos)
            plan(line->text, number);
        if (m_out.size() > outputBytes || !source.ready()) {
            print(m_out);
            m_out.clear();
        }
    }
    print(m_out);
    if (source.error() != 0)
        return refuse(errorNote("read-failed", "--batch", std::string("--batch: the input cannot be read: ") + std::generic_category().message(source.error())), Form::Text);
    if (m_refused > 0) {
        std::fprintf(stderr, "kvplanner: %zu of %zu scenarios were refused; the reason stands in place of each plan\n", m_refused, m_refused + m_made);
        return ExitStatus::Refused;
    }
    return m_line.requireFit && !m_allFit ? ExitStatus::DoesNotFit : ExitStatus::Made;
}

void Batch::refused(const Note &error, const Json *id, std::span<const Alternative> instead) {
    appendRefusalJson(m_out, error, id, false, instead);
    m_out += '\n';
    ++m_refused;
}

void Batch::plan(std::string_view text, std::size_t number) {
    const GuestGpus own; // the cards that a line brings along are its own
    Parsed<Json> root = parseJson(text, "line " + std::to_string(number));
    if (!root) {
        refused(*firstError(root.notes), nullptr);
        return;
    }
    Notes notes = std::move(root.notes);
    if (m_line.scenario.any())
        applyOptions(*root.value, m_line.scenario, {}, notes);
    m_traces.embed(*root.value, notes);
    const Json *id = root->isObject() ? root->find("id") : nullptr;
    Parsed<Scenario> scenario;
    if (!hasError(notes)) {
        scenario = readScenario(*root, {}, m_base);
        notes.insert(notes.end(), scenario.notes.begin(), scenario.notes.end());
    }
    if (!scenario) {
        refused(namedByOption(*firstError(notes), m_line.scenario), id);
        return;
    }
    Plan made = evaluate(*scenario);
    if (made.refusal) {
        refused(namedByOption(*made.refusal, m_line.scenario), id, nearestThatWork(*scenario));
        return;
    }
    made.warnings.insert(made.warnings.begin(), notes.begin(), notes.end());
    m_allFit = m_allFit && isPromised(made);
    ++m_made;
    const bool more = m_line.levers || scenario->workload.distribution; // else nothing is asked that a plan does not say
    const PlanExtras extras = more ? extrasOf(*scenario, made, m_line) : PlanExtras{};
    appendPlanJson(m_out, *scenario, made, id, false, nullptr, more ? &extras : nullptr);
    m_out += '\n';
}

} // namespace

int runBatch(const CommandLine &line) {
    Scenario base = scenarioDefaults();
    if (line.scenario.scenarioFile) {
        ScenarioOptions fileOnly;
        fileOnly.scenarioFile = line.scenario.scenarioFile;
        fileOnly.scenarioName = line.scenario.scenarioName;
        Parsed<Scenario> read = readChosenScenario(fileOnly);
        if (!read)
            return refuse(*firstError(read.notes), line.form);
        base = std::move(*read.value);
    }
    const Parsed<int> file = openBatch(*line.batch);
    if (!file)
        return refuse(*firstError(file.notes), line.form);
    const int status = Batch(line, base).run(*file);
    if (*file != STDIN_FILENO)
        ::close(*file);
    return status;
}

} // namespace kv
