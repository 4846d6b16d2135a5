// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "ui/document.h"
#include "ui/learn/lessontab.h"
#include "ui/words.h"

#include "core/base/savefile.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QStandardPaths>
#include <QUuid>
#include <QWidget>

namespace kv {

namespace {

constexpr QLatin1String lockName("lock"), closedName("closed"), saidName("unreadable-said"), suffix(".window");

QString root() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/session"); }

/// The system's reason where it is not written.
QString writeFile(const QString &path, const QByteArray &bytes) { return words(replaceFile(utf8(path), {bytes.constData(), static_cast<std::size_t>(bytes.size())})); }

} // namespace

Session::Session(QObject *parent)
    : QObject(parent), m_folder(root() + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces)) {
    m_writer.setMaxThreadCount(1);
    m_lock = std::make_unique<QLockFile>(m_folder + QLatin1Char('/') + lockName);
    m_lock->setStaleLockTime(0); // never by age: a program may run for weeks
    hold();
}

/// The folder, and the lock by which others see that it is somebody's. What stood in the way may be gone at the next write; without the lock
/// the windows are kept all the same, and the next start finds them.
void Session::hold() {
    if (m_lock->isLocked())
        return;
    QDir().mkpath(m_folder);
    m_lock->tryLock(0);
}

Session::~Session() { settle(); }

std::vector<KeptWindow> Session::takeOver(bool crashedOnly) {
    std::vector<KeptWindow> windows;
    for (const QFileInfo &entry : QDir(root()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time | QDir::Reversed)) {
        const QString path = entry.absoluteFilePath();
        if (path == QFileInfo(m_folder).absoluteFilePath())
            continue;
        QDir folder(path);
        const bool crashed = !folder.exists(closedName);
        if (crashedOnly && !crashed)
            continue;
        QLockFile lock(folder.filePath(lockName));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0))
            continue; // its program runs
        bool all = true;
        QStringList unreadable;
        for (const QString &name : folder.entryList({QLatin1Char('*') + suffix}, QDir::Files, QDir::Name)) {
            QFile file(folder.filePath(name));
            std::optional<KeptWindow> window;
            if (file.open(QIODevice::ReadOnly))
                window = fromBytes(file.readAll());
            if (!window) {
                all = false; // kept: a newer program may read it
                unreadable += file.fileName();
                continue;
            }
            // First into a slot of our own, then out of the old place: at no moment in neither.
            window->crashed = crashed;
            window->slot = newSlot();
            if (writeFile(window->slot, toBytes(*window)).isEmpty())
                file.remove();
            else
                all = false; // it is open again, and still where it was
            windows.push_back(std::move(*window));
        }
        // A start with a file has its own to say; the next one without will.
        if (!crashedOnly && !unreadable.isEmpty() && !folder.exists(saidName)) {
            m_unreadable += unreadable;
            writeFile(folder.filePath(saidName), {});
        }
        lock.unlock();
        if (all)
            folder.removeRecursively();
    }
    return windows;
}

QString Session::newSlot() {
    static int last = 0;
    return QStringLiteral("%1/%2%3").arg(m_folder).arg(++last, 4, 10, QLatin1Char('0')).arg(suffix);
}

void Session::write(const QString &slot, const KeptWindow &window) {
    m_writer.start([this, slot, bytes = toBytes(window)] {
        hold();
        note(slot, writeFile(slot, bytes));
    });
}

void Session::remove(const QString &slot) {
    m_writer.start([this, slot] {
        QFile::remove(slot);
        note(slot, {});
    });
}

void Session::note(const QString &slot, const QString &fault) {
    {
        const std::scoped_lock lock(m_mutex);
        if (m_faults.value(slot) == fault)
            return;
        if (fault.isEmpty())
            m_faults.remove(slot);
        else
            m_faults[slot] = fault;
    }
    emit faultChanged(slot);
}

QString Session::faultOf(const QString &slot) const {
    const std::scoped_lock lock(m_mutex);
    return m_faults.value(slot);
}

void Session::settle() { m_writer.waitForDone(); }

void Session::close() {
    settle();
    // Where this fails the next start takes it for a crash: it says so, and the windows are there.
    writeFile(m_folder + QLatin1Char('/') + closedName, {});
    m_lock->unlock();
}

QByteArray Session::toBytes(const KeptWindow &window) {
    QJsonObject object;
    object.insert(QStringLiteral("file"), window.fileName);
    object.insert(QStringLiteral("hash"), QString::fromLatin1(window.fileHash));
    object.insert(QStringLiteral("modified"), window.modified);
    object.insert(QStringLiteral("geometry"), QString::fromLatin1(window.geometry.toBase64()));
    object.insert(QStringLiteral("lesson"), words(lessonTabOf(window.document)));
    object.insert(QStringLiteral("document"), words(writeDocument(window.document, {})));
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<KeptWindow> Session::fromBytes(const QByteArray &bytes) {
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    const auto read = readDocument(utf8(object.value(QStringLiteral("document")).toString()), "session", {});
    if (!read)
        return std::nullopt;
    rememberLessonTab(utf8(object.value(QStringLiteral("lesson")).toString()));
    KeptWindow window;
    window.document = *read;
    window.fileName = object.value(QStringLiteral("file")).toString();
    window.fileHash = object.value(QStringLiteral("hash")).toString().toLatin1();
    window.modified = object.value(QStringLiteral("modified")).toBool();
    window.geometry = QByteArray::fromBase64(object.value(QStringLiteral("geometry")).toString().toLatin1());
    return window;
}

Autosave::Autosave(Session *session, Document *document, QWidget *window, const QString &slot)
    : QObject(window), m_session(session), m_document(document), m_window(window), m_slot(slot.isEmpty() ? session->newSlot() : slot) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(delayMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    // Not put off by further changes: a drag of a minute is written four times a second.
    const auto soon = [this] {
        if (!m_timer.isActive())
            m_timer.start();
    };
    connect(document, &Document::changed, this, soon);
    connect(document, &Document::fileChanged, this, soon);
    connect(session, &Session::faultChanged, this, [this](const QString &of) {
        if (of == m_slot)
            emit faultChanged();
    });
}

KeptWindow Autosave::kept() const {
    KeptWindow window;
    window.document = m_document->value();
    window.fileName = m_document->fileName();
    window.fileHash = m_document->fileHash();
    window.modified = m_document->isModified();
    window.geometry = m_window->saveGeometry();
    window.slot = m_slot;
    return window;
}

KeptWindow Autosave::handOver() {
    m_timer.stop();
    m_document->disconnect(this);
    return kept();
}

void Autosave::write() {
    m_timer.stop();
    m_session->write(m_slot, kept());
}

void Autosave::remove() {
    m_timer.stop();
    m_session->remove(m_slot);
}

} // namespace kv
