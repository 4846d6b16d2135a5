// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/hubrepository.h"

#include "core/base/smallfile.h"
#include "core/files/folder.h"
#include "core/files/shown.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace kv {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view prefix = "models--";
constexpr std::int64_t maxRefBytes = 4096;

/// One name of a folder: nothing that could lead elsewhere.
bool isRevision(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
               c == '.';
    };
    return !name.empty() && name.size() <= 255 && name != "." && name != ".." && std::ranges::all_of(name, plain);
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Names of the snapshots, the newest first.
std::vector<std::string> snapshots(const std::string &repository) {
    std::vector<std::pair<fs::file_time_type, std::string>> found;
    for (const FolderEntry &entry : listFolder(repository + "/snapshots"))
        if (entry.kind == EntryKind::Folder) {
            std::error_code error;
            found.emplace_back(fs::last_write_time(repository + "/snapshots/" + entry.name, error), entry.name);
        }
    std::ranges::sort(found, std::ranges::greater());
    std::vector<std::string> names;
    names.reserve(found.size());
    for (auto &[time, name] : found)
        names.push_back(std::move(name));
    return names;
}

} // namespace

std::string hubRepositoryName(std::string_view folderName) {
    if (!folderName.starts_with(prefix))
        return {};
    std::string name(folderName.substr(prefix.size()));
    if (const std::size_t at = name.find("--"); at != std::string::npos)
        name.replace(at, 2, "/");
    return name;
}

bool isHubRepository(const std::string &folder) {
    return !hubRepositoryName(baseName(folder)).empty() && entryKind(folder + "/snapshots") == EntryKind::Folder;
}

Parsed<std::string> hubSnapshot(const std::string &repository) {
    const std::string name = shown(baseName(repository), 200);
    const std::vector<std::string> there = snapshots(repository);
    const auto refused = [&](const char *code, const std::string &text) {
        return Parsed<std::string>{std::nullopt, {errorNote(code, repository, name + ": " + text)}};
    };
    const auto taken = [&](const std::string &snapshot, Notes notes) {
        return Parsed<std::string>{repository + "/snapshots/" + snapshot, std::move(notes)};
    };
    if (there.empty())
        return refused("no-snapshot", "the repository has no snapshot: nothing of it was downloaded");
    const std::string refPath = repository + "/refs/main";
    if (entryKind(refPath) == EntryKind::Missing) {
        if (there.size() == 1)
            return taken(there.front(), {});
        return taken(there.front(),
                     {warningNote("other-revision", repository,
                                  name + ": there is no refs/main; of its " + std::to_string(there.size()) +
                                      " snapshots the newest is taken, " + there.front())});
    }
    const Parsed<std::string> text = readSmallFile(refPath, maxRefBytes);
    if (!text)
        return {std::nullopt, text.notes};
    const std::string revision(trimmed(*text));
    if (!isRevision(revision))
        return refused("bad-revision", "refs/main does not name a revision but \"" + shown(revision) + "\"");
    if (std::ranges::count(there, revision) > 0)
        return taken(revision, {});
    const std::string missing = "refs/main names the revision " + shown(revision) + ", of which there is no snapshot";
    if (there.size() > 1)
        return refused("no-snapshot", missing + "; name one of the folders in snapshots/");
    return taken(there.front(), {warningNote("other-revision", repository,
                                             name + ": " + missing + "; the only one is taken, " + there.front())});
}

std::string hubRepositoryOf(const std::string &path) {
    // A file of a snapshot may lie some folders deep.
    std::error_code error;
    fs::path at = fs::absolute(path, error).lexically_normal();
    for (int level = 0; level < 8 && at.has_relative_path(); ++level, at = at.parent_path())
        if (at.filename() == "snapshots" && isHubRepository(at.parent_path().string()))
            return at.parent_path().string();
    return {};
}

Notes checkHubLink(const std::string &file) {
    std::error_code error;
    if (!fs::is_symlink(file, error))
        return {};
    const std::string repository = hubRepositoryOf(file);
    if (repository.empty())
        return {};
    const fs::path root = fs::canonical(repository, error);
    const fs::path target = error ? fs::path() : fs::canonical(file, error);
    if (error) // what is wrong with it is said when it is opened
        return {};
    const auto [rest, unused] = std::mismatch(root.begin(), root.end(), target.begin(), target.end());
    if (rest == root.end())
        return {};
    return {errorNote("outside-folder", file,
                      shown(baseName(file), 200) +
                          " is a link that leads out of the repository's folder; it is not opened")};
}

} // namespace kv
