// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tells when a file on disk has other content than before. Editors write in place, or write beside and rename, or delete first: the folder is
// watched with the file, looks are taken once things are quiet, and only another content counts. A file that is gone is waited for.

#include <QByteArray>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QTimer>

namespace kv {

class Latest;

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject *parent = nullptr);
    /// These and no others. What they hold now is what changes are measured by, for those that are new here. They are read off this thread.
    void watch(const QStringList &files);
    QStringList files() const { return m_files.keys(); }
    /// Whether it has seen what they hold.
    bool isSettled() const;

signals:
    void changed(const QString &file);

private:
    void look();
    void compare();
    void watchPaths();

    QFileSystemWatcher m_watcher;
    QTimer m_quiet;
    Latest *m_latest;
    QMap<QString, QByteArray> m_files; ///< what each held when it was looked at last; empty: not looked at yet, or not there
};

} // namespace kv
