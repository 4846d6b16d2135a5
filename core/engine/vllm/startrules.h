// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What vLLM refuses to start with, for a reason other than memory; each refusal names the nearest setting that works.
//
//   tensor parallel   divides the query heads (config/model.py verify_with_parallel_config); KV heads that it does not divide must divide it
//                     (models/llama.py and all like it); heads and groups of states are divided (distributed/utils.py divide)
//   pipeline          no more stages than layers (distributed/utils.py get_pp_indices)
//   decode context    divides tp; without a latent tp exceeds the KV heads, the ranks are at most tp ÷ KV heads and divide the queries of a
//   parallel          KV head (config/model.py verify_with_parallel_config); one group only: no windows, states or
//                     cross-attention (SlidingWindowSpec.max_memory_usage_bytes asserts it)
//   KV type           latents take 16 bit, FP8 and, with an indexer, fp8_ds_mla; DeepSeek V4 FP8 alone; TurboQuant full attention alone;
//                     NVFP4 heads of a multiple of 16 (v1/attention/backends/*.py supported_kv_cache_dtypes)
//   block size        a multiple of 16 (v1/attention/backends/flash_attn.py); latent kernels of Hopper and later force 64, DeepSeek V4 256

#include "core/engine/vllm/settings.h"

namespace kv::vllm {

bool takesTensorParallel(const ModelSpec &model, std::int64_t tp);
bool takesType(const ModelSpec &model, const ModelTraits &traits, const Release &release, ElementType type);

/// Layers of each stage: the partition given, or vLLM's own.
std::vector<std::int64_t> stagesOf(const Deployment &d, const Settings &settings);

std::optional<Note> startRefusal(const Deployment &d, const Settings &settings, const ModelTraits &traits);

/// The block size that the kernels make of the one asked for.
std::int64_t forcedBlock(const Deployment &d, const Settings &settings, const ModelTraits &traits);

} // namespace kv::vllm
