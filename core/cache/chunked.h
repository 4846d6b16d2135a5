// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Chunked attention (Llama 4): tokens attend inside their chunk of `chunk` tokens only; the textbook keeps min(T, chunk).
// Source: transformers/models/llama4/configuration_llama4.py (attention_chunk_size), masking_utils.py (chunked overlay).

#include "core/cache/terms.h"

namespace kv {

struct ChunkedAttention {
    HeadShape heads;
    Tokens chunk;
    bool operator==(const ChunkedAttention &) const = default;
};

} // namespace kv
