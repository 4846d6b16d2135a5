// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands in the windows, kept on disk so that no end of the program loses it: not a quit, not a crash, not a kill.
//
// Each running program has a folder of its own below AppDataLocation/session, with a lock that dies with it, and in it one file a
// window, written anew (beside, then renamed) at most a quarter of a second after a change. A folder whose lock is free belonged
// to a program that is gone: its windows are taken over at start. "closed" in it says that the program ended in order.

#include "core/base/note.h"
#include "core/scenario/scenariofile.h"

#include <QMap>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>

#include <memory>
#include <mutex>
#include <vector>

class QLockFile;

namespace kv {

class Document;

struct KeptWindow {
    ScenarioDocument document;
    QString fileName;
    QByteArray fileHash;
    QByteArray geometry;
    bool modified = false;
    bool crashed = false; ///< the program did not end in order
    QString slot;         ///< where it is kept now
};

class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject *parent = nullptr);
    ~Session() override;

    /// The windows of programs that are gone, each in a slot of this one now. `crashedOnly`: leave those that ended in order.
    std::vector<KeptWindow> takeOver(bool crashedOnly);
    QString newSlot();
    /// Files of programs that are gone which takeOver() could not read: each is said once, and stays where it is.
    const QStringList &unreadable() const { return m_unreadable; }
    /// Writes a window's file, on a thread of its own; writes of one slot come in order.
    void write(const QString &slot, const KeptWindow &window);
    /// Why the last of a slot's writes that are done failed, the system's reason; empty: it is on disk.
    QString faultOf(const QString &slot) const;
    void remove(const QString &slot);
    /// All writes done.
    void settle();
    /// The program ends in order: what is written now is the next start's.
    void close();

    static QByteArray toBytes(const KeptWindow &window);
    static std::optional<KeptWindow> fromBytes(const QByteArray &bytes);

signals:
    /// faultOf(slot) is another than it was. Emitted on the writing thread.
    void faultChanged(const QString &slot);

private:
    void hold();
    void note(const QString &slot, const QString &fault);

    QString m_folder;
    QStringList m_unreadable;
    mutable std::mutex m_mutex; ///< over m_faults
    QMap<QString, QString> m_faults;
    std::unique_ptr<QLockFile> m_lock; ///< after the constructor of the writing thread alone, until all is written
    QThreadPool m_writer;
};

/// Keeps one window's document written.
class Autosave : public QObject {
    Q_OBJECT

public:
    static constexpr int delayMilliseconds = 250;

    Autosave(Session *session, Document *document, QWidget *window, const QString &slot);
    /// What would be written now, with its slot; nothing more is.
    KeptWindow handOver();
    /// Now, whether or not something changed.
    void write();
    void remove();
    /// Of the last write that is done; empty: the session holds what was written.
    QString fault() const { return m_session->faultOf(m_slot); }

signals:
    void faultChanged();

private:
    KeptWindow kept() const;

    Session *m_session;
    Document *m_document;
    QWidget *m_window;
    QString m_slot;
    QTimer m_timer;
};

} // namespace kv
