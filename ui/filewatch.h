// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tells when a file on disk has other content than before. Editors write in place, or write beside and rename, or delete first: the folder is
// watched with the file, looks are taken once things are quiet, and only another content counts. A file that is gone, and still is a second later, is told of once and waited for.
//
// All of it is done by a thread of its own, from the first file on: asking a disk to tell of changes may take as long as reading it.

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>

class QFileSystemWatcher;
class QThread;

namespace kv {

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject *parent = nullptr);
    ~FileWatch() override;
    /// These and no others. What they hold now is what changes are measured by, for those that are new here. They are read off this thread.
    void watch(const QStringList &files);
    QStringList files() const { return m_files.keys(); }
    /// Whether it has seen what they hold.
    bool isSettled() const { return m_seen == *m_asked; }

signals:
    void changed(const QString &file);
    void gone(const QString &file);

private:
    using States = QMap<QString, QByteArray>;

    void begin();
    void look();
    void take(const States &states);

    QThread *m_thread = nullptr;
    QFileSystemWatcher *m_watcher = nullptr; ///< lives in that thread
    QTimer m_quiet, m_again;
    QStringList m_missing, m_gone; ///< not there at the last look; told of
    std::shared_ptr<std::atomic<int>> m_asked; ///< looks asked for; only the last is taken
    int m_seen = 0;
    QMap<QString, QByteArray> m_files; ///< what each held when it was looked at last; empty: not looked at yet, or not there
};

} // namespace kv
