// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// LoRA slots: engines set aside room for a number of adapters of a largest rank when they start, used or not. Sources: vLLM
// lora/layers/base_linear.py, column_parallel_linear.py, fused_moe.py (create_lora_weights), vocal_parallel_embedding.py,
// logits_processor.py; SGLang srt/lora/mem_pool.py LoRAMemoryPool (2026-08).
//
//   a matrix of in × out      slots × rank × (in + out) elements of the model's type: A from the inputs to the rank, B to the outputs
//   q, k, v, gate and up      count each for itself, also where the engine keeps them as one matrix
//   tensor parallel           of in and out only the one that the matrix itself is cut along; the hidden width stays whole on each GPU.
//                             K and V: cut at most into as many pieces as there are KV heads
//   experts                   each expert's three matrices
//   vLLM besides              embedding and head, whole on each GPU, for the classes that name embedding_modules (Llama, Mistral, Mixtral,
//                             Granite)
// Every matrix here has the hidden width on one side, but for those between the latents of MLA, whose sizes follow from their elements.
// Models with latents, states, index projections or towers are an estimate: which of those matrices take adapters differs by class.

#include "core/engine/engine.h"

namespace kv {

struct AdapterSlots {
    std::int64_t count = 0, rank = 0;
    bool vocabulary = false; ///< vLLM's: embedding and head as well, where the class has it so
};

/// On one GPU of each pipeline stage.
std::vector<Bytes> adapterBytes(const Deployment &deployment, const std::vector<std::int64_t> &stageLayers, const AdapterSlots &room);

/// Whether the rule is exact for this model.
bool adaptersAreExact(const ModelSpec &model);

} // namespace kv
