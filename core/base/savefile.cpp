// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/savefile.h"

#include "core/base/plaintext.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

bool writeAll(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return ::fsync(descriptor) == 0;
}

} // namespace

std::string replaceFile(const std::string &path, std::string_view content) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    const std::string real = error ? path : target.string();
    std::string beside = real + ".XXXXXX";
    const int descriptor = ::mkstemp(beside.data());
    if (descriptor < 0)
        return std::generic_category().message(errno);
    struct stat old {};
    constexpr mode_t usual = 0644;
    const bool kept = ::fchmod(descriptor, ::stat(real.c_str(), &old) == 0 ? (old.st_mode & 0777) : usual) == 0;
    const bool written = writeAll(descriptor, content);
    const int why = errno;
    if (::close(descriptor) == 0 && kept && written && std::rename(beside.c_str(), real.c_str()) == 0)
        return {};
    const int last = written ? errno : why;
    ::unlink(beside.c_str());
    return std::generic_category().message(last);
}

std::optional<Note> saveFile(const std::string &path, std::string_view content) {
    const std::string reason = replaceFile(path, content);
    if (reason.empty())
        return std::nullopt;
    const std::string shown = oneLine(path);
    return errorNote("cannot-write", shown, shown + " cannot be written: " + reason);
}

FolderLock::FolderLock(const std::string &folder) : m_descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (m_descriptor >= 0)
        while (::flock(m_descriptor, LOCK_EX) != 0 && errno == EINTR) {
        }
}

FolderLock::~FolderLock() {
    if (m_descriptor >= 0)
        ::close(m_descriptor); // which unlocks
}

} // namespace kv
