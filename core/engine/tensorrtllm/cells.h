// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes of one token on one GPU of each pipeline stage, pool by pool. Source: TensorRT-LLM tensorrt_llm/_torch/pyexecutor/
// resource_manager.py KVCacheManager.get_cache_bytes_per_token, mamba_cache_manager.py (2026-08).
//
//   attention  ceil(KV heads ÷ tp) × (K size + V size) × element size for each local layer; attention DP counts tp as 1
//   MLA        the latent, whole on each rank; with a sparse indexer d + d ÷ 128 × 4 bytes a layer that owns one (fp4: d ÷ 2 + 4)
//   windows    a pool for each window; max_attention_window is a list repeated over the layers, else the config's sliding layers where they
//              stand beside others (_util.py _derive_layer_type_attention_windows: where all slide it returns None, which is full length);
//              a window as long as the longest sequence is none (_normalize_attention_windows)
//   states     per slot: convolution in the model's dtype, recurrent part in ssm_dtype, the config's mamba_ssm_cache_dtype or the model's
//              dtype, divided by tp (config_utils.py resolve_ssm_cache_dtype)
//   cross      per slot: the encoder's tokens
//   draft      layers like the last one that attends to all tokens, on the last stage only
// Chunked layers are kept at full length: only kinds whose name has "sliding" in it are windows.

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
    bool windowsInFull = false; ///< some of the model's windows or chunks are kept at full length
};

Cells cellsOf(const Deployment &deployment);

} // namespace kv::tensorrtllm
