// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes that vLLM keeps for one token of one layer on one GPU, by attention and cache type; a page is that times the block size.
//
//   plain types          heads × (K size + V size) × element size              FullAttentionSpec.real_page_size_bytes
//   per token and head   + 4 bytes for the scale of K and of V, each head      AttentionSpec.page_size_bytes
//   int4 per token head  half a byte an element, the same scales
//   NVFP4                half a byte an element and a byte per 16 elements     nvfp4_kv_cache_full_dim
//   TurboQuant           heads × slot; slot = packed key + packed value, even  layers/quantization/turboquant/config.py
//   latent               (rank + rope) × element size, one copy on every GPU   MLAAttentionSpec
//   fp8_ds_mla           rank FP8 + 4 bytes per 128 + rope in 16 bit (656)     the same
//   index keys           size FP8 + 4 bytes per 128 (132), whatever the type   models/deepseek_v2.py DeepseekV32IndexerCache
// FP8 per tensor has no scale a token. vLLM 0.24; all alike from 0.8 on.

#include "core/cache/cachepart.h"

namespace kv::vllm {

bool isTurboQuant(ElementType type);
bool isPerTokenHead(ElementType type);

/// Keys and values of one token for one KV head.
std::int64_t headBytes(std::int64_t keySize, std::int64_t valueSize, ElementType type);
std::int64_t latentBytes(const LatentAttention &latent, ElementType type);
std::int64_t indexBytes(std::int64_t size);

} // namespace kv::vllm
