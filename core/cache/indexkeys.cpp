// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/indexkeys.h"

namespace kv {

Bytes bytesPerToken(const IndexKeys &part, const CacheTypes &types) { return vectorBytes(part.size, types.key); }

Bytes bytesAt(const IndexKeys &part, Tokens tokens, const CacheTypes &types) {
    return bytesPerToken(part, types) * tokens.value;
}

Bytes fixedBytes(const IndexKeys &, const CacheTypes &) { return Bytes(); }

CacheTerms terms(const IndexKeys &part, const CacheTypes &types) {
    CacheTerms result;
    result.add(Role::IndexSize, part.size);
    addElementFactor(result, Role::ElementBytes, types.key);
    result.perToken = bytesPerToken(part, types);
    return result;
}

} // namespace kv
