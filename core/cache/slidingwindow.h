// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sliding window: the last `window` tokens keep a key and a value for each KV head; older ones are forgotten.
// The textbook keeps min(T, window) tokens: no token more, no batch, no blocks. Source: transformers masking_utils.py
// (sliding_window_causal_mask_function); engines keep more, see their own files.

#include "core/cache/terms.h"

namespace kv {

struct SlidingWindow {
    HeadShape heads;
    Tokens window;
    bool operator==(const SlidingWindow &) const = default;
};

Bytes bytesPerToken(const SlidingWindow &part, const CacheTypes &types);
Bytes bytesAt(const SlidingWindow &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const SlidingWindow &part, const CacheTypes &types);
CacheTerms terms(const SlidingWindow &part, const CacheTypes &types);

} // namespace kv
