// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/filewatch.h"

#include "core/base/units.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QPointer>
#include <QThread>

#include <algorithm>

namespace kv {

namespace {

constexpr int quietTime = 250; // milliseconds; an editor's several steps are one change
constexpr int missingTime = 1000; // milliseconds; one that is replaced may not be there for a moment
constexpr int longestEnd = 50; // milliseconds
constexpr qint64 mostHashed = mebibyte;

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

/// Watches these and their folders, and no others.
void watchOnly(QFileSystemWatcher &watcher, const QStringList &files) {
    QStringList wanted;
    for (const QString &file : files) {
        if (QFileInfo::exists(file))
            wanted += file;
        wanted += QFileInfo(file).absolutePath();
    }
    const QStringList before = watcher.files() + watcher.directories();
    for (const QString &path : before)
        if (!wanted.contains(path))
            watcher.removePath(path);
    for (const QString &path : wanted) // one that was replaced is not watched any more
        if (!watcher.files().contains(path) && !watcher.directories().contains(path))
            watcher.addPath(path);
}

} // namespace

FileWatch::FileWatch(QObject *parent) : QObject(parent), m_asked(std::make_shared<std::atomic<int>>(0)) {
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(quietTime);
    m_again.setSingleShot(true);
    m_again.setInterval(missingTime);
    connect(&m_quiet, &QTimer::timeout, this, &FileWatch::look);
    connect(&m_again, &QTimer::timeout, this, &FileWatch::look);
}

FileWatch::~FileWatch() {
    if (!m_thread)
        return;
    ++*m_asked;
    m_watcher->deleteLater();
    m_thread->quit();
    // A thread that waits for a disk is left to itself: the window that closes does not wait with it.
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    if (m_thread->wait(longestEnd))
        delete m_thread;
}

void FileWatch::begin() {
    m_thread = new QThread;
    m_watcher = new QFileSystemWatcher;
    m_watcher->moveToThread(m_thread);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_quiet.start(); });
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_quiet.start(); });
    m_thread->start();
}

void FileWatch::watch(const QStringList &files) {
    States wanted;
    for (const QString &file : files)
        wanted[file] = m_files.value(file);
    if (wanted.keys() == m_files.keys())
        return;
    m_files = wanted;
    look();
}

void FileWatch::look() {
    if (!m_thread)
        begin();
    const int turn = ++*m_asked;
    // The thread knows this object by name only; whether it still lives is asked on its own thread.
    QMetaObject::invokeMethod(m_watcher, [self = QPointer<FileWatch>(this), watcher = m_watcher, asked = m_asked, turn, files = m_files.keys()] {
        const auto isLast = [&] { return *asked == turn; };
        if (!isLast())
            return;
        watchOnly(*watcher, files);
        States states;
        for (const QString &file : files)
            if (isLast())
                states[file] = stateOf(file);
        QMetaObject::invokeMethod(qApp, [self, asked, turn, states] {
                if (!self || *asked != turn)
                    return;
                self->m_seen = turn;
                self->take(states);
            }, Qt::QueuedConnection);
    }, Qt::QueuedConnection);
}

void FileWatch::take(const States &states) {
    QStringList others, missing, gone;
    for (auto file = m_files.begin(); file != m_files.end(); ++file) {
        const QByteArray now = states.value(file.key());
        if (now.isEmpty()) {
            missing += file.key();
            if (m_missing.contains(file.key()) && !m_gone.contains(file.key()))
                gone += file.key();
            continue;
        }
        m_gone.removeAll(file.key());
        if (now == file.value())
            continue;
        if (!file.value().isEmpty())
            others += file.key();
        file.value() = now;
    }
    if (std::ranges::any_of(missing, [this](const QString &file) { return !m_missing.contains(file); }))
        m_again.start();
    m_missing = missing;
    m_gone += gone;
    for (const QString &file : others)
        emit changed(file);
    for (const QString &file : gone)
        emit this->gone(file);
}

} // namespace kv
