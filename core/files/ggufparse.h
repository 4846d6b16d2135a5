// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the parts of the GGUF header parser share: the place in the file, and one way to refuse.

#include "core/files/gguf.h"
#include "core/base/inputfile.h"

namespace kv::gguf {

struct Parse {
    ForwardReader in;
    const std::string &path;
    Notes notes;

    Parse(const InputFile &file, const std::string &where) : in(file), path(where) {}

    /// Always false, so that a check reads `return parse.refuse(…)`. `text` goes on behind the file's name.
    bool refuse(std::string code, const std::string &text);
    /// The file ended inside `what`: "truncated".
    bool cutOff(const std::string &what);
};

/// The name of a value type of the metadata and its size; 0 for texts and arrays. Empty: no such type.
struct ValueType {
    std::string_view name;
    std::size_t bytes = 0;
};
ValueType valueType(std::uint32_t type);
inline constexpr std::uint32_t stringType = 8;
inline constexpr std::uint32_t arrayType = 9;

/// `count` keys and values into `metadata`.
bool readMetadata(Parse &parse, std::uint64_t count, Json &metadata);
/// `count` entries of the tensor table, whose data lies at multiples of `alignment`. `dataBytes`: what the data section needs.
bool readTensors(Parse &parse, std::uint64_t count, std::int64_t alignment, std::vector<GgufTensor> &tensors,
                 std::int64_t &dataBytes);

} // namespace kv::gguf
