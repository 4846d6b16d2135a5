// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands beside files that were fetched from a Hub: where they came from, and how long they are there. Of weights only the header is
// kept, so the length of the whole file has to be written down for the header to be held against.
//
//     {"endpoint": "https://huggingface.co", "repository": "acme/tiny", "revision": "main", "commit": "…", "files": {"model.safetensors": 123},
//      "kept": {"config.json": 45, "model.safetensors": 67}}
//
// A record that is broken counts as none: the files then are what they are, incomplete.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

inline constexpr std::string_view hubRecordName = "kvplanner-hub.json";

struct HubRecord {
    std::string endpoint;
    std::string repository; ///< "acme/tiny"
    std::string revision;   ///< as it was asked for
    std::string commit;
    std::map<std::string, std::int64_t> lengths; ///< of files that are kept in part: name in the folder, bytes of the whole
    std::map<std::string, std::int64_t> kept{};  ///< of every file beside it: bytes that lie in the folder; empty: not written down

    std::optional<std::int64_t> lengthOf(const std::string &name) const;
    bool operator==(const HubRecord &) const = default;
};

std::optional<HubRecord> readHubRecord(const std::string &folder);
std::string writeHubRecord(const HubRecord &record);

/// Whether all that it lists lies in the folder, as long as it was.
bool isWhole(const HubRecord &record, const std::string &folder);

/// Bytes of the whole file of which `there` lie at the path, as a record beside it says; else `there`.
std::int64_t wholeLength(const std::string &path, std::int64_t there);

} // namespace kv
