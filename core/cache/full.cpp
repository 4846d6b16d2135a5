// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/full.h"

namespace kv {

Bytes bytesPerToken(const FullAttention &part, const CacheTypes &types) { return tokenBytes(part.heads, types); }

Bytes bytesAt(const FullAttention &part, Tokens tokens, const CacheTypes &types) {
    return tokenBytes(part.heads, types) * tokens.value;
}

Bytes fixedBytes(const FullAttention &, const CacheTypes &) { return Bytes(); }

CacheTerms terms(const FullAttention &part, const CacheTypes &types) {
    CacheTerms result;
    addHeadFactors(result, part.heads, types);
    result.perToken = bytesPerToken(part, types);
    return result;
}

} // namespace kv
