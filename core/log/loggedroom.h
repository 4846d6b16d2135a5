// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The memory that a log says one GPU has for KV, in the sense of the engine option available_kv_bytes: vLLM's "Available KV cache memory",
// SGLang's pool with its states, TensorRT-LLM's paged cache. llama.cpp has no such budget.

#include "core/log/serverlog.h"

namespace kv {

inline std::optional<Bytes> loggedRoom(const ServerLog &log) {
    if (log.engine == "vllm")
        return log.availableKv;
    if (log.engine == "sglang" && log.kvCache)
        return *log.kvCache + log.recurrentState.value_or(Bytes(0));
    if (log.engine == "tensorrt-llm")
        return log.kvCache ? log.kvCache : log.availableKv;
    return std::nullopt;
}

} // namespace kv
