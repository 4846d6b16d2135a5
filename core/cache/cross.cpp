// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/cross.h"

namespace kv {

Bytes bytesPerToken(const CrossAttention &, const CacheTypes &) { return Bytes(); }

Bytes bytesAt(const CrossAttention &, Tokens, const CacheTypes &) { return Bytes(); }

Bytes fixedBytes(const CrossAttention &part, const CacheTypes &types) {
    return tokenBytes(part.heads, types) * part.encoderTokens.value;
}

CacheTerms terms(const CrossAttention &part, const CacheTypes &types) {
    CacheTerms result;
    addHeadFactors(result, part.heads, types);
    result.add(Role::EncoderTokens, part.encoderTokens.value);
    result.fixed = fixedBytes(part, types);
    return result;
}

} // namespace kv
