// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What one layer of a model keeps for a sequence: one or more parts, each of one kind. A kind is one header of this folder, which
// holds its sizes, what it keeps at T tokens by the textbook (no pages, no engine's habits) and the terms of its derivation.
//
// Engines ask the kinds for their sizes and apply their own rules (pages, pools, rounding); readers build them; explain words them.

#include "core/cache/chunked.h"
#include "core/cache/compressed.h"
#include "core/cache/cross.h"
#include "core/cache/full.h"
#include "core/cache/indexkeys.h"
#include "core/cache/latent.h"
#include "core/cache/slidingwindow.h"
#include "core/cache/state.h"

#include <cstdint>
#include <string_view>
#include <variant>

namespace kv {

using CachePart = std::variant<FullAttention, SlidingWindow, ChunkedAttention, LatentAttention, IndexKeys, CompressedAttention,
                               RecurrentState, CrossAttention>;

/// In the order of the variant's alternatives.
enum class CacheKind : std::uint8_t { Full, Window, Chunked, Latent, Index, Compressed, State, Cross };

inline CacheKind kindOf(const CachePart &part) { return static_cast<CacheKind>(part.index()); }
std::string_view kindName(CacheKind kind); ///< "full attention", "sliding window", …

/// Bytes that grow with each token while inside every window or chunk (what a token costs at first).
Bytes bytesPerToken(const CachePart &part, const CacheTypes &types);
/// Bytes that this part holds for one sequence of `tokens`, without the fixed bytes.
Bytes bytesAt(const CachePart &part, Tokens tokens, const CacheTypes &types);
/// Bytes that a sequence costs whatever its length: states, cross-attention.
Bytes fixedBytes(const CachePart &part, const CacheTypes &types);
/// Whether every token of a shared prefix is kept once by this part (full attention, latents and their index keys).
bool sharesPrefix(const CachePart &part);
/// The factors of bytesPerToken (or of fixedBytes for a part that does not grow), in the order they are multiplied.
CacheTerms terms(const CachePart &part, const CacheTypes &types);

} // namespace kv
