// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The header of a .safetensors file: 8 bytes of length (little-endian), then JSON with dtype, shape and place of every tensor. The data
// behind it is never read.
//
// Refused as the reference reader does (https://github.com/huggingface/safetensors, safetensors/src/tensor.rs): a header longer than
// 100,000,000 bytes or than the file, what is no JSON object, a size that does not follow from dtype and shape, tensors that overlap or
// leave a hole. Taken with a warning, because the sizes are still certain: data that is missing, bytes behind the last tensor, a dtype
// that is not known.

#include "core/base/note.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv {

inline constexpr std::int64_t maxSafetensorsHeader = 100'000'000;

struct SafetensorsTensor {
    std::string name;
    std::string_view dtype; ///< "BF16"; empty: not known
    std::int64_t elements = 0;
    std::int64_t begin = 0; ///< from the start of the data
    std::int64_t end = 0;

    Bytes stored() const { return Bytes(end - begin); }
};

struct SafetensorsFile {
    std::vector<SafetensorsTensor> tensors; ///< in the order of their data
    Bytes stored;                           ///< of all tensors
};

/// `length`: of the whole file, where only its beginning lies at the path.
Parsed<SafetensorsFile> readSafetensors(const std::string &path, std::optional<std::int64_t> length = {});

/// Bits of one element, 0 when the dtype is not known.
int safetensorsBits(std::string_view dtype);

} // namespace kv
