// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/logfields.h"

#include <array>

namespace kv {

namespace {

using L = ServerLog;

constexpr auto table = std::to_array<LogField>({
    {"version", "Version", &L::version},
    {"model", "Model", &L::model},
    {"tp", "Tensor parallel", &L::tp},
    {"pp", "Pipeline parallel", &L::pp},
    {"dp", "Data parallel", &L::dp},
    {"dcp", "Decode context parallel", &L::dcp},
    {"max_model_len", "Longest request", &L::maxModelLen},
    {"max_num_batched_tokens", "Tokens of a step", &L::maxBatchedTokens},
    {"weights_bytes", "Weights", &L::weights},
    {"available_kv_bytes", "Left for KV, tightest GPU", &L::availableKv},
    {"kv_cache_bytes", "KV cache", &L::kvCache},
    {"recurrent_state_bytes", "Recurrent states", &L::recurrentState},
    {"tokens", "Tokens of the cache", &L::tokens},
    {"max_concurrency", "Maximum concurrency", &L::maxConcurrency},
    {"num_gpu_blocks", "Blocks of the GPU", &L::numGpuBlocks},
    {"blocks", "Blocks", &L::blocks},
    {"block_size", "Tokens of a block", &L::blockSize},
    {"page_size", "Tokens of a page", &L::pageSize},
    {"bytes_per_token", "Bytes of a token", &L::bytesPerToken},
    {"needed_kv_bytes", "KV that one request needs", &L::neededKv},
    {"estimated_max_model_len", "Longest request that would fit", &L::estimatedMaxModelLen},
    {"activation_bytes", "Activation peak", &L::activation},
    {"non_torch_bytes", "Outside the framework", &L::nonTorch},
    {"cuda_graph_bytes", "CUDA graphs", &L::cudaGraph},
    {"compute_bytes", "Compute buffers", &L::compute},
    {"gpu_memory_bytes", "Memory of one GPU", &L::gpuMemory},
    {"gpu_memory_utilization", "gpu_memory_utilization", &L::gpuMemoryUtilization, true},
    {"mem_fraction_static", "mem_fraction_static", &L::memFractionStatic, true},
    {"kv_dtype", "Type of the cache", &L::kvDtype},
    {"k_dtype", "Type of the keys", &L::keyDtype},
    {"v_dtype", "Type of the values", &L::valueDtype},
    {"n_ctx", "Cells (n_ctx)", &L::nCtx},
    {"n_ctx_seq", "Cells of a slot", &L::nCtxSeq},
    {"slots", "Slots", &L::slotCount},
    {"max_running_requests", "Most requests at a time", &L::maxRunningRequests},
});

} // namespace

std::span<const LogField> logFields() { return table; }

} // namespace kv
