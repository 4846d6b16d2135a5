// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tokens and slots. Source: sglang srt/model_executor/pool_configurator.py (DefaultPoolConfigurator, HybridSWAPoolConfigurator),
// srt/mem_cache/kv_cache_configurator.py _handle_max_mamba_cache, memory_pool.py (2026-08).
//
//   one pool   tokens = available ÷ cell, down to whole pages; the least over the stages
//   available  the least over all ranks (get_available_gpu_memory)
//   two pools  full tokens = available ÷ (full cell + ratio × window cell), window tokens = full tokens × ratio, both down to pages.
//              With max_running_requests and without the radix cache (SWAChunkCapPoolConfigurator): window tokens = requests × (window + 128
//              tokens between two evictions (environ.py SGLANG_SWA_EVICTION_INTERVAL) + 2 pages) + 2 prefill chunks (1 where pipeline stages
//              keep the schedule from overlapping) + a page, up to pages; full tokens = what that leaves ÷ full cell
//   states     K slots as given (max_mamba_cache_size, dealt over the replicas of DP attention), else max_running_requests where the radix
//              cache is off, else out of a share r ÷ (1 + r) of the memory; one padding slot more is allocated. Every stage is charged what
//              the one with most states takes. A request takes 1 slot, 3 with the radix cache
//   each pool  allocates one page more than its tokens
//   requests   max_running_requests as given, else tokens × 512 ÷ --context-length, from 2,048 to 4,096 (resolve_max_num_reqs); half of
//              the tokens at most. The launch line sets --context-length to the workload's context (core/launch/flags.cpp)
// A sequence takes whole pages, the encoder's tokens with it; as these come before the text, no prefix is shared behind them. Decode context parallel spreads a sequence's tokens over its ranks.

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
    bool maxRunningGiven = false;           ///< or fixed by drafting: no default by the pool's size
    bool maxRunningAsked = false;           ///< by the option
    std::int64_t fullRequest = 0, windowRequest = 0; ///< tokens of one sequence in each pool, in whole pages
    std::int64_t shared = 0;                         ///< tokens of the prefix kept once, in whole pages
    bool windowByRequests = false;                   ///< max_running_requests sizes the window pool

    /// Another length of the sequences, and of the requests that the server takes: nothing else of the pools hangs on it.
    void setContext(Tokens context);
    Bytes leastAvailable() const;
    /// A request's states on the stage that has most of them.
    Bytes mostState() const;
    /// The weights, and the state slots that are set aside at start, leave no stage short.
    bool roomOnAllStages() const;
    std::optional<std::int64_t> mostPerReplica() const;
    /// Which of the limits mostPerReplica() comes from, as a sentence; empty: the bytes.
    std::string limitInWords() const;
    Bytes demand(std::size_t stage, Count sequences) const;
    Bytes reserved(std::size_t stage) const;
    bool windowTooSmall() const { return cells.window > 0 && cells.fullLayers && checked::sub(windowTokens, page) <= cells.window; }
};

/// `more`: what is left on every stage besides, for the ends of an estimate's band.
Pools poolsOf(const Deployment &deployment, Bytes more = {});

} // namespace kv::sglang
