// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "core/base/jsonwriter.h"
#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/report/refusal.h"
#include "ui/hub/hubfetch.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <csignal>
#include <cstdio>
#include <iterator>
#include <utility>
#include <unistd.h>

namespace kv {

namespace {

std::string listed(const QStringList &names) {
    std::string text;
    for (const QString &name : names)
        text += (text.empty() ? "" : ", ") + oneLine(name.toStdString(), 300);
    return text;
}

volatile std::sig_atomic_t interrupted = 0;

void interrupt(int signal) { interrupted = signal; }

/// While it lives, Ctrl+C and its like end the fetching in order, so that nothing half-written stays, and then the program.
class Interruptible {
public:
    Interruptible() {
        for (std::size_t i = 0; i < std::size(ending); ++i)
            if (m_before[i] = std::signal(ending[i], interrupt); m_before[i] == SIG_IGN) // nohup
                std::signal(ending[i], SIG_IGN);
    }
    ~Interruptible() {
        for (std::size_t i = 0; i < std::size(ending); ++i)
            std::signal(ending[i], m_before[i]);
    }
    Interruptible(const Interruptible &) = delete;
    Interruptible &operator=(const Interruptible &) = delete;

private:
    static constexpr int ending[]{SIGINT, SIGTERM, SIGHUP};
    void (*m_before[std::size(ending)])(int){};
};

/// A line that is written over, once it takes longer than a moment, where somebody sees it.
class ProgressLine {
public:
    explicit ProgressLine(std::string host) : m_host(std::move(host)), m_seen(isatty(STDERR_FILENO) == 1) { m_since.start(); }
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

    /// Several times a second, whether or not anything came.
    void look() {
        constexpr qint64 patience = 500, interval = 100; // milliseconds
        if (!m_seen || m_since.elapsed() < patience + m_shown * interval)
            return;
        m_shown = (m_since.elapsed() - patience) / interval + 1;
        std::string line = m_progress.file.isEmpty() ? "asking " + m_host : "fetching " + oneLine(m_progress.file.toStdString(), 60);
        if (m_progress.files > 1)
            line += ", " + std::to_string(m_progress.done) + " of " + std::to_string(m_progress.files) + " files";
        if (m_progress.bytes > 0)
            line += ", " + writeBytes(Bytes(m_progress.bytes), SizeUnit::Decimal);
        if (line != m_line)
            std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
        m_line = std::move(line);
        std::fflush(stderr);
    }
    void take(const HubProgress &progress) { m_progress = progress; }
    void clear() {
        if (std::exchange(m_shown, 0) > 0)
            std::fputs("\r\x1b[K", stderr);
    }

private:
    std::string m_host, m_line; ///< the line as it stands there
    HubProgress m_progress;
    QElapsedTimer m_since;
    qint64 m_shown = 0; ///< tenths of a second up to which it has been written
    bool m_seen;
};

HubFetched fetchSeen(const HubName &name, const HubSettings &settings) {
    const Interruptible inOrder;
    ProgressLine line(settings.endpoint.host().toStdString());
    HubWatch watch;
    watch.goOn = [&line] {
        line.look();
        return interrupted == 0;
    };
    watch.progress = [&line](const HubProgress &progress) { line.take(progress); };
    return fetchFromHub(name, settings, watch);
}

std::string asJson(const HubFetched &fetched) {
    std::string text;
    JsonWriter out(text, true);
    out.beginObject();
    out.member("ok", true);
    out.member("repository", fetched.name.repository.toStdString());
    out.member("commit", fetched.commit.toStdString());
    out.member("path", fetched.folder.toStdString());
    out.endObject();
    return text + "\n";
}

} // namespace

int runHub(const CommandLine &line) {
    int argc = 1;
    char name[] = "kvplanner";
    char *argv[] = {name, nullptr};
    const QCoreApplication application(argc, argv); // the network needs one; nothing of it is shown
    const HubSettings settings = hubSettings(systemEnvironment());
    const Parsed<HubName> asked = readHubName(QString::fromStdString(line.file), settings.endpoint);
    if (!asked)
        return refuse(asked.notes.front(), line.form);
    const HubFetched fetched = fetchSeen(*asked, settings);
    warn(fetched.notes);
    if (interrupted != 0)
        std::raise(interrupted); // as it would have ended without us
    if (const Note *error = firstError(fetched.notes))
        return refuse(*error, line.form);
    if (!fetched.several.empty()) {
        const std::string repository = fetched.name.repository.toStdString();
        return refuse(errorNote("several-models", repository, repository + " holds several models; name one behind a slash: " + listed(fetched.several)), line.form);
    }
    print(line.form == Form::Json ? asJson(fetched) : fetched.folder.toStdString() + "\n");
    return ExitStatus::Made;
}

} // namespace kv
