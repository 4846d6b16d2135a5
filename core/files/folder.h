// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lies in a folder, without opening any of it: names, kinds and sizes, links followed.

#include <cstdint>
#include <string>
#include <vector>

namespace kv {

enum class EntryKind : std::uint8_t { Missing, File, Folder, BrokenLink, Other };

struct FolderEntry {
    std::string name;
    EntryKind kind = EntryKind::Missing; ///< of what a link leads to
    std::int64_t size = 0;               ///< of a file
};

/// A path with nothing at all behind it is Missing; a link to nothing, or in a circle, a BrokenLink; pipes and devices are Other.
EntryKind entryKind(const std::string &path);
FolderEntry entryAt(const std::string &folder, const std::string &name);

/// folder/name
std::string inside(const std::string &folder, const std::string &name);

/// All entries by name, at most `most` of them; empty when the folder cannot be read. Kinds and sizes cost a look at each entry.
std::vector<FolderEntry> listFolder(const std::string &folder, std::size_t most = 100'000);

/// The names alone, which is quicker in folders of thousands.
std::vector<std::string> folderNames(const std::string &folder, std::size_t most = 100'000);

} // namespace kv
