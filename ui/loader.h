// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads what a person opens, drops or pastes, off the GUI thread: a .kvplan document, or whatever names a model (a config.json, a
// folder, a .gguf, safetensors), a picture of ours with the plan inside, or a lesson. What is pasted may also be the command that starts an engine,
// which sets the scenario. A text that is none of these is read as a trace of request lengths where its columns say so, else as an engine's
// start-up log. A JSON object with the key "kvplan" is a document, one with the key "lesson" a lesson, whatever its file is called.
// The last one asked for counts; what comes late is dropped, and a trace that nobody waits for is read no further.

#include "core/base/note.h"
#include "core/lesson/lesson.h"
#include "core/log/reconcile.h"
#include "core/scenario/scenariofile.h"
#include "core/workload/trace.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace kv {

struct Loaded {
    QString path; ///< empty: pasted, or out of a picture
    QByteArray hash; ///< of a document's file
    Notes notes;  ///< an Error among them: nothing was read
    std::optional<ScenarioDocument> document;
    std::shared_ptr<const ModelSpec> model;
    bool kept = false; ///< of the model: it lies in the program's own cache, where nobody looks for files
    std::optional<ServerLog> log;
    LoggedModel loggedModel; ///< of the log, as far as it is found on this machine
    std::optional<Lesson> lesson;
    bool again = false; ///< a model that was read before: what is set for it stays
    std::optional<Scenario> launch; ///< of a launch command, for the current scenario's place
    bool trace = false;             ///< it was read as a trace of request lengths, which is in `lengths` or refused
    std::optional<Lengths> lengths;
    std::optional<TracePreview> preview; ///< of a trace whose columns are to be chosen
    bool columnsGiven = false;      ///< of the trace, by a person
};

/// Whether a name looks like something that can be read, for a drag over the window; what is dropped is judged by its content. By the name alone, as nobody
/// may wait for a disk meanwhile: what may be a folder passes.
bool mayBeLoaded(const QString &path);
/// Whether its name says that it is a trace, whatever is in it.
bool isTraceName(const QString &path);
/// The reading itself, on whatever thread calls it. `trace` is for the case that the file is one.
Loaded loadFile(const QString &path, const TraceOptions &trace = {});
Loaded loadTraceFile(const QString &path, const TraceOptions &trace);
Loaded loadLogFile(const QString &path);
/// `present` gives what a launch command does not say.
Loaded loadText(const QString &text, const Scenario &present);

class Loader : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    ~Loader() override { cancel(); }
    /// `before`: what is to be said of it besides.
    void load(const QString &path, const Notes &before = {});
    /// A model anew, as it is on disk now.
    void loadAgain(const QString &path);
    /// Whatever it is called.
    void loadLog(const QString &path);
    /// Request lengths, whatever it is called; without columns these are guessed.
    void loadTrace(const QString &path, const LengthColumns &columns = {});
    /// The first rows of a trace, to choose its columns by. `gone`: what to say where there is no such file any more.
    void preview(const QString &path, const QString &gone = {});
    /// A text, or the file whose whole path it is.
    void loadPasted(const QString &text, const Scenario &present);
    /// Asked now and then by what reads: tells how far it is. False: nobody waits any more.
    using Progress = std::function<bool(std::int64_t read, std::int64_t all)>;
    /// Whatever `read` reads, on another thread.
    void read(std::function<Loaded(const Progress &)> read);
    /// What is being read is not wanted any more.
    void cancel();
    bool isBusy() const { return m_busy; }

signals:
    /// Something is going to be read: what is shown now is what it is for.
    void begun();
    void loaded(const kv::Loaded &what);
    /// How far a trace is read.
    void progressed(qint64 read, qint64 all);

private:
    Progress progressOf(int asked);

    int m_asked = 0;
    std::shared_ptr<std::atomic<bool>> m_wanted; ///< of what is being read
    bool m_busy = false;
};

} // namespace kv
