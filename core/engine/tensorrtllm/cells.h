// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes of one token on one GPU of each pipeline stage, pool by pool. Source: TensorRT-LLM tensorrt_llm/_torch/pyexecutor/
// resource_manager.py KVCacheManager.get_cache_bytes_per_token, mamba_cache_manager.py (2026-08).
//
//   attention  ceil(KV heads ÷ tp) × (K size + V size) × element size for each local layer; attention DP counts tp as 1
//   MLA        the latent, whole on each rank; with a sparse indexer d + d ÷ 128 × 4 bytes a layer that owns one (fp4: d ÷ 2 + 4)
//   windows    a pool for each window; max_attention_window is a list repeated over the layers, else the config's own layer kinds
//   states     per slot: convolution in the model's dtype, recurrent part in ssm_dtype or the config's hint, divided by tp
//   cross      per slot: the encoder's tokens
//   draft      layers like the last one that attends to all tokens, on the last stage only
// Chunked layers count as a window of their chunk.

#include "core/engine/engine.h"

#include <vector>

namespace kv::tensorrtllm {

struct PoolCell {
    std::int64_t window = 0; ///< 0: every token is kept
    Bytes perToken;          ///< on one GPU of this stage
};

struct StageCells {
    std::vector<PoolCell> pools; ///< the full pool first, then by falling window
    Bytes slot;                  ///< states and cross-attention of one sequence

    Bytes perToken() const {
        Bytes sum;
        for (const PoolCell &pool : pools)
            sum += pool.perToken;
        return sum;
    }
};

struct Cells {
    std::optional<Note> refusal;
    std::vector<StageCells> stages; ///< all with the same pools, in the same order
    std::vector<std::int64_t> stageLayerCounts;
};

Cells cellsOf(const Deployment &deployment);

} // namespace kv::tensorrtllm
