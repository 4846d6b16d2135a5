// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Chunked attention (Llama 4): tokens attend inside their chunk of `chunk` tokens only; the textbook keeps min(T, chunk).
// Source: transformers/models/llama4/configuration_llama4.py (attention_chunk_size), masking_utils.py (chunked overlay).

#include "core/cache/terms.h"

namespace kv {

struct ChunkedAttention {
    HeadShape heads;
    Tokens chunk;
    bool operator==(const ChunkedAttention &) const = default;
};

Bytes bytesPerToken(const ChunkedAttention &part, const CacheTypes &types);
Bytes bytesAt(const ChunkedAttention &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const ChunkedAttention &part, const CacheTypes &types);
CacheTerms terms(const ChunkedAttention &part, const CacheTypes &types);

} // namespace kv
