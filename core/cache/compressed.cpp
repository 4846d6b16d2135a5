// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/compressed.h"

#include <algorithm>

namespace kv {

namespace {

Bytes entryBytes(const CompressedAttention &part, const CacheTypes &types) {
    const Bytes entry = vectorBytes(part.headDim, types.key);
    return part.indexSize > 0 ? entry + vectorBytes(part.indexSize, types.key) : entry;
}

/// Elements of the compressor's state for vectors of `size`: a sum and a weight for each of the slots it works on.
std::int64_t compressorElements(const CompressedAttention &part, std::int64_t size) {
    const std::int64_t overlap = part.ratio == 4 ? 2 : 1; // blocks of ratio 4 overlap by half
    return checked::mul(checked::mul(2 * overlap, size), checked::mul(overlap, part.ratio));
}

} // namespace

std::int64_t compressorElements(const CompressedAttention &part) {
    if (part.ratio <= 0)
        return 0;
    const std::int64_t own = compressorElements(part, part.headDim);
    return part.indexSize > 0 ? checked::add(own, compressorElements(part, part.indexSize)) : own;
}

// What one token costs on average while the window is not full: its own vector, and its share of an entry (rounded up to a byte).
Bytes bytesPerToken(const CompressedAttention &part, const CacheTypes &types) {
    const Bytes own = part.window.value > 0 ? vectorBytes(part.headDim, types.key) : Bytes();
    return part.ratio > 0 ? own + Bytes(checked::ceilDiv(entryBytes(part, types).value, part.ratio)) : own;
}

Bytes bytesAt(const CompressedAttention &part, Tokens tokens, const CacheTypes &types) {
    const Bytes windowed = vectorBytes(part.headDim, types.key) * std::min(tokens, part.window).value;
    return part.ratio > 0 ? windowed + entryBytes(part, types) * checked::floorDiv(tokens.value, part.ratio) : windowed;
}

Bytes fixedBytes(const CompressedAttention &part, const CacheTypes &) {
    return Bytes(checked::mul(compressorElements(part), 4));
}

CacheTerms terms(const CompressedAttention &part, const CacheTypes &types) {
    CacheTerms result;
    result.add(Role::HeadDim, part.headDim);
    if (part.indexSize > 0)
        result.add(Role::IndexSize, part.indexSize);
    addElementFactor(result, Role::ElementBytes, types.key);
    if (part.ratio > 0)
        result.add(Role::Ratio, part.ratio);
    result.add(Role::Window, part.window.value);
    if (part.ratio > 0) {
        result.add(Role::StateElements, compressorElements(part));
        result.add(Role::StateBytes, 4);
    }
    result.perToken = bytesPerToken(part, types);
    result.fixed = fixedBytes(part, types);
    result.limit = part.window;
    return result;
}

} // namespace kv
