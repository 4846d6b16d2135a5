// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Hugging Face Transformers: what the cache tensors of generate() take. Source: transformers src/transformers/cache_utils.py (main,
// 2026-08) and the models' own modelling files.
//
//   dynamic cache  exact lengths, no pages; a window or chunk keeps its last size − 1 tokens (DynamicSlidingWindowLayer)
//   static cache   max_cache_len for full layers, min(window, max_cache_len) for windows, whatever is used (StaticCache)
//   MLA            the latent as one head (modeling_deepseek_v3); models with a sparse indexer keep expanded K and V of all heads beside
//                  the index keys (modeling_deepseek_v32)
//   state layers   kernel columns of the convolution (not kernel − 1); a delta net's recurrent part in FP32
//   cross          the encoder's tokens (EncoderDecoderCache)
// There is no pool and no knob that withholds memory; activations come on top and are not counted. Layers are spread over GPUs by
// device_map, here evenly. A shared prefix has no effect.

#include "core/engine/engine.h"

namespace kv {

const Engine &transformersEngine();

} // namespace kv
