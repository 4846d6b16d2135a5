// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/smallfile.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

/// Closes what open() gave.
class Descriptor {
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int number() const { return m_number; }

private:
    int m_number;
};

Parsed<std::string> refused(const char *code, const std::string &path, const std::string &reason) {
    const std::string shown = oneLine(path);
    return {std::nullopt, {errorNote(code, shown, shown + ": " + reason)}};
}

Parsed<std::string> refusedByErrno(const std::string &path, int error) {
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return refused("no-such-file", path, "there is no such file; check the path");
    case EACCES:
    case EPERM:
        return refused("no-permission", path, "there is no permission to read this file");
    case ELOOP:
        return refused("no-such-file", path, "the links of this path lead in a circle, so there is no file behind it");
    case ENAMETOOLONG:
        return refused("no-such-file", path, "the path is longer than the system allows");
    case ENXIO:
        return refused("not-a-file", path, "this is no regular file");
    default:
        return refused("read-failed", path, std::string("the file cannot be read (") + std::strerror(error) + ")");
    }
}

const char *kindOfFile(mode_t mode) {
    if (S_ISDIR(mode))
        return "this is a folder, a file was expected";
    if (S_ISFIFO(mode))
        return "this is a named pipe, a regular file was expected";
    if (S_ISSOCK(mode))
        return "this is a socket, a regular file was expected";
    return "this is a device, a regular file was expected";
}

} // namespace

Parsed<std::string> readSmallFile(const std::string &path, std::int64_t maxBytes) {
    // A path with a zero byte in it would be cut there by the system, and another file opened.
    if (path.empty() || path.find('\0') != std::string::npos)
        return refused("no-such-file", path, "this is no path of a file");
    // Without O_NONBLOCK, opening a pipe that nobody writes to waits for ever.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (file.number() < 0)
        return refusedByErrno(path, errno);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0)
        return refusedByErrno(path, errno);
    if (!S_ISREG(status.st_mode))
        return refused("not-a-file", path, kindOfFile(status.st_mode));
    if (status.st_size > maxBytes)
        return refused("file-too-large", path,
                       "the file has " + writeNumber(status.st_size) + " bytes; at most " + writeNumber(maxBytes) + " are read of such a file");
    // The size is only a hint: the file may grow while it is read, and files of the system say 0.
    std::string text;
    text.reserve(static_cast<std::size_t>(status.st_size) + 1);
    char block[64 * 1024];
    for (;;) {
        const ssize_t got = ::read(file.number(), block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return refusedByErrno(path, errno);
        if (got == 0)
            return {std::move(text), {}};
        text.append(block, static_cast<std::size_t>(got));
        if (static_cast<std::int64_t>(text.size()) > maxBytes)
            return refused("file-too-large", path, "the file has more than " + writeNumber(maxBytes) + " bytes, the most that is read of such a file");
    }
}

std::string userDataFolder() {
    // The base directory specification: a relative XDG_DATA_HOME is to be ignored.
    if (const char *data = std::getenv("XDG_DATA_HOME"); data && data[0] == '/')
        return std::string(data) + "/KVPlanner";
    if (const char *home = std::getenv("HOME"); home && home[0] == '/')
        return std::string(home) + "/.local/share/KVPlanner";
    return {};
}

std::vector<std::string> userFiles(const std::string &subfolder) {
    const std::string root = userDataFolder();
    std::vector<std::string> paths;
    if (root.empty())
        return paths;
    std::error_code error;
    for (std::filesystem::directory_iterator it(root + "/" + subfolder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".json")
            paths.push_back(it->path().string());
    std::ranges::sort(paths);
    return paths;
}

} // namespace kv
