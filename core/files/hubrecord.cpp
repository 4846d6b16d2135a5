// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/hubrecord.h"

#include "core/base/json.h"
#include "core/base/smallfile.h"
#include "core/base/units.h"
#include "core/files/folder.h"
#include "core/files/shown.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace kv {

namespace {

constexpr std::int64_t maxRecordBytes = mebibyte;

using Lengths = std::map<std::string, std::int64_t>;

Lengths lengthsOf(const Json &root, std::string_view key) {
    Lengths lengths;
    if (const Json *files = root.find(key); files && files->isObject())
        for (const auto &[name, length] : files->members())
            if (length.kind() == Json::Kind::Integer && length.integer() >= 0)
                lengths[name] = length.integer();
    return lengths;
}

void writeLengths(Json &root, const std::string &key, const Lengths &lengths) {
    Json &files = root.set(key, Json::object());
    for (const auto &[name, length] : lengths)
        files.set(name, length);
}

std::string textOf(const Json &root, std::string_view key) {
    const Json *value = root.find(key);
    return value && value->isString() ? shown(value->text(), 300) : std::string();
}

} // namespace

std::optional<std::int64_t> HubRecord::lengthOf(const std::string &name) const {
    const auto found = lengths.find(name);
    return found == lengths.end() ? std::nullopt : std::optional(found->second);
}

std::optional<HubRecord> readHubRecord(const std::string &folder) {
    const std::string path = folder + "/" + std::string(hubRecordName);
    if (entryKind(path) != EntryKind::File)
        return std::nullopt;
    const Parsed<std::string> text = readSmallFile(path, maxRecordBytes);
    const Parsed<Json> root = text ? parseJson(*text, path) : Parsed<Json>{};
    const Json *files = root && root->isObject() ? root->find("files") : nullptr;
    if (!files || !files->isObject())
        return std::nullopt;
    HubRecord record{textOf(*root, "endpoint"), textOf(*root, "repository"), textOf(*root, "revision"), textOf(*root, "commit"), lengthsOf(*root, "files"), lengthsOf(*root, "kept")};
    return record.repository.empty() ? std::nullopt : std::optional(std::move(record));
}

std::string writeHubRecord(const HubRecord &record) {
    Json root = Json::object();
    root.set("endpoint", record.endpoint);
    root.set("repository", record.repository);
    root.set("revision", record.revision);
    root.set("commit", record.commit);
    writeLengths(root, "files", record.lengths);
    if (!record.kept.empty())
        writeLengths(root, "kept", record.kept);
    return writeJson(root, 2) + "\n";
}

bool isWhole(const HubRecord &record, const std::string &folder) {
    const auto isThere = [&folder](const std::string &name) { return entryKind(folder + "/" + name) == EntryKind::File; };
    return std::ranges::all_of(record.lengths, [&](const auto &file) { return isThere(file.first); }) &&
           std::ranges::all_of(record.kept, [&](const auto &file) {
               std::error_code error;
               return isThere(file.first) && static_cast<std::int64_t>(std::filesystem::file_size(folder + "/" + file.first, error)) == file.second && !error;
           });
}

std::int64_t wholeLength(const std::string &path, std::int64_t there) {
    const std::string name(baseName(path));
    const std::string folder = path.size() > name.size() ? path.substr(0, path.size() - name.size()) + "." : std::string(".");
    const std::optional<HubRecord> record = readHubRecord(folder);
    return record ? std::max(record->lengthOf(name).value_or(there), there) : there;
}

} // namespace kv
