// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubkeep.h"

#include "core/base/savefile.h"
#include "core/base/smallfile.h"
#include "core/files/hubrecord.h"
#include "core/files/hubrepository.h"
#include "ui/hub/hubname.h"
#include "ui/words.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <tuple>

namespace kv {

namespace {

constexpr qsizetype longestName = 120; // below what file systems take, encoded
constexpr std::int64_t maxRefBytes = 4096;
constexpr qint64 stageDays = 1;
const QString stagePrefix = QStringLiteral(".fetch-");

bool isCommit(const QString &text) {
    return text.size() >= 7 && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](QChar c) { return (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f'); });
}

QString folderName(const QString &repository) { return QString(repository).replace(QLatin1Char('/'), QLatin1String("--")); }

/// What an earlier run left behind when it was ended in the middle.
void clearStages(const QString &root) {
    for (const QFileInfo &folder : QDir(root).entryInfoList({stagePrefix + QLatin1Char('*')}, QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot | QDir::NoSymLinks))
        if (folder.lastModified().daysTo(QDateTime::currentDateTime()) > stageDays)
            QDir(folder.filePath()).removeRecursively();
}

} // namespace

QString safeName(const QString &text) {
    QByteArray name = QUrl::toPercentEncoding(text, {}, "~");
    if (name.startsWith('.'))
        name.replace(0, 1, "%2E");
    if (name.size() > longestName) {
        const QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
        name = name.left(longestName - 17) + '-' + hash;
    }
    return QString::fromLatin1(name);
}

QString unsafeName(const QString &name) { return QUrl::fromPercentEncoding(name.toLatin1()); }

HubKeep::HubKeep(const HubSettings &settings, const QString &repository) {
    const QUrl &endpoint = settings.endpoint;
    QString host = endpoint.host();
    if (endpoint.port() > 0)
        host += QLatin1Char('_') + QString::number(endpoint.port());
    m_root = settings.keepFolder + QLatin1Char('/') + safeName(host + endpoint.path()) + QLatin1Char('/') + safeName(folderName(repository));
}

QString HubKeep::folderOf(const QString &commit, const QString &model) const {
    return m_root + QLatin1Char('/') + safeName(commit) + QLatin1Char('/') + safeName(model);
}

bool HubKeep::holds(const QString &commit, const QString &model) const {
    const std::string folder = utf8(folderOf(commit, model));
    const std::optional<HubRecord> record = commit.isEmpty() ? std::nullopt : readHubRecord(folder);
    return record && isWhole(*record, folder);
}

QStringList HubKeep::modelsOf(const QString &commit) const {
    QStringList models;
    for (const QString &name : QDir(m_root + QLatin1Char('/') + safeName(commit)).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        models += unsafeName(name);
    return models;
}

QString HubKeep::commitOf(const QString &revision) const {
    const Parsed<std::string> text = readSmallFile(utf8(m_root + QStringLiteral("/refs/") + safeName(revision)), maxRefBytes);
    const QString commit = text ? words(*text).trimmed() : revision;
    return isCommit(commit) && !modelsOf(commit).isEmpty() ? commit : QString();
}

QString HubKeep::renamed() const {
    const Parsed<std::string> text = readSmallFile(utf8(m_root + QStringLiteral("/renamed")), maxRefBytes);
    const Parsed<HubName> name = text ? readHubName(words(*text), {}) : Parsed<HubName>{};
    return name ? name->repository : QString();
}

/// A disk that does not take it has nothing found offline under the old name, no more.
void HubKeep::keepRenamed(const QString &now) const {
    if (QDir().mkpath(m_root))
        replaceFile(utf8(m_root + QStringLiteral("/renamed")), utf8(now));
}

std::unique_ptr<QTemporaryDir> HubKeep::stage() const {
    if (!QDir().mkpath(m_root))
        return nullptr;
    clearStages(m_root);
    auto folder = std::make_unique<QTemporaryDir>(m_root + QLatin1Char('/') + stagePrefix + QStringLiteral("XXXXXX"));
    return folder->isValid() ? std::move(folder) : nullptr;
}

bool HubKeep::keep(QTemporaryDir &staged, const QString &commit, const QString &model, const QString &revision) const {
    const QString place = folderOf(commit, model);
    const QString refs = m_root + QStringLiteral("/refs");
    if (!QDir().mkpath(QFileInfo(place).path()) || !QDir().mkpath(refs))
        return false;
    // Of a commit there is only one: another run may have been quicker, and what is broken makes way.
    if (QFileInfo::exists(place) && !holds(commit, model))
        QDir(place).removeRecursively();
    if (!QFileInfo::exists(place)) {
        if (!QDir().rename(staged.path(), place) && !holds(commit, model))
            return false;
        if (!QFileInfo::exists(staged.path()))
            staged.setAutoRemove(false);
    }
    return replaceFile(utf8(refs + QLatin1Char('/') + safeName(revision)), utf8(commit)).empty();
}

std::vector<KeptModel> keptModels(const QString &keepFolder) {
    constexpr std::size_t most = 2000;
    const auto folders = [](const QString &in) { return QDir(in).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Time); };
    std::vector<KeptModel> kept;
    for (const QFileInfo &host : folders(keepFolder))
        for (const QFileInfo &repository : folders(host.filePath()))
            for (const QFileInfo &commit : folders(repository.filePath())) // the newest first; "refs" holds no folders
                for (const QFileInfo &model : folders(commit.filePath())) {
                    const std::optional<HubRecord> record = readHubRecord(utf8(model.filePath()));
                    const QString file = unsafeName(model.fileName());
                    if (!record || record->repository.empty() || kept.size() == most || !isWhole(*record, utf8(model.filePath())))
                        continue;
                    KeptModel one{words(record->repository), words(record->revision), file == QLatin1String("model") ? QString() : file, model.filePath()};
                    const bool older = std::ranges::any_of(kept, [&one](const KeptModel &other) {
                        return other.repository == one.repository && other.revision == one.revision && other.file == one.file;
                    });
                    if (!older)
                        kept.push_back(std::move(one));
                }
    std::ranges::sort(kept, {}, [](const KeptModel &one) { return std::tuple(one.repository.toLower(), one.revision, one.file); });
    return kept;
}

QString inHubCache(const HubSettings &settings, const QString &repository, const QString &revision) {
    QString folder = words(hubCache(settings.environment)) + QStringLiteral("/models--") + folderName(repository);
    if (!isHubRepository(utf8(folder)))
        return {};
    if (revision.isEmpty() || revision == QLatin1String("main"))
        return folder;
    const Parsed<std::string> text = readSmallFile(utf8(folder + QStringLiteral("/refs/") + revision), maxRefBytes);
    const QString commit = text ? words(*text).trimmed() : revision;
    const QString snapshot = folder + QStringLiteral("/snapshots/") + commit;
    return isCommit(commit) && QFileInfo(snapshot).isDir() ? snapshot : QString();
}

} // namespace kv
