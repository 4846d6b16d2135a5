// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tokens and slots. Source: sglang srt/model_executor/pool_configurator.py (DefaultPoolConfigurator, HybridSWAPoolConfigurator),
// srt/mem_cache/kv_cache_configurator.py _handle_max_mamba_cache, memory_pool.py (2026-08).
//
//   one pool   tokens = available ÷ cell, down to whole pages; the least over the stages
//   two pools  full tokens = available ÷ (full cell + ratio × window cell), window tokens = full tokens × ratio, both down to pages
//   states     K slots as given (max_mamba_cache_size), else max_running_requests where the radix cache is off, else out of a share
//              r ÷ (1 + r) of the memory; one padding slot more is allocated. A request takes 1 slot, 3 with the radix cache
//   each pool  allocates one page more than its tokens
//   requests   max_running_requests as given, else tokens × 512 ÷ --context-length, from 2,048 to 4,096 (resolve_max_num_reqs); half of
//              the tokens at most
// A sequence takes whole pages. Decode context parallel spreads a sequence's tokens over its ranks.

#include "core/engine/sglang/budget.h"
#include "core/engine/sglang/cells.h"

namespace kv::sglang {

struct Pools {
    std::optional<Note> refusal;
    Cells cells;
    std::vector<RankBudget> ranks;
    std::int64_t page = 1;
    bool radix = true;
    std::int64_t fullTokens = 0, windowTokens = 0;
    std::optional<std::int64_t> slots;     ///< of states, without the padding slot
    std::optional<std::int64_t> maxRunning; ///< given, or the engine's default
    bool maxRunningGiven = false;
    std::int64_t fullRequest = 0, windowRequest = 0; ///< tokens of one sequence in each pool, in whole pages
    std::int64_t shared = 0;                         ///< tokens of the prefix kept once, in whole pages

    /// Another length of the sequences, and of the requests that the server takes: nothing else of the pools hangs on it.
    void setContext(Tokens context);
    /// The weights, and the state slots that are set aside at start, leave no stage short.
    bool roomOnAllStages() const;
    std::optional<std::int64_t> mostPerReplica() const;
    /// Which of the limits mostPerReplica() comes from, as a sentence; empty: the bytes.
    std::string limitInWords() const;
    Bytes demand(std::size_t stage, Count sequences) const;
    Bytes reserved(std::size_t stage) const;
    bool windowTooSmall() const { return cells.window > 0 && cells.fullLayers && cells.window + page >= windowTokens; }
};

/// `more`: what is left on every stage besides, for the ends of an estimate's band.
Pools poolsOf(const Deployment &deployment, Bytes more = {});

} // namespace kv::sglang
