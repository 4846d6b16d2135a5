// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/latent.h"

namespace kv {

// The latent follows the key's type; there is no value to give a type of its own.
Bytes bytesPerToken(const LatentAttention &part, const CacheTypes &types) {
    constexpr std::int64_t sparseEntryBytes = 656; // FP8 latent, its scales and a 16-bit rope part: vLLM MLAAttentionSpec
    if (types.key == ElementType::Fp8DsMla)
        return Bytes(sparseEntryBytes);
    return vectorBytes(checked::add(part.rank, part.ropeSize), types.key);
}

Bytes bytesAt(const LatentAttention &part, Tokens tokens, const CacheTypes &types) {
    return bytesPerToken(part, types) * tokens.value;
}

Bytes fixedBytes(const LatentAttention &, const CacheTypes &) { return Bytes(); }

CacheTerms terms(const LatentAttention &part, const CacheTypes &types) {
    CacheTerms result;
    result.add(Role::LatentRank, part.rank);
    result.add(Role::RopeSize, part.ropeSize);
    addElementFactor(result, Role::ElementBytes, types.key);
    result.perToken = bytesPerToken(part, types);
    return result;
}

} // namespace kv
