// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recentfiles.h"

#include "core/files/hubrecord.h"
#include "ui/latest.h"
#include "ui/settings.h"
#include "ui/words.h"

#include <QDir>
#include <QFileInfo>

namespace kv {

RecentFiles::RecentFiles(QMenu *menu, Settings *settings) : QObject(menu), m_menu(menu), m_settings(settings) {
    connect(menu, &QMenu::aboutToShow, this, &RecentFiles::fill);
    menu->setToolTipsVisible(true);
}

RecentFiles::Seen RecentFiles::lookAt(const QString &path) {
    const QFileInfo file(path);
    Seen seen{file.exists(), file.isDir(), {}};
    if (const auto record = readHubRecord(utf8(path)))
        seen.fetched = words(record->repository);
    return seen;
}

void RecentFiles::fill() {
    m_menu->clear();
    const QStringList files = m_settings->recentFiles();
    int number = 0;
    for (const QString &path : files) {
        QAction *action = m_menu->addAction(QString());
        action->setProperty("number", ++number % 10);
        action->setData(path);
        action->setToolTip(plainTip(path));
        show(action, path);
        connect(action, &QAction::triggered, this, [this, path] { emit chosen(path); });
        look(path);
    }
    m_menu->addSeparator();
    QAction *clear = m_menu->addAction(tr("&Clear List"));
    clear->setEnabled(!files.isEmpty());
    connect(clear, &QAction::triggered, m_settings, &Settings::clearRecent);
}

void RecentFiles::show(QAction *action, const QString &path) const {
    const Seen seen = m_seen.value(path);
    const QFileInfo file(path);
    const bool config = file.suffix() == QLatin1String("json");
    QString name = !seen.fetched.isEmpty() ? seen.fetched : (seen.folder || config ? QDir(file.absolutePath()).dirName() + QLatin1Char('/') : QString()) + file.fileName();
    action->setText(QStringLiteral("&%1 %2").arg(action->property("number").toInt()).arg(name.replace(QLatin1Char('&'), QLatin1String("&&"))));
    action->setEnabled(seen.there);
    action->setStatusTip(seen.there ? path : tr("%1 is not there any more").arg(path));
}

void RecentFiles::look(const QString &path) {
    Latest *&looking = m_looks[path];
    if (!looking)
        looking = new Latest(this);
    looking->ask([this, path](const Latest::GoOn &) -> Latest::Answer {
        return [this, path, seen = lookAt(path)] {
            m_seen[path] = seen;
            for (QAction *action : m_menu->actions())
                if (action->data().toString() == path)
                    show(action, path);
        };
    });
}

} // namespace kv
