// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Compressed attention (DeepSeek V4): a layer keeps one entry for every `ratio` tokens (ratio 0: none), each a single vector of
// headDim elements that serves as key and value; beside them the last `window` tokens uncompressed, for layers of ratio 4 an index key
// per entry, and a compressor state per sequence that does not grow.
// The textbook counts entries = floor(T ÷ ratio), the window min(T, window), index keys in the KV type and states in FP32:
// 2 × coff × headDim elements for each of coff × ratio slots, coff = 2 at ratio 4, else 1 (and the indexer's own, with its key size).
// Source: vLLM models/deepseek_v4/{attention,compressor}.py; config keys compress_ratios, sliding_window, index_head_dim.

#include "core/cache/terms.h"

namespace kv {

struct CompressedAttention {
    std::int64_t ratio = 0;     ///< tokens an entry; 0: window only
    std::int64_t headDim = 0;   ///< elements of one entry, rope part included
    std::int64_t ropeSize = 0;  ///< of which rotary (kept in 16 bit by engines)
    Tokens window;
    std::int64_t indexSize = 0; ///< index_head_dim where this layer has an indexer, else 0
    bool operator==(const CompressedAttention &) const = default;
};

/// Elements of the compressor's state, the indexer's own included; kept in FP32.
std::int64_t compressorElements(const CompressedAttention &part);
Bytes bytesPerToken(const CompressedAttention &part, const CacheTypes &types);
Bytes bytesAt(const CompressedAttention &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const CompressedAttention &part, const CacheTypes &types);
CacheTerms terms(const CompressedAttention &part, const CacheTypes &types);

} // namespace kv
