// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/chunked.h"

#include <algorithm>

namespace kv {

Bytes bytesPerToken(const ChunkedAttention &part, const CacheTypes &types) { return tokenBytes(part.heads, types); }

Bytes bytesAt(const ChunkedAttention &part, Tokens tokens, const CacheTypes &types) {
    return tokenBytes(part.heads, types) * std::min(tokens, part.chunk).value;
}

Bytes fixedBytes(const ChunkedAttention &, const CacheTypes &) { return Bytes(); }

CacheTerms terms(const ChunkedAttention &part, const CacheTypes &types) {
    CacheTerms result;
    addHeadFactors(result, part.heads, types);
    result.add(Role::Chunk, part.chunk.value);
    result.perToken = bytesPerToken(part, types);
    result.limit = part.chunk;
    return result;
}

} // namespace kv
