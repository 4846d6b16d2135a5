// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The least GPUs that hold a load, with the replicas kept: for each tensor-parallel degree that the model takes, the least number of
// pipeline stages that fits; at most 1,024 GPUs in all. Nothing when none fits, or where the budget at another count is not known.

#include "core/engine/engine.h"

namespace kv::vllm {

std::optional<std::int64_t> fewestGpus(const Deployment &deployment);

} // namespace kv::vllm
