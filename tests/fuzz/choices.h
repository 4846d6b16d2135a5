// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An input read as a row of choices, for fuzzers that make a value up instead of reading a text. Behind the end every choice is the first.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kv::fuzz {

class Choices {
public:
    explicit Choices(std::string_view bytes) : m_bytes(bytes) {}

    bool empty() const { return m_bytes.empty(); }
    std::uint8_t byte() {
        if (m_bytes.empty())
            return 0;
        const auto first = static_cast<std::uint8_t>(m_bytes.front());
        m_bytes.remove_prefix(1);
        return first;
    }
    /// One of 0 … count − 1; count is at least 1.
    std::size_t below(std::size_t count) {
        std::size_t value = byte();
        if (count > 256)
            value = value << 8 | byte();
        return value % count;
    }
    bool oneIn(std::size_t many) { return below(many) == many - 1; }
    template <typename List>
    const auto &of(const List &list) {
        return list[below(std::size(list))];
    }
    /// 0 or more: the first byte says how many bits, so that small numbers and the largest come up alike.
    std::int64_t whole(unsigned mostBits = 63) {
        const unsigned bits = byte() % (mostBits + 1);
        std::uint64_t value = 0;
        for (unsigned have = 0; have < bits; have += 8)
            value = value << 8 | byte();
        return static_cast<std::int64_t>(bits == 0 ? 0 : (value | std::uint64_t(1) << (bits - 1)) & ((std::uint64_t(1) << bits) - 1));
    }

private:
    std::string_view m_bytes;
};

} // namespace kv::fuzz
