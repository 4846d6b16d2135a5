// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Multi-head latent attention (MLA): one compressed vector a token and layer, kv_lora_rank + qk_rope_head_dim elements, for all heads
// together; there is no second vector for values and no head count in the formula. Source: transformers
// models/deepseek_v3/modeling_deepseek_v3.py; vLLM v1/kv_cache_interface.py MLAAttentionSpec.
// The expanded shape is kept for engines that do not store the latent (llama.cpp on old files, Transformers on V3.2).

#include "core/cache/terms.h"

namespace kv {

struct LatentAttention {
    std::int64_t rank = 0;     ///< kv_lora_rank
    std::int64_t ropeSize = 0; ///< qk_rope_head_dim
    HeadShape expanded;        ///< query heads, qk_nope + qk_rope, v_head_dim
    bool operator==(const LatentAttention &) const = default;
};

Bytes bytesPerToken(const LatentAttention &part, const CacheTypes &types);
Bytes bytesAt(const LatentAttention &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const LatentAttention &part, const CacheTypes &types);
CacheTerms terms(const LatentAttention &part, const CacheTypes &types);

} // namespace kv
