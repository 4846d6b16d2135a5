// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Multi-head latent attention and the index keys of sparse attention, from a config.
//
// A model is latent when kv_lora_rank is a number above 0 (null is plain multi-head) and use_mla is not false, whatever its type is called.
// Index keys stand on every layer, or on those that indexer_types calls "full"; a "shared" layer reads its predecessor's choice.
// Sources: transformers models/{deepseek_v2,deepseek_v3,deepseek_v32,glm_moe_dsa}; vLLM ModelArchConfig is_deepseek_mla.

#include "core/model/readers/layers.h"

namespace kv {

bool isLatent(Reader &reader);
/// The latent of one layer; false when refused.
bool readLatent(Reader &reader, const ModelShape &shape, LatentAttention &latent);

struct IndexRule {
    std::int64_t size = 0;    ///< 0: no indexer
    std::vector<bool> layers; ///< empty: every layer that attends
    bool on(std::size_t layer) const { return size > 0 && (layers.empty() || layers[layer]); }
};
IndexRule readIndex(Reader &reader, const ModelShape &shape);

} // namespace kv
