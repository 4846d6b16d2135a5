// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writing a small file of the user's so that it is never half there: the new content is written whole beside the old file and takes its
// place in one step, and is on the disk by then. A link stays a link: the file that it leads to is replaced. Code: "cannot-write".

#include "core/base/note.h"

#include <string>
#include <string_view>

namespace kv {

/// What stood in the way, or nothing.
std::optional<Note> saveFile(const std::string &path, std::string_view content);
/// The same as the system's reason alone, "No space left on device"; empty: it is written.
std::string replaceFile(const std::string &path, std::string_view content);

/// Keeps other instances of the program that ask for the same lock waiting while it lives. Where a folder cannot be locked (a network
/// share), it does nothing.
class FolderLock {
public:
    explicit FolderLock(const std::string &folder);
    ~FolderLock();
    FolderLock(const FolderLock &) = delete;
    FolderLock &operator=(const FolderLock &) = delete;

private:
    int m_descriptor = -1;
};

} // namespace kv
