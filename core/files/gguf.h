// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The header of a GGUF file: its metadata and its table of tensors. The tensor data behind it is never read.
//
// Versions 2 and 3, little-endian; big-endian files and version 1 are refused by name, as the engine does. Every count and length is held
// against the bytes that are left before it is used. Vocabularies are stepped over: an array of texts or a long array becomes an object
// {"type": "string", "count": 150000} in the metadata; arrays of numbers up to maxKeptElements (the per-layer facts) are kept whole.
// What the engine refuses is refused: an unknown type, rows that are no whole blocks, offsets that do not follow from the sizes and the
// alignment, a key or tensor twice. A file whose data is missing is taken, with a warning. Source: ggml/src/gguf.cpp
// (gguf_init_from_reader), llama.cpp v0.5.0.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kv {

inline constexpr std::uint64_t maxGgufKeys = 100'000;
inline constexpr std::uint64_t maxGgufTensors = 262'144;
inline constexpr std::uint64_t maxKeptElements = 4'096;

struct GgufTensor {
    std::string name; ///< valid UTF-8, at most 63 bytes
    std::uint32_t type = 0;
    std::int64_t elements = 0;
    Bytes stored; ///< without the padding behind it

    bool operator==(const GgufTensor &) const = default;
};

struct GgufFile {
    std::uint32_t version = 0;
    Json metadata = Json::object();
    std::vector<GgufTensor> tensors;
    std::int64_t headerBytes = 0; ///< where the tensor data begins, alignment included

    bool operator==(const GgufFile &) const = default;
};

/// Whether these first bytes of a file are those of a GGUF file.
inline constexpr std::string_view ggufMagic = "GGUF";

/// The header of one file, a part of a split model included.
Parsed<GgufFile> readGgufFile(const std::string &path);

/// The header of a whole model: of "name-00001-of-00003.gguf", whichever part is named, the metadata of the first part and the tensors of
/// all. Missing parts are refused ("split-missing"), named in short.
Parsed<GgufFile> readGguf(const std::string &path);

/// "name-00002-of-00003.gguf" taken apart; count 0 when the name is not of that form.
struct SplitName {
    std::string prefix; ///< path up to "-00002-of-00003.gguf"
    int number = 0;
    int count = 0;
};
SplitName splitName(const std::string &path);
std::string splitPart(const SplitName &split, int number);

} // namespace kv
