// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Index keys of sparse attention (DeepSeek-V3.2, GLM-5): beside the latent, one key of index_head_dim elements a token, on every layer
// or on those that own an indexer. The textbook counts them in the KV type; engines store FP8 and a scale.
// Source: vLLM models/deepseek_v2.py Indexer; transformers models/deepseek_v32.

#include "core/cache/terms.h"

namespace kv {

struct IndexKeys {
    std::int64_t size = 0; ///< index_head_dim
    bool operator==(const IndexKeys &) const = default;
};

Bytes bytesPerToken(const IndexKeys &part, const CacheTypes &types);
Bytes bytesAt(const IndexKeys &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const IndexKeys &part, const CacheTypes &types);
CacheTerms terms(const IndexKeys &part, const CacheTypes &types);

} // namespace kv
