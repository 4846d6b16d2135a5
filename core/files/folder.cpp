// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/folder.h"

#include <algorithm>
#include <dirent.h>
#include <memory>
#include <sys/stat.h>

namespace kv {

namespace {

EntryKind look(const std::string &path, std::int64_t &size) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) ? EntryKind::BrokenLink
                                                                              : EntryKind::Missing;
    if (S_ISDIR(status.st_mode))
        return EntryKind::Folder;
    if (!S_ISREG(status.st_mode))
        return EntryKind::Other;
    size = static_cast<std::int64_t>(status.st_size);
    return EntryKind::File;
}

} // namespace

EntryKind entryKind(const std::string &path) {
    std::int64_t size = 0;
    return look(path, size);
}

FolderEntry entryAt(const std::string &folder, const std::string &name) {
    FolderEntry entry{name, EntryKind::Missing, 0};
    entry.kind = look(folder + "/" + name, entry.size);
    return entry;
}

std::string inside(const std::string &folder, const std::string &name) { return folder + "/" + name; }

std::vector<std::string> folderNames(const std::string &folder, std::size_t most) {
    struct Close {
        void operator()(DIR *open) const { ::closedir(open); }
    };
    std::vector<std::string> names;
    const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
    while (open && names.size() < most) {
        const dirent *entry = ::readdir(open.get()); // NOLINT(concurrency-mt-unsafe): safe for streams that no two threads share
        if (!entry)
            break;
        if (const std::string_view name = entry->d_name; name != "." && name != "..")
            names.emplace_back(name);
    }
    std::ranges::sort(names);
    return names;
}

std::vector<FolderEntry> listFolder(const std::string &folder, std::size_t most) {
    std::vector<FolderEntry> list;
    for (const std::string &name : folderNames(folder, most))
        list.push_back(entryAt(folder, name));
    return list;
}

} // namespace kv
