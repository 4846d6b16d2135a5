// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a server says about itself while it starts: one value for every engine, each field absent where the log is silent.
//
// Sizes are bytes. The engines divide by 1024 whatever letters they print ("GB" of vLLM and SGLang, "MB" of llama.cpp in 2023 are 2^30
// and 2^20). weights and kvCache are one GPU's, the fullest; availableKv is the tightest rank's and may be negative. llama.cpp prints
// totals: there both are sums over the devices. Tokens of a log that counts blocks alone are blocks × 16 (or × the block size it
// names). Of several starts in one file the last counts.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kv {

struct ServerLog {
    std::string engine; ///< id of engine/engines.h; Ollama counts as "llama-cpp"
    std::optional<std::string> version, model;
    std::optional<std::int64_t> tp, pp, dp, dcp;

    std::optional<Tokens> maxModelLen;
    std::optional<Tokens> maxBatchedTokens;
    std::optional<Tokens> tokens; ///< of the whole pool of one replica
    std::optional<double> maxConcurrency;
    std::optional<Tokens> estimatedMaxModelLen;
    std::optional<std::int64_t> numGpuBlocks, blockSize; ///< vLLM's names
    std::optional<std::int64_t> blocks, pageSize;        ///< TensorRT-LLM's blocks, SGLang's page
    std::optional<std::int64_t> maxRunningRequests;

    std::optional<Bytes> weights, availableKv, neededKv, kvCache;
    std::optional<Bytes> activation, nonTorch, cudaGraph, gpuMemory;
    std::optional<Bytes> recurrentState, compute, bytesPerToken;
    std::optional<std::int64_t> gpuMemoryUtilization, memFractionStatic; ///< in units of 10^-9

    std::optional<std::string> kvDtype, keyDtype, valueDtype; ///< as printed: "auto", "fp8", "q8_0"
    std::optional<Tokens> nCtx, nCtxSeq;
    std::optional<std::int64_t> slotCount;

    // Beyond the figures: what helps to plan the same.
    std::optional<Bytes> cudaGraphEstimate; ///< what vLLM from 0.21 on takes from the budget, beside what the graphs took in the end
    std::optional<std::string> gpuName;     ///< "NVIDIA GeForce RTX 4090"; of several the first
    std::vector<std::string> gpuNames;      ///< llama.cpp: of every device, in its order
    std::optional<std::string> modelFile;   ///< llama.cpp: the file beside the name that its metadata gives
    std::optional<std::string> weightsType; ///< quantisation as named: "awq_marlin", "Q4_K - Medium"
    Json settings = Json::object();         ///< further settings, by the names of the engine's options: {"enforce_eager": true}
    bool tokensFromBlocks = false;          ///< the log names blocks alone
    std::optional<std::string> refusal;     ///< the engine did not start: its own sentence
    std::int64_t starts = 0;                ///< in the file; the last is the one told
    std::int64_t lines = 0;                 ///< of the file

    Notes notes; ///< figures that could not be read, several starts

    bool operator==(const ServerLog &) const = default;
};

} // namespace kv
