// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes GGUF headers for tests, right or wrong: every part can be given as it should not be. No tensor data, unless padded to.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kv::test {

class GgufBuilder {
public:
    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::int64_t tensorCount = -1; ///< −1: as many as were added
    std::int64_t keyCount = -1;
    std::uint64_t alignment = 32; ///< of the offsets that tensor() works out

    GgufBuilder &u32(std::string_view key, std::uint32_t value);
    GgufBuilder &text(std::string_view key, std::string_view value);
    GgufBuilder &flag(std::string_view key, bool value);
    GgufBuilder &f32(std::string_view key, float value);
    GgufBuilder &i32s(std::string_view key, const std::vector<std::int32_t> &values);
    GgufBuilder &flags(std::string_view key, const std::vector<bool> &values);
    GgufBuilder &texts(std::string_view key, const std::vector<std::string> &values);
    /// A key whose value type and bytes are written as given.
    GgufBuilder &raw(std::string_view key, std::uint32_t type, std::string_view bytes);

    /// A tensor behind the ones before it; `bytes` is its size.
    GgufBuilder &tensor(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t> &shape,
                        std::uint64_t bytes);
    GgufBuilder &tensorAt(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t> &shape,
                          std::uint64_t offset);
    /// A dimension count that is not that of the shape.
    GgufBuilder &tensorWithCount(std::string_view name, std::uint32_t dimensions);

    std::string header() const;
    /// The header and as many zero bytes as its tensors need.
    std::string whole() const;

    static std::string number(std::uint64_t value, int bytes);
    static std::string string(std::string_view text);

private:
    std::vector<std::string> m_keys, m_tensors;
    std::uint64_t m_next = 0;
};

/// Two layers of width 32, two query heads and one KV head of 16: the smallest model that is one. No tensors yet.
GgufBuilder smallLlama();
/// With one tensor of 8-bit weights, 34 bytes.
GgufBuilder smallModel();

} // namespace kv::test
