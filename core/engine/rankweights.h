// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Weights on one GPU of each pipeline stage, by part. Sources: vLLM model_executor/layers/{linear,vocab_parallel_embedding}.py and
// model_executor/models/*.py, SGLang srt/layers/*, TensorRT-LLM tensorrt_llm/_torch/modules/* (the three agree in this).
//
//   tensor parallel   cuts matrices; repeats norms, routers, index projections and MLA's way to the latent; K and V projections are cut
//                     at most into as many pieces as there are KV heads
//   pipeline          layers by the given split; the embedding on the first stage, head and final norm on the last (a tied embedding on
//                     both); vision towers on the first, draft layers on the last
//   expert parallel   deals whole experts over tp × dp instead of cutting each over tp
// The parts are scaled to the weights of the scenario, so that a size given by hand is cut alike. Without parts all is cut evenly.

#include "core/engine/engine.h"

#include <vector>

namespace kv {

struct WeightRules {
    bool drafts = true;               ///< layers of multi-token prediction are loaded
    bool expertsOverReplicas = false; ///< experts are cut over the GPUs of all replicas, with or without expert parallelism
};

std::vector<Bytes> rankWeights(const Deployment &deployment, const std::vector<std::int64_t> &stageLayers, const WeightRules &rules = {});

} // namespace kv
