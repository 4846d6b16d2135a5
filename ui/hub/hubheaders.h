// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The headers of files of weights, each cut off behind its header into a folder. Their whole lengths go into the record.

#include "core/files/hubrecord.h"
#include "ui/hub/hubtransport.h"

#include <string>
#include <vector>

namespace kv {

class HubHeaders {
public:
    /// `revision`: the commit that all files are taken from.
    HubHeaders(HubTransport &transport, const HubSettings &settings, const HubName &name, const QString &revision, const QString &folder)
        : m_transport(transport), m_settings(settings), m_name(name), m_revision(revision), m_folder(folder) {}

    QUrl urlOf(const std::string &file) const;
    /// Writes a file into the folder, below folders of its own where its name has them.
    bool write(const std::string &file, const QByteArray &bytes);

    /// Each of these returns false with `fault` or a note.
    bool fetchWhole(const std::string &file, qint64 most, QByteArray &bytes);
    bool fetchSafetensors(const std::vector<std::string> &files);
    /// All parts, under their names without the folder they lie in.
    bool fetchGguf(const std::string &first);

    /// What core says of a file in the folder, which is named as the repository names it: the folder goes.
    void takeNotes(const Notes &of);

    HubFault fault;
    Notes notes;
    HubRecord record;

private:
    bool failed(const HubFault &why) {
        fault = why;
        return false;
    }
    bool failed(HubFault::Kind kind, const std::string &file, const QString &detail);
    bool roomFor(qint64 more, const std::string &file);
    bool keep(const std::string &name, const HubAnswer &answer);
    bool getAll(const std::vector<HubRequest> &requests, std::vector<HubAnswer> &answers);
    bool headerLength(const std::string &file, const HubAnswer &start, qint64 &bytes);
    bool fetchGgufPart(const std::string &file, qint64 first);

    HubTransport &m_transport;
    const HubSettings &m_settings;
    const HubName &m_name;
    QString m_revision, m_folder;
};

} // namespace kv
