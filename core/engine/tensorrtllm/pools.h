// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Blocks and requests. Source: tensorrt_llm/_torch/pyexecutor/resource_manager.py KVCacheManager (2026-08).
//
//   blocks        floor(available ÷ (bytes a token × tokens_per_block)), the least over the stages; tokens_per_block 32 by default
//   a request     ceil(context ÷ tokens_per_block) blocks, of a window pool ceil(min(context, window) ÷ tokens_per_block)
//   several windows   the memory is split equally between their pools (TRTLLM_WINDOW_SIZE_SHARES unset)
//   states        slots are taken off the memory before the pools: max_batch_size of them, else as many as the workload needs
// The last two are read, not held against a log: where they apply a warning says so.

#include "core/engine/tensorrtllm/budget.h"
#include "core/engine/tensorrtllm/cells.h"

namespace kv::tensorrtllm {

struct Pools {
    std::optional<Note> refusal;
    Cells cells;
    std::vector<RankBudget> ranks;
    std::int64_t tokensPerBlock = 32;
    std::optional<std::int64_t> maxBatchSize;
    std::int64_t replicas = 1; ///< tp × dp with attention DP
    bool attentionDp = false;
    std::int64_t slots = 0;            ///< of states, per replica
    std::vector<std::int64_t> blocks;  ///< of each pool, the least over the stages
    std::vector<std::int64_t> request; ///< blocks of one sequence in each pool
    std::vector<std::int64_t> shared;  ///< of these, kept once for the prefix

    Count fullest(const Deployment &d) const { return Count(checked::ceilDiv(d.sequences.value, replicas)); }
    /// max_batch_size as given, else the engine's default of 2,048 (llmapi/llm_args.py BuildConfig); nothing where nothing is cached.
    std::optional<std::int64_t> batchLimit() const;
    /// Another length of the sequences: nothing else of the pools hangs on it.
    void setContext(Tokens context);
    /// The weights, and the state slots that are set aside at start, leave no stage short.
    bool roomOnAllStages() const;
    std::optional<std::int64_t> mostPerReplica() const;
    /// Which of the limits mostPerReplica() comes from, as a sentence; empty: the bytes.
    std::string limitInWords() const;
    std::string statesInWords() const;
    /// What `sequences` of one replica hold on a GPU of this stage.
    Bytes demand(std::size_t stage, Count sequences) const;
    Bytes reserved(std::size_t stage) const; ///< pools and slots set aside there
};

/// `more`: what is left on every stage besides, for the ends of an estimate's band.
Pools poolsOf(const Deployment &deployment, Bytes more = {});

} // namespace kv::tensorrtllm
