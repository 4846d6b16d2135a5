// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The menu of what was opened lately. A file may lie on a disk that is slow or gone, so that the menu is filled with names alone, all of them to be chosen;
// what each file is now is looked at off the GUI thread, file by file, each time the menu comes up: one that is gone is greyed, a model fetched from the Hub
// has its name there, one of a folder the folder's beside its own.

#include <QHash>
#include <QMenu>

namespace kv {

class Latest;
class Settings;

class RecentFiles : public QObject {
    Q_OBJECT

public:
    /// Fills `menu`, whose child it is, whenever it is about to be shown, and not before.
    RecentFiles(QMenu *menu, Settings *settings);

signals:
    void chosen(const QString &path);

private:
    /// What a file was when it was looked at last.
    struct Seen {
        bool there = true;
        bool folder = false;
        QString fetched; ///< its name on the Hub
    };

    static Seen lookAt(const QString &path);
    void fill();
    void show(QAction *action, const QString &path) const;
    void look(const QString &path);

    QMenu *m_menu;
    Settings *m_settings;
    QHash<QString, Seen> m_seen;
    QHash<QString, Latest *> m_looks; ///< by path: a disk that does not answer holds up its own files alone
};

} // namespace kv
