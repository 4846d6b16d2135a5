// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fewest GPUs for a load, for engines with ranks: the least count that the engine's tp, then pp rules take. Settings that the engine
// refuses do not fit, so each candidate is simply asked.

#include "core/engine/engine.h"

namespace kv {

/// `copies` of a replica are kept (dp, or 1 where data parallelism adds no GPUs). At most 1,024 GPUs; nothing when none do, or when the
/// budget at another count is not known (available_kv_bytes).
std::optional<std::int64_t> fewestGpusByRanks(const Engine &engine, const Deployment &deployment, std::int64_t copies);

} // namespace kv
