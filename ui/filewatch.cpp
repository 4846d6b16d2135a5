// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/filewatch.h"

#include "ui/latest.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>

namespace kv {

namespace {

constexpr int quietTime = 250; // milliseconds; an editor's several steps are one change
constexpr qint64 mostHashed = 1024 * 1024;

/// Of small files the content, of large ones size and time; empty: there is none.
QByteArray stateOf(const QString &path) {
    const QFileInfo info(path);
    if (!info.isFile()) // nor would a pipe be opened
        return {};
    QFile file(path);
    if (info.size() <= mostHashed && file.open(QIODevice::ReadOnly))
        return QCryptographicHash::hash(file.read(mostHashed), QCryptographicHash::Sha1);
    return QByteArray::number(info.size()) + '@' + QByteArray::number(info.lastModified().toMSecsSinceEpoch());
}

} // namespace

FileWatch::FileWatch(QObject *parent) : QObject(parent), m_latest(new Latest(this)) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quietTime);
    const auto wait = [this] { m_quiet.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, wait);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, wait);
    connect(&m_quiet, &QTimer::timeout, this, &FileWatch::look);
}

void FileWatch::watch(const QStringList &files) {
    QMap<QString, QByteArray> wanted;
    for (const QString &file : files)
        wanted[file] = m_files.value(file);
    if (wanted.keys() == m_files.keys())
        return;
    m_files = wanted;
    watchPaths();
    compare();
}

void FileWatch::watchPaths() {
    QStringList wanted;
    for (auto file = m_files.begin(); file != m_files.end(); ++file) {
        if (QFileInfo::exists(file.key()))
            wanted += file.key();
        wanted += QFileInfo(file.key()).absolutePath();
    }
    const QStringList before = m_watcher.files() + m_watcher.directories();
    for (const QString &path : before)
        if (!wanted.contains(path))
            m_watcher.removePath(path);
    for (const QString &path : wanted) // one that was replaced is not watched any more
        if (!m_watcher.files().contains(path) && !m_watcher.directories().contains(path))
            m_watcher.addPath(path);
}

bool FileWatch::isSettled() const { return !m_latest->isBusy(); }

void FileWatch::look() {
    watchPaths();
    compare();
}

void FileWatch::compare() {
    m_latest->ask([this, files = m_files.keys()](const Latest::GoOn &goOn) -> Latest::Answer {
        QMap<QString, QByteArray> states;
        for (const QString &file : files)
            if (goOn())
                states[file] = stateOf(file);
        return [this, states] {
            QStringList others;
            for (auto file = m_files.begin(); file != m_files.end(); ++file) {
                const QByteArray now = states.value(file.key());
                if (now.isEmpty() || now == file.value())
                    continue;
                if (!file.value().isEmpty())
                    others += file.key();
                file.value() = now;
            }
            for (const QString &file : others)
                emit changed(file);
        };
    });
}

} // namespace kv
