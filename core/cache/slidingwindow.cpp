// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/slidingwindow.h"

#include <algorithm>

namespace kv {

Bytes bytesPerToken(const SlidingWindow &part, const CacheTypes &types) { return tokenBytes(part.heads, types); }

Bytes bytesAt(const SlidingWindow &part, Tokens tokens, const CacheTypes &types) {
    return tokenBytes(part.heads, types) * std::min(tokens, part.window).value;
}

Bytes fixedBytes(const SlidingWindow &, const CacheTypes &) { return Bytes(); }

CacheTerms terms(const SlidingWindow &part, const CacheTypes &types) {
    CacheTerms result;
    addHeadFactors(result, part.heads, types);
    result.add(Role::Window, part.window.value);
    result.perToken = bytesPerToken(part, types);
    result.limit = part.window;
    return result;
}

} // namespace kv
