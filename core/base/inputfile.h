// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A regular file that is open for reading, and a reader that walks forward through its header in bounded pieces.
//
// Only regular files are opened: a FIFO would block, a device never ends, so each is refused by its kind ("is a pipe, not a file"). The
// kind is looked at before opening and again behind it, and the open itself never blocks. Nothing is mapped: a file that
// shrinks while it is read gives a short read, not a signal.

#include "core/base/note.h"
#include "core/base/units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kv {

class InputFile {
public:
    /// Errors: "no-such-file", "not-a-file", "no-permission", "read-failed"; each names the path and the reason.
    static Parsed<InputFile> open(const std::string &path);

    InputFile(InputFile &&other) noexcept;
    InputFile &operator=(InputFile &&other) noexcept;
    ~InputFile();

    const std::string &path() const { return m_path; }
    std::int64_t size() const { return m_size; }
    /// Reads up to `count` bytes at `offset`; fewer at the end of the file and on a read error.
    std::size_t readAt(std::int64_t offset, char *to, std::size_t count) const;

private:
    InputFile(std::string path, int descriptor, std::int64_t size)
        : m_path(std::move(path)), m_descriptor(descriptor), m_size(size) {}

    std::string m_path;
    int m_descriptor = -1;
    std::int64_t m_size = 0;
};

/// Little-endian values one after the other. The first read beyond the end makes the reader fail for good; what is read then is 0.
class ForwardReader {
public:
    explicit ForwardReader(const InputFile &file, std::size_t bufferBytes = 256 * kibibyte);

    bool failed() const { return m_failed; }
    std::int64_t position() const { return m_bufferAt + static_cast<std::int64_t>(m_next); }
    std::int64_t remaining() const { return m_size - position(); }

    std::uint8_t u8() { return number<std::uint8_t>(); }
    std::uint16_t u16() { return number<std::uint16_t>(); }
    std::uint32_t u32() { return number<std::uint32_t>(); }
    std::uint64_t u64() { return number<std::uint64_t>(); }
    /// `count` bytes as text; the caller has bounded count.
    std::string text(std::size_t count);
    /// Steps over bytes without reading them where they lie beyond the buffer.
    void skip(std::uint64_t count);
    /// Steps over texts (each its length in 64 bit, then its bytes), at most `count` of them and only while they lie whole in the buffer.
    /// Returns how many it was; the next one is then to be read as any other.
    std::uint64_t skipTexts(std::uint64_t count);

private:
    template <typename T>
    T number() {
        unsigned char bytes[sizeof(T)];
        if (m_next + sizeof(T) <=
            m_filled) // the usual case, kept short: a vocabulary has hundreds of thousands of lengths
            copyOut(bytes, sizeof(T));
        else if (!take(bytes, sizeof(T)))
            return 0;
        T value = 0;
        for (std::size_t i = sizeof(T); i-- > 0;)
            value = static_cast<T>((static_cast<std::uint64_t>(value) << 8) | bytes[i]);
        return value;
    }
    void copyOut(unsigned char *to, std::size_t count);
    bool take(void *to, std::size_t count);
    bool refill();

    const InputFile &m_file;
    std::int64_t m_size;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_capacity;
    std::int64_t m_bufferAt = 0; ///< place in the file of the buffer's first byte
    std::size_t m_filled = 0;
    std::size_t m_next = 0;
    bool m_failed = false;
};

} // namespace kv
