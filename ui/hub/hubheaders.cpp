// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubheaders.h"

#include "core/base/savefile.h"
#include "core/base/units.h"
#include "core/files/gguf.h"
#include "core/files/safetensors.h"
#include "core/files/shown.h"
#include "ui/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QtEndian>

namespace kv {

namespace {

struct Said {
    Q_DECLARE_TR_FUNCTIONS(kv::HubHeaders)
};

constexpr qint64 firstPart = 64 * kibibyte;      // holds the header of most shards
constexpr qint64 firstGgufPart = mebibyte;       // a vocabulary takes some MB
constexpr qint64 laterGgufPart = 256 * kibibyte; // the other files of a split model have only a table
constexpr qint64 ggufGrowth = 4;
constexpr qint64 mostGgufHeader = 256 * mebibyte;
constexpr qint64 mostInAll = 512 * mebibyte;
constexpr qint64 lengthBytes = 8;

} // namespace

QUrl HubHeaders::urlOf(const std::string &file) const {
    return m_settings.urlOf(m_name.repository.split(QLatin1Char('/')) + QStringList{QStringLiteral("resolve"), m_revision} + words(file).split(QLatin1Char('/')));
}

bool HubHeaders::failed(HubFault::Kind kind, const std::string &file, const QString &detail) {
    fault.kind = kind;
    fault.host = m_settings.endpoint.host();
    fault.what = words(file);
    fault.detail = detail;
    return false;
}

bool HubHeaders::write(const std::string &file, const QByteArray &bytes) {
    const QString path = m_folder + QLatin1Char('/') + words(file);
    QDir().mkpath(QFileInfo(path).path());
    const std::string reason = replaceFile(utf8(path), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    if (reason.empty()) {
        record.kept[file] = bytes.size();
        return true;
    }
    notes.push_back(errorNote("cannot-write", utf8(path), utf8(Said::tr("%1 cannot be written: %2").arg(path, words(reason)))));
    return false;
}

void HubHeaders::takeNotes(const Notes &of) {
    const QString folder = m_folder + QLatin1Char('/');
    for (Note note : of) {
        note.where = utf8(words(note.where).remove(folder));
        note.text = utf8(words(note.text).remove(folder));
        notes.push_back(std::move(note));
    }
}

bool HubHeaders::roomFor(qint64 more, const std::string &file) {
    return m_transport.bytes() + more <= mostInAll || failed(HubFault::Kind::TooLarge, file, Said::tr(", with all that was fetched before it"));
}

bool HubHeaders::keep(const std::string &name, const HubAnswer &answer) {
    m_transport.fileDone();
    if (answer.whole >= 0)
        record.lengths[name] = answer.whole;
    return write(name, answer.body);
}

bool HubHeaders::getAll(const std::vector<HubRequest> &requests, std::vector<HubAnswer> &answers) {
    answers = m_transport.get(requests);
    // The others were cancelled by the one that failed.
    const HubAnswer *broken = nullptr;
    for (const HubAnswer &answer : answers)
        if (answer.fault && (!broken || broken->fault.kind == HubFault::Kind::Cancelled))
            broken = &answer;
    return !broken || failed(broken->fault);
}

bool HubHeaders::fetchWhole(const std::string &file, qint64 most, QByteArray &bytes) {
    const HubAnswer answer = m_transport.get({urlOf(file), words(file), 0, -1, most});
    if (answer.fault)
        return failed(answer.fault);
    bytes = answer.body;
    m_transport.fileDone();
    return write(file, bytes);
}

bool HubHeaders::headerLength(const std::string &file, const HubAnswer &start, qint64 &bytes) {
    if (start.body.size() < lengthBytes)
        return failed(HubFault::Kind::BadAnswer, file, Said::tr("it is too short for a file of weights."));
    const auto length = qFromLittleEndian<quint64>(start.body.constData());
    if (length > static_cast<quint64>(maxSafetensorsHeader) || (start.whole >= 0 && static_cast<qint64>(length) > start.whole - lengthBytes))
        return failed(HubFault::Kind::BadAnswer, file, Said::tr("it does not begin with the header of a safetensors file."));
    bytes = lengthBytes + static_cast<qint64>(length);
    return true;
}

bool HubHeaders::fetchSafetensors(const std::vector<std::string> &files) {
    constexpr qint64 most = lengthBytes + maxSafetensorsHeader;
    std::vector<HubRequest> requests;
    requests.reserve(files.size());
    for (const std::string &file : files)
        requests.push_back({urlOf(file), words(file), 0, firstPart, most});
    std::vector<HubAnswer> starts, ends;
    if (!getAll(requests, starts))
        return false;
    requests.clear();
    std::vector<std::size_t> whose;
    qint64 expected = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        qint64 needed = 0;
        QByteArray &body = starts[i].body;
        if (!headerLength(files[i], starts[i], needed))
            return false;
        body.truncate(needed);
        if (body.size() == needed)
            continue;
        expected += needed - body.size();
        if (!roomFor(expected, files[i]))
            return false;
        requests.push_back({urlOf(files[i]), words(files[i]), body.size(), needed - body.size(), most});
        whose.push_back(i);
    }
    if (!getAll(requests, ends))
        return false;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        if (ends[k].body.size() != requests[k].count)
            return failed(HubFault::Kind::BadAnswer, files[whose[k]], Said::tr("it ends inside its header."));
        starts[whose[k]].body += ends[k].body;
    }
    for (std::size_t i = 0; i < files.size(); ++i)
        if (!keep(files[i], starts[i]))
            return false;
    return true;
}

bool HubHeaders::fetchGgufPart(const std::string &file, qint64 first) {
    const std::string name(baseName(file));
    HubAnswer all;
    for (qint64 wanted = first;; wanted *= ggufGrowth) {
        const qint64 have = all.body.size();
        if (wanted > mostGgufHeader)
            return failed(HubFault::Kind::TooLarge, file, Said::tr(", before its header ends"));
        if (!roomFor(wanted - have, file))
            return false;
        const HubAnswer part = m_transport.get({urlOf(file), words(file), have, wanted - have, mostGgufHeader});
        if (part.fault)
            return failed(part.fault);
        all.body += part.body;
        all.whole = part.whole >= 0 ? part.whole : all.whole;
        if (!write(name, all.body))
            return false;
        const Parsed<GgufFile> header = readGgufFile(utf8(m_folder) + "/" + name);
        if (header) {
            all.body.truncate(std::min<qint64>(all.body.size(), header->headerBytes));
            return keep(name, all);
        }
        const Note *error = firstError(header.notes);
        const bool more = part.body.size() == wanted - have && (all.whole < 0 || all.body.size() < all.whole);
        if (error && error->code == "truncated" && more)
            continue;
        takeNotes(header.notes);
        return false;
    }
}

bool HubHeaders::fetchGguf(const std::string &first) {
    const SplitName split = splitName(first);
    m_transport.expect(std::max(split.count, 1));
    if (!fetchGgufPart(first, firstGgufPart))
        return false;
    for (int part = 2; part <= split.count; ++part)
        if (!fetchGgufPart(splitPart(split, part), laterGgufPart))
            return false;
    return true;
}

} // namespace kv
