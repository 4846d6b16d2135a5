// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which device holds which layer. Source: llama.cpp v0.5.0, src/llama-model.cpp (load_tensors), src/llama-kv-cache.cpp, common/fit.cpp.
//
// There are block_count + 1 slots, the output as the last. n_gpu_layers = g puts the last g on the GPUs; slot s of those goes to the first
// device whose cumulative share is greater than (s − start) ÷ active. Shares: tensor_split, else by the memory free on each card.
// Embeddings stay on the host, those of positions and of single layers too (src/llama-arch.cpp, LLM_TENSOR_LAYER_INPUT); a tied one lies once
// more as the output on its device, unless that is the host. no_kv_offload keeps the whole cache there; cpu_moe and n_cpu_moe the experts' matrices.
// Compute buffers are an estimate: the widest activations of a micro batch and the attention mask (src/llama-context.cpp, sched_reserve).
// It was fitted on one backend, and others differ by up to about a half; over several cards up to four copies are kept.

#include "core/engine/llamacpp/cells.h"

namespace kv::llamacpp {

struct DeviceShare {
    Bytes weights, kv, compute;
    Bytes draftWeights, draftKv; ///< of a draft model: beside `weights`, and a part of `kv`
    Bytes computeBand; ///< of the estimate of compute buffers, either way; 0: by hand
};

struct Devices {
    std::optional<Note> refusal;
    std::vector<DeviceShare> gpus;
    DeviceShare host;
    Bytes lookedUp;   ///< of host.weights: tables of which a token reads a row, which lie there whatever is set
    Bytes margin;     ///< of each GPU
};

/// The desktop hangs on the first card, and the engine counts with what is free when it starts (ggml_backend_dev_memory).
Bytes displayAt(const Deployment &deployment, std::size_t gpu);

/// Which device holds which block, and the weights there: what does not hang on context and slots, and is the same for a whole search.
struct Placement {
    Devices bare;                     ///< without caches and buffers; or why there is no placing them
    std::vector<std::int64_t> places; ///< of each block and, as the last, the output; below 0: on the host
    Bytes tower;                      ///< of the first GPU's weights: it needs no buffers of the text model
    bool cacheOnHost = false;
    bool pipeline = false; ///< several GPUs hold everything, and batches follow each other through them
};
Placement placementOf(const Deployment &deployment, const Layers &layers);

Devices devicesOf(const Deployment &deployment, const Placement &placement, const Context &context);

/// Adds a draft model's shares: one context for all slots, with a cache in 16 bit unless said otherwise; its layers lie on the devices as the
/// model's do, its tower is not loaded (tools/server/server-context.cpp load_model, common/speculative.cpp: one mmproj, the target's).
void addDraft(const Deployment &deployment, const Context &context, Devices &devices);

} // namespace kv::llamacpp
