// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/inputfile.h"

#include "core/base/plaintext.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

Note reason(const std::string &path, int error) {
    const std::string name = path.empty() ? "\"\"" : oneLine(path, 400);
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return errorNote("no-such-file", name, name + ": there is no such file");
    case EACCES:
    case EPERM:
        return errorNote("no-permission", name, name + ": no permission to read it");
    case ELOOP:
        return errorNote("link-loop", name, name + ": the link leads back to itself, so there is no file behind it");
    case ENAMETOOLONG:
        return errorNote("no-such-file", name, name + ": the name is too long, so there is no such file");
    default:
        return errorNote("read-failed", name, name + " cannot be read: " + std::generic_category().message(error));
    }
}

const char *kindOfFile(mode_t mode) {
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

Note notRegular(const std::string &path, mode_t mode) {
    return errorNote("not-a-file", oneLine(path, 400), oneLine(path, 400) + " is " + kindOfFile(mode) + ", not a regular file");
}

} // namespace

Parsed<InputFile> InputFile::open(const std::string &path) {
    Parsed<InputFile> result;
    const auto refuse = [&result](Note note) {
        result.notes.push_back(std::move(note));
        return std::move(result);
    };
    if (path.find('\0') != std::string::npos)
        return refuse(errorNote("no-such-file", oneLine(path, 400), oneLine(path, 400) + ": a file name cannot hold a NUL byte"));
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0)
        return refuse(reason(path, errno));
    if (!S_ISREG(status.st_mode))
        return refuse(notRegular(path, status.st_mode));
    // The file may have been replaced since: never wait, never take over a terminal, and look again.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return refuse(reason(path, errno));
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return refuse(notRegular(path, status.st_mode));
    }
    result.value = InputFile(path, descriptor, static_cast<std::int64_t>(status.st_size));
    return result;
}

InputFile::InputFile(InputFile &&other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)), m_size(other.m_size) {}

InputFile &InputFile::operator=(InputFile &&other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_size, other.m_size);
    return *this;
}

InputFile::~InputFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::size_t InputFile::readAt(std::int64_t offset, char *to, std::size_t count) const {
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got =
            ::pread(m_descriptor, to + done, count - done, static_cast<off_t>(offset) + static_cast<off_t>(done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

ForwardReader::ForwardReader(const InputFile &file, std::size_t bufferBytes)
    : m_file(file), m_size(file.size()), m_capacity(std::min(bufferBytes, static_cast<std::size_t>(std::max<std::int64_t>(file.size(), 1)))) {}

bool ForwardReader::refill() {
    m_bufferAt += static_cast<std::int64_t>(m_next);
    m_next = 0;
    m_filled = 0;
    if (m_bufferAt >= m_size)
        return false;
    if (!m_buffer)
        m_buffer = std::make_unique_for_overwrite<char[]>(m_capacity);
    m_filled = m_file.readAt(m_bufferAt, m_buffer.get(), m_capacity);
    return m_filled > 0;
}

void ForwardReader::copyOut(unsigned char *to, std::size_t count) {
    std::memcpy(to, m_buffer.get() + m_next, count);
    m_next += count;
}

bool ForwardReader::take(void *to, std::size_t count) {
    auto *out = static_cast<unsigned char *>(to);
    while (count > 0 && !m_failed) {
        if (m_next == m_filled && !refill()) {
            m_failed = true;
            break;
        }
        const std::size_t now = std::min(count, m_filled - m_next);
        copyOut(out, now);
        out += now;
        count -= now;
    }
    return !m_failed;
}

std::string ForwardReader::text(std::size_t count) {
    if (m_failed || static_cast<std::uint64_t>(remaining()) < count) {
        m_failed = true;
        return {};
    }
    std::string result(count, '\0');
    return take(result.data(), count) ? result : std::string();
}

std::uint64_t ForwardReader::skipTexts(std::uint64_t count) {
    constexpr std::size_t lengthBytes = 8;
    std::uint64_t done = 0;
    for (; done < count && m_filled - m_next >= lengthBytes; ++done) {
        const char *at = m_buffer.get() + m_next;
        std::uint64_t length = 0;
        std::memcpy(&length, at, lengthBytes);
        if constexpr (std::endian::native == std::endian::big) // one text begins where the length before it says: the loads wait for each other
            length = __builtin_bswap64(length);
        if (length > m_filled - m_next - lengthBytes)
            break;
        m_next += lengthBytes + static_cast<std::size_t>(length);
    }
    return done;
}

void ForwardReader::skip(std::uint64_t count) {
    if (m_failed || count > static_cast<std::uint64_t>(remaining())) {
        m_failed = true;
        return;
    }
    if (count <= m_filled - m_next) {
        m_next += static_cast<std::size_t>(count);
        return;
    }
    m_bufferAt = position() + static_cast<std::int64_t>(count);
    m_next = m_filled = 0;
}

} // namespace kv
