// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Full attention (MHA, GQA, MQA): every token keeps a key and a value for each KV head.
// Bytes a token and layer: KV heads × (K size + V size) × element size. Query heads play no part: with grouped queries several
// of them read one stored head. Source of the shape: transformers/models/*/modeling_*.py (k_proj, v_proj); vLLM
// v1/kv_cache_interface.py FullAttentionSpec.

#include "core/cache/terms.h"

namespace kv {

struct FullAttention {
    HeadShape heads;
    bool operator==(const FullAttention &) const = default;
};

Bytes bytesPerToken(const FullAttention &part, const CacheTypes &types);
Bytes bytesAt(const FullAttention &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const FullAttention &part, const CacheTypes &types);
CacheTerms terms(const FullAttention &part, const CacheTypes &types);

} // namespace kv
