// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/files/ggufbuilder.h"

#include <bit>

namespace kv::test {

std::string GgufBuilder::number(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 0xFF);
    return out;
}

std::string GgufBuilder::string(std::string_view text) { return number(text.size(), 8).append(text); }

GgufBuilder &GgufBuilder::raw(std::string_view key, std::uint32_t type, std::string_view bytes) {
    m_keys.push_back(string(key) + number(type, 4) + std::string(bytes));
    return *this;
}

GgufBuilder &GgufBuilder::u32(std::string_view key, std::uint32_t value) { return raw(key, 4, number(value, 4)); }
GgufBuilder &GgufBuilder::text(std::string_view key, std::string_view value) { return raw(key, 8, string(value)); }
GgufBuilder &GgufBuilder::flag(std::string_view key, bool value) { return raw(key, 7, number(value ? 1 : 0, 1)); }
GgufBuilder &GgufBuilder::f32(std::string_view key, float value) {
    return raw(key, 6, number(std::bit_cast<std::uint32_t>(value), 4));
}

GgufBuilder &GgufBuilder::i32s(std::string_view key, const std::vector<std::int32_t> &values) {
    std::string bytes = number(5, 4) + number(values.size(), 8);
    for (const std::int32_t value : values)
        bytes += number(static_cast<std::uint32_t>(value), 4);
    return raw(key, 9, bytes);
}

GgufBuilder &GgufBuilder::flags(std::string_view key, const std::vector<bool> &values) {
    std::string bytes = number(7, 4) + number(values.size(), 8);
    for (const bool value : values)
        bytes += value ? '\1' : '\0';
    return raw(key, 9, bytes);
}

GgufBuilder &GgufBuilder::texts(std::string_view key, const std::vector<std::string> &values) {
    std::string bytes = number(8, 4) + number(values.size(), 8);
    for (const std::string &value : values)
        bytes += string(value);
    return raw(key, 9, bytes);
}

GgufBuilder &GgufBuilder::tensorAt(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t> &shape,
                                   std::uint64_t offset) {
    std::string entry = string(name) + number(shape.size(), 4);
    for (const std::uint64_t size : shape)
        entry += number(size, 8);
    m_tensors.push_back(entry + number(type, 4) + number(offset, 8));
    return *this;
}

GgufBuilder &GgufBuilder::tensor(std::string_view name, std::uint32_t type, const std::vector<std::uint64_t> &shape,
                                 std::uint64_t bytes) {
    tensorAt(name, type, shape, m_next);
    m_next = (m_next + bytes + alignment - 1) / alignment * alignment;
    return *this;
}

GgufBuilder &GgufBuilder::tensorWithCount(std::string_view name, std::uint32_t dimensions) {
    m_tensors.push_back(string(name) + number(dimensions, 4) + std::string(64, '\1'));
    return *this;
}

std::string GgufBuilder::header() const {
    const auto count = [](std::int64_t given, std::size_t real) {
        return number(given < 0 ? real : static_cast<std::uint64_t>(given), 8);
    };
    std::string out =
        magic + number(version, 4) + count(tensorCount, m_tensors.size()) + count(keyCount, m_keys.size());
    for (const std::string &key : m_keys)
        out += key;
    for (const std::string &tensor : m_tensors)
        out += tensor;
    return out;
}

std::string GgufBuilder::whole() const {
    std::string out = header();
    out.resize((out.size() + alignment - 1) / alignment * alignment + m_next, '\0');
    return out;
}

GgufBuilder smallLlama() {
    GgufBuilder gguf;
    gguf.text("general.architecture", "llama").text("general.name", "Small");
    gguf.u32("llama.block_count", 2).u32("llama.context_length", 4096).u32("llama.embedding_length", 32);
    gguf.u32("llama.attention.head_count", 2)
        .u32("llama.attention.head_count_kv", 1)
        .u32("llama.feed_forward_length", 64);
    return gguf;
}

GgufBuilder smallModel() { return smallLlama().tensor("token_embd.weight", 8, {32}, 34); }

} // namespace kv::test
