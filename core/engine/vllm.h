// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// vLLM: paged blocks, groups of layers, and the memory budget that its start-up log prints. The rules stand in core/engine/vllm/, each with
// the file and symbol of vLLM it mirrors; what changed between releases in vllm/release.h.
//
//   fit.kv_budget_bytes    GPUs × the least KV memory of a rank
//   fit.max_sequences      replicas × the least of max_num_seqs and blocks ÷ blocks of one request (a shared prefix once)
//   fit.kv_capacity_tokens replicas × blocks × block size in one group, else × blocks ÷ blocks of one request × context
//   fit.fits               the sequences fit, and one request of max_model_len fits alone: else the engine does not start
//   fit.min_gpus           the least GPUs, replicas kept, that its tensor-parallel and then its pipeline rules take

#include "core/engine/engine.h"

namespace kv {

const Engine &vllmEngine();

} // namespace kv
