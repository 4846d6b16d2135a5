// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads a start-up log of any size in one pass and little memory, and says which engine wrote it.
//
// Every engine's sentences are looked for at once; the engine whose own wording came last is the one told (a file may hold another
// server's earlier start). Codes: "log-not-recognised" where no engine's line was found, naming a known engine that is not counted; as
// warnings "log-figure-unreadable" and "log-several-starts"; of a file those of base/inputfile.h.

#include "core/log/logdraft.h"
#include "core/log/sentences.h"
#include "core/log/serverlog.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

class ServerLogReader {
public:
    ServerLogReader();
    /// The next bytes, cut anywhere.
    void feed(std::string_view bytes);
    /// Nothing may be fed after it. `source` is how messages call the log.
    Parsed<ServerLog> finish(const std::string &source);

private:
    void take(std::string_view line);
    LogDraft &draftOf(std::string_view engine);

    LogLines m_lines;
    std::vector<SentenceFinder::Hit> m_hits;
    std::vector<std::pair<std::string_view, LogDraft>> m_drafts; ///< by engine
    std::string_view m_other; ///< an engine that is known by name only
};

Parsed<ServerLog> readServerLog(const std::string &path);
Parsed<ServerLog> readServerLogText(std::string_view text, const std::string &source);

} // namespace kv
