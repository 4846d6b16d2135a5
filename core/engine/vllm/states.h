// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A recurrent state on one GPU, and the attention block that is grown until its page holds one.
//
// Shapes, per layer and sequence, the convolution with a column more for each token drafted ahead:
//   Mamba 1            (inner ÷ tp) × (k − 1)                          (inner ÷ tp) × state size
//   Mamba 2            (inner + 2 × groups × size) ÷ tp × (k − 1 + n)  (heads ÷ tp) × head size × state size
//                      groups that tp does not divide are repeated: there are tp of them then
//   gated delta net    (2 × keys + values) ÷ tp × (k − 1 + n)          (value heads ÷ tp) × value size × key size
//   Kimi delta         3 × (heads × size ÷ tp) × (k − 1)               (heads ÷ tp) × size × size, always FP32
//   short convolution  (width ÷ tp) × (k − 1);  lightning attention    (heads ÷ tp) × size × size
// The convolution in the model's dtype, the matrix in mamba_ssm_cache_dtype; by itself that is the convolution's type, but Nemotron-H and
// Qwen3.5 follow their config (Nemotron-H without a word: FP32).
// vLLM model_executor/layers/mamba/mamba_utils.py MambaStateShapeCalculator, MambaStateDtypeCalculator; models/config.py.
//
// Block: al × ceil(state ÷ (al × bytes of a token of one layer)), al = the cache's block or the kernels' least, 16; where every block's state
// is kept, a multiple of the least common one of the model's chunk and al. vLLM platforms/interface.py _align_hybrid_block_size.

#include "core/engine/vllm/settings.h"

namespace kv::vllm {

std::int64_t stateBytes(const RecurrentState &state, const ModelSpec &model, const CacheTypes &types,
                        const Settings &settings, std::int64_t tp);

/// The type of the recurrent part.
ElementType stateTypeOf(const RecurrentState &state, const ModelSpec &model, const CacheTypes &types,
                        const Settings &settings);

/// Tokens of an attention block whose page holds `state` bytes. `chunk` is the model's own, for mode All; `latent`: attention keeps latents.
std::int64_t grownBlock(std::int64_t state, std::int64_t tokenBytes, const Settings &settings, std::int64_t chunk, bool latent);

/// mamba_chunk_size or chunk_size of the config or its class; 2,048 where there is none (config/model.py
/// get_mamba_chunk_size).
std::int64_t stateChunk(const ModelSpec &model);

} // namespace kv::vllm
