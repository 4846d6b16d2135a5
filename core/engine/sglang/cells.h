// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The cell: bytes of one token on one GPU of each pipeline stage. Source: sglang python/sglang/srt/model_executor/pool_configurator.py
// DefaultPoolConfigurator._compute_cell_size, HybridSWAPoolConfigurator; configs/model_config.py get_num_kv_heads, is_hybrid_swa_model;
// configs/mamba_utils.py BaseLinearStateParams (2026-08).
//
//   attention  max(1, KV heads ÷ (attention tp ÷ dcp)) × (K size + V size) × element size; attention tp = tp ÷ dp with DP attention
//   nvfp4, fp4 half the byte-wide cell, a scale byte per 16 elements of K and V, and one FP8 row of K and V shared by all layers
//   mxfp8      the byte-wide cell and a scale byte per 32 elements
//   MLA        the latent, whole on each rank; nvfp4: half of it and a byte per 16
//   sparse     with FP8 the latent takes rank + rank ÷ 128 × 4 + 2 × rope bytes, on Blackwell and AMD rank + rope; index keys d + d ÷ 128 × 4 bytes on every latent layer
//   no-op      a layer that neither attends nor has states keeps the buffers of the first one that attends, which stay empty: the cell counts every
//              layer (num_effective_layers; models/nemotron_nas.py goes by the layer's own number), but where the model has states
//   windows    stored at full length, but for the architectures on the list: a pool of their own there (chunks count as windows), in which
//              fp4 counts as a byte an element: HybridSWAPoolConfigurator does not halve
//   cross      a layer like the others; the encoder's tokens lie in the same pool, before those of the text (schedule_batch.py
//              prepare_encoder_info_extend). Whisper's encoder layers get buffers as well, which stay empty (model_config.py num_attention_layers)
//   states     a request: convolution in bf16 and recurrent part in FP32 unless said otherwise, divided by the attention tp
//   draft      the cell × (1 + draft layers ÷ layers of this stage that attend), cut to a whole number as Python does; two pools: so many
//              layers more in the full one

#include "core/engine/engine.h"

#include <vector>

namespace kv::sglang {

struct StageCell {
    Bytes full;   ///< a token in the full pool: all layers stored at full length
    Bytes window; ///< a token in the window pool
    Bytes state;  ///< a request's states
    Bytes all() const { return full + window; }
};

struct Cells {
    std::optional<Note> refusal;
    std::vector<StageCell> stages;
    std::vector<std::int64_t> stageLayerCounts;
    std::int64_t window = 0; ///< of the window pool, the longest; 0: one pool only
    std::int64_t windowBefore = 0; ///< the same as the engine sizes by it: without the token itself where the model's class says so
    std::int64_t encoder = 0; ///< tokens of the encoder, of every sequence
    bool fullLayers = false; ///< some layer is in the full pool
    bool sparse = false;     ///< some layers have index keys
    bool latent = false;
    std::int64_t attentionTp = 1, dcp = 1;
};

/// Latents that index keys choose from: sparse attention of DeepSeek's and GLM's kind.
bool hasSparseLatents(const ModelSpec &model);

Cells cellsOf(const Deployment &deployment);

} // namespace kv::sglang
