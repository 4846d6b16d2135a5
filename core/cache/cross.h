// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Cross-attention (Whisper, T5, Llama 3.2 Vision): keys and values of the encoder's tokens, kept once a sequence; they do not grow with
// the text. Source: transformers EncoderDecoderCache; vLLM v1/kv_cache_interface.py CrossAttentionSpec.

#include "core/cache/terms.h"

namespace kv {

struct CrossAttention {
    HeadShape heads;
    Tokens encoderTokens;
    bool operator==(const CrossAttention &) const = default;
};

Bytes bytesPerToken(const CrossAttention &part, const CacheTypes &types);
Bytes bytesAt(const CrossAttention &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const CrossAttention &part, const CacheTypes &types);
CacheTerms terms(const CrossAttention &part, const CacheTypes &types);

} // namespace kv
