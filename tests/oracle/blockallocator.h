// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A slow allocator of cache blocks that does what vLLM's does, step by step, with nothing of the planner's formulas: it counts bytes by
// walking over tokens and heads, makes pages equal by adding tokens one at a time, deals layers like cards, hands out block numbers from a
// free list, and finds every answer by trying. What it finds is held against the closed forms of core/engine/vllm.
// Mirrors vllm/v1/core/kv_cache_utils.py, single_type_kv_cache_manager.py, block_pool.py (0.24).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kv::oracle {

enum class Kind { Full, Window, State, Cross };

struct Layer {
    Kind kind = Kind::Full;
    std::int64_t heads = 1, keySize = 64, valueSize = 64, elementBytes = 2; ///< on one GPU
    std::int64_t window = 0;
    std::int64_t stateBytes = 0;
    std::size_t stage = 0;
};

struct Server {
    std::int64_t block = 16;
    std::int64_t batch = 2048;        ///< tokens of one step
    std::int64_t encoder = 0;         ///< encoder tokens that cross-attention is charged for
    std::int64_t stateRows = 1;       ///< kept for each sequence
    std::vector<std::int64_t> memory; ///< bytes for the cache on a GPU of each stage
};

/// A group as the allocator deals it: the layers by number, and the tokens of its blocks.
struct Dealt {
    std::vector<std::size_t> layers;
    std::int64_t block = 0; ///< 0: a state
};

class BlockAllocator {
public:
    BlockAllocator(std::vector<Layer> layers, Server server);

    bool possible() const { return m_possible; } ///< false: pages cannot be made equal
    const std::vector<Dealt> &groups() const { return m_groups; }
    std::int64_t page() const { return m_page; }
    std::int64_t blocks() const { return m_blocks; } ///< that every stage can hold
    std::int64_t bytesOfBlock(std::size_t stage) const;

    /// Blocks that a request of `tokens` is admitted with, group by group.
    std::vector<std::int64_t> admitted(std::int64_t tokens) const;
    /// Requests of `tokens` that the pool admits one after another; the first `prefix` tokens are the same in all.
    std::int64_t requestsThatFit(std::int64_t tokens, std::int64_t prefix) const;
    /// The longest request that one empty pool admits, up to `limit`, by trying each length.
    std::int64_t longest(std::int64_t limit) const;
    /// Most blocks of a group that a request of `tokens` really holds at any step, its prompt taken in steps of `batch` that begin after
    /// `offset` tokens (another request's may have been taken first), windows freed before each step.
    std::int64_t heldAtMost(const Dealt &group, std::int64_t tokens, std::int64_t offset) const;

private:
    std::int64_t bytesOfTokens(const Layer &layer, std::int64_t tokens) const;
    void growBlocksForStates();
    void makePagesEqual();
    void deal();
    void fillMemory();

    std::vector<Layer> m_layers;
    Server m_server;
    std::vector<std::int64_t> m_block, m_pages; ///< of each layer
    std::vector<Dealt> m_groups;
    std::int64_t m_page = 0, m_blocks = 0;
    bool m_possible = true;
};

} // namespace kv::oracle
