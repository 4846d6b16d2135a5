// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which engine runs on whose chips, as each names them itself (read 2026-11):
//   vLLM          docs/getting_started/installation/README.md: CUDA, ROCm and XPU are its own; Apple's GPUs (vllm-metal), TPU (tpu-inference),
//                 Gaudi, Ascend and Neuron are plugins that live in repositories of their own
//   SGLang        docs/platforms: NVIDIA, AMD, Intel XPU, Ascend, MUSA; TPU is SGLang-JAX, a program of its own
//   TensorRT-LLM  docs/source/overview.md: NVIDIA alone
//   llama.cpp     docs/build.md: CUDA, HIP, SYCL, Metal, CANN, MUSA, Vulkan
//   Transformers  what PyTorch runs on
// A card whose maker is not known (one added by hand) is taken for fit.

#include "core/engine/engine.h"

namespace kv {

/// Whether the engine has no kernels for a cache in this type on the card: NVFP4 caches are Blackwell's alone in vLLM, SGLang and TensorRT-LLM
/// (FlashInfer's trtllm-gen), in vLLM those of compute capability 10.x (vllm/v1/attention/backends/flashinfer.py is_device_capability_family(100);
/// issue 47790 shows it refused on 12.0). A card whose generation is not known is taken for fit, and so is paper.
bool isBeyondCard(const Engine &engine, const Gpu *gpu, ElementType type);

/// Warns of an engine that has nothing to run on these cards with ("engine-not-on-card": it would not start), of a plugin whose own rules
/// are not known here ("engine-apart"), and of a model cut over slices of a card ("no-engine-splits-so").
void warnOfSupport(const Engine &engine, const Deployment &deployment, Notes &warnings);

} // namespace kv
