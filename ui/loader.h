// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads what a person opens, drops or pastes, off the GUI thread: a .kvplan document, or whatever names a model (a config.json, a
// folder, a .gguf, safetensors), a picture of ours with the plan inside, or a lesson. What is pasted may also be the command that starts an engine,
// which sets the scenario. A text that is none of these is read as an engine's start-up log. A JSON object with the key "kvplan" is a document,
// one with the key "lesson" a lesson, whatever its file is called.
// The last one asked for counts; what comes late is dropped.

#include "core/base/note.h"
#include "core/lesson/lesson.h"
#include "core/log/reconcile.h"
#include "core/scenario/scenariofile.h"

#include <QByteArray>
#include <QObject>
#include <QString>

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
    std::optional<ServerLog> log;
    LoggedModel loggedModel; ///< of the log, as far as it is found on this machine
    std::optional<Lesson> lesson;
    std::optional<Scenario> launch; ///< of a launch command, for the current scenario's place
};

/// Whether a name looks like something that can be read, for a drag over the window; what is dropped is judged by its content.
bool mayBeLoaded(const QString &path);
/// The reading itself, on whatever thread calls it.
Loaded loadFile(const QString &path);
Loaded loadLogFile(const QString &path);
/// `present` gives what a launch command does not say.
Loaded loadText(const QString &text, const Scenario &present);

class Loader : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    void load(const QString &path);
    /// Whatever it is called.
    void loadLog(const QString &path);
    void loadPasted(const QString &text, const Scenario &present);
    /// What is being read is not wanted any more.
    void cancel();
    bool isBusy() const { return m_busy; }

signals:
    void loaded(const kv::Loaded &what);

private:
    void run(std::function<Loaded()> read);

    int m_asked = 0;
    bool m_busy = false;
};

} // namespace kv
