// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The element types of GGUF tensors by their number, with the exact size of a block.
// Source: ggml/src/ggml-common.h (the block structs) and ggml/include/ggml.h (enum ggml_type), llama.cpp v0.5.0. Numbers 4, 5, 31 to 33 and
// 36 to 38 were given once and withdrawn: no reader takes them any more.

#include <cstdint>
#include <span>
#include <string_view>

namespace kv {

struct GgmlType {
    std::uint32_t id;
    std::string_view name; ///< "q4_K"
    std::int64_t blockElements;
    std::int64_t blockBytes;
    bool quantised;
};

std::span<const GgmlType> ggmlTypes();
/// nullptr: not known.
const GgmlType *ggmlType(std::uint32_t id);
/// The name of a number that was withdrawn, else empty.
std::string_view withdrawnGgmlType(std::uint32_t id);
/// What a general.file_type stands for ("Q4_K - Medium" is "Q4_K_M"), a label only; empty when not known.
/// Source: enum llama_ftype of llama.h.
std::string_view ggufFileTypeName(std::int64_t fileType);

} // namespace kv
