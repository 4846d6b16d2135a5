// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How one tensor is stored: bits an element, and the scales beside them.
//
// A matrix of rows (outputs) × columns (inputs) is cut into blocks of blockRows × blockColumns, each with scaleBits of scales and
// zero points; 0 means "the whole side". 16 bit has no blocks; FP8 by blocks of 128 × 128 has 32 bits each; AWQ with groups of 128 has
// 16 + 4 bits for each 1 × 128. A block that an edge cuts still has its whole scale. Sizes are whole bytes, rounded up once a tensor.

#include "core/base/units.h"

#include <cstdint>
#include <string_view>

namespace kv {

struct StoredAs {
    std::int64_t bits = 16;
    std::int64_t blockRows = 0;
    std::int64_t blockColumns = 0;
    std::int64_t scaleBits = 0;   ///< of each block; 0: no blocks
    std::int64_t tensorBytes = 0; ///< for each tensor: a scale of the whole, one of its activations
    std::int64_t columnBytes = 0; ///< for each input: the group index of GPTQ files

    bool operator==(const StoredAs &) const = default;

    /// Bytes of one tensor of that shape.
    Bytes bytes(std::int64_t rows, std::int64_t columns) const;
    /// Bytes of so many elements whose shape is not known: whole blocks are assumed, what is per tensor left out.
    Bytes bytes(std::int64_t elements) const;
};

namespace stored {
inline constexpr StoredAs sixteenBit{};
inline constexpr StoredAs thirtyTwoBit{.bits = 32};
inline constexpr StoredAs fp8Blocks{.bits = 8, .blockRows = 128, .blockColumns = 128, .scaleBits = 32};
inline constexpr StoredAs nvfp4{.bits = 4, .blockRows = 1, .blockColumns = 16, .scaleBits = 8, .tensorBytes = 8};
inline constexpr StoredAs mxfp4{.bits = 4, .blockRows = 1, .blockColumns = 32, .scaleBits = 8};

/// `bits` with a 16-bit scale for each group of a row (0: one group a row) and, asymmetric, a zero point of `bits` beside it.
constexpr StoredAs groups(std::int64_t bits, std::int64_t size, bool zeroPoints) {
    return {.bits = bits, .blockRows = 1, .blockColumns = size, .scaleBits = 16 + (zeroPoints ? bits : 0)};
}
} // namespace stored

} // namespace kv
