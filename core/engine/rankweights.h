// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Weights on one GPU of each pipeline stage, by part. Sources: vLLM model_executor/layers/{linear,vocab_parallel_embedding}.py and
// model_executor/models/*.py, SGLang srt/layers/*, TensorRT-LLM tensorrt_llm/_torch/modules/* (the three agree in this).
//
//   tensor parallel   cuts matrices; repeats norms, routers, index projections and MLA's way to the latent; K and V projections are cut
//                     at most into as many pieces as there are KV heads
//   pipeline          layers by the given split; the embedding on the first stage, head and final norm on the last (a tied embedding on
//                     both); vision towers on the first, draft layers on the last
//   expert parallel   deals whole experts instead of cutting each: over tp, in vLLM over tp × dp; where they do not come out even the first
//                     GPUs have one more (vLLM fused_moe/layer.py determine_expert_map), and each is counted as the fullest
//   DP attention      SGLang (srt/models/deepseek_v2.py, enable_tp=not is_dp_attention_enabled()): attention cut over tp ÷ dp, embedding whole;
//                     TensorRT-LLM (_torch/models/modeling_deepseekv3.py, _compute_mlp_tp_size; modeling_utils.py): all but routed experts whole
// The parts are scaled to the weights of the scenario, so that a size given by hand is cut alike. Without parts all is cut evenly.

#include "core/engine/engine.h"

#include <vector>

namespace kv {

struct WeightRules {
    bool drafts = true;               ///< layers of multi-token prediction are loaded
    bool expertsOverReplicas = false; ///< experts are cut over the GPUs of all replicas, with or without expert parallelism
    // Attention in data parallel, where each GPU, or each group of them, works on requests of its own and so holds whole what a request passes.
    std::int64_t attentionTp = 0; ///< pieces of attention and of recurrent parts; 0: tp
    bool wholeEmbedding = false;  ///< the embedding is repeated
    bool wholeDense = false;      ///< so are dense feed-forwards, shared experts and the head: only routed experts are cut
};

/// Of one GPU of a stage.
struct RankWeights {
    Bytes all;
    Bytes experts; ///< of these, routed experts
    Bytes resting; ///< of these, what no decoding step reads through
};

std::vector<RankWeights> rankWeights(const Deployment &deployment, const std::vector<std::int64_t> &stageLayers, const WeightRules &rules = {});

/// The same shares of a GPU whose weights are no more than an even part of all. `embeddingApart`: one that is looked up lies elsewhere.
void shareEvenly(const Deployment &deployment, bool embeddingApart, GpuPlan &gpu);

/// Whether an engine runs the checkpoint in 16 bit though it is stored in 32: vLLM, SGLang and llama.cpp's converter do, unless the weights
/// are given otherwise.
bool runsIn16Bit(const Deployment &deployment);
void halve(std::vector<RankWeights> &weights);

} // namespace kv
