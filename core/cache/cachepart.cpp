// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/cachepart.h"

namespace kv {

std::string_view kindName(CacheKind kind) {
    switch (kind) {
    case CacheKind::Full: return "full attention";
    case CacheKind::Window: return "sliding window";
    case CacheKind::Chunked: return "chunked attention";
    case CacheKind::Latent: return "latent attention (MLA)";
    case CacheKind::Index: return "index keys";
    case CacheKind::Compressed: return "compressed attention";
    case CacheKind::State: return "recurrent state";
    case CacheKind::Cross: return "cross-attention";
    }
    return {};
}

Bytes bytesPerToken(const CachePart &part, const CacheTypes &types) {
    return std::visit([&](const auto &kind) { return bytesPerToken(kind, types); }, part);
}

Bytes bytesAt(const CachePart &part, Tokens tokens, const CacheTypes &types) {
    return std::visit([&](const auto &kind) { return bytesAt(kind, tokens, types); }, part);
}

Bytes fixedBytes(const CachePart &part, const CacheTypes &types) {
    return std::visit([&](const auto &kind) { return fixedBytes(kind, types); }, part);
}

bool sharesPrefix(const CachePart &part) {
    const CacheKind kind = kindOf(part);
    return kind == CacheKind::Full || kind == CacheKind::Latent || kind == CacheKind::Index;
}

CacheTerms terms(const CachePart &part, const CacheTypes &types) {
    return std::visit([&](const auto &kind) { return terms(kind, types); }, part);
}

} // namespace kv
