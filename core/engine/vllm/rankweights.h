// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Weights on one GPU of each pipeline stage, as vLLM loads a checkpoint: FP32 in 16 bit (config/model.py, dtype "auto"), layers of
// multi-token prediction only where they draft (models/deepseek_v2.py load_weights and all like it skip them), experts cut over
// tp × dp with and without expert parallelism (fused_moe/config.py FusedMoEParallelConfig.make). A size or type given by hand
// is taken as it is.

#include "core/engine/rankweights.h"
#include "core/engine/vllm/settings.h"

namespace kv::vllm {

std::vector<RankWeights> weightsOfStages(const Deployment &d, const Settings &settings,
                                   const std::vector<std::int64_t> &stages);

} // namespace kv::vllm
