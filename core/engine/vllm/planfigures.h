// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The engine's part of a Plan, from its pool.

#include "core/engine/vllm/pool.h"

namespace kv::vllm {

/// `asked` is the deployment as the user chose it: the payload is counted in its types.
void fillPlan(const Pool &pool, const Deployment &asked, Plan &plan);
void addNotes(const Pool &pool, const Deployment &asked, const std::vector<Rank> &ranks, Plan &plan);

/// What all sequences hold on all GPUs.
Bytes totalCache(const Pool &pool);

/// What gpu_memory_utilization withholds, and the overhead item by item.
std::vector<BudgetRow> budgetRows(const Pool &pool, const GpuPlan &gpu);

} // namespace kv::vllm
