// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A bound, not a forecast: a decoding step reads the active weights and the cache of every sequence once, so it cannot be quicker than those
// bytes over the memory's bandwidth. Computing, exchange between GPUs and scheduling come on top. Pipeline stages follow each other for one
// token, so their times add up. Every sequence is taken at the whole context, or, where lengths are given, at its own on average; those that do
// not fit wait and are not counted.
//
// Weights: what the engine's own split puts on a GPU, without what no step reads through (GpuPlan::resting: an embedding is looked up row by
// row unless it serves as the head as well). Of a mixture of experts a batch of B tokens touches 1 − (1 − k/E)^B of the routed experts on
// average when routing is even; k/E comes from the model's active parameters, B counts the requests of all replicas that share the experts
// (Plan::replicasAtExperts).
//
// Cache: what attention reads, not what the engine sets aside. A window is read as far as it reaches; a layer with an index reads all index
// keys and the index_topk entries they choose (vLLM models/deepseek_v2.py Indexer); a shared prefix is read once at best (cascade attention).
// Heads are cut over the GPUs that work side by side, at most one to a GPU; latents are read whole on each. Never more than lies there.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>

namespace kv {

struct DecodeFloor {
    std::int64_t batch = 0;            ///< sequences of the fullest replica
    Bytes weightsRead, cacheRead;      ///< of one GPU of each stage, summed over the stages
    double expertsTouched = 1;         ///< share of the routed experts; 1 where all are active
    double secondsPerToken = 0;
    double tokensPerSecond = 0;        ///< of one replica, all sequences
    std::optional<std::int64_t> cacheOvertakes; ///< batch from which reading the cache takes longer than the weights; absent: never
};

/// Nothing where the bandwidth, the weights or the plan are not known.
std::optional<DecodeFloor> decodeFloor(const Scenario &scenario, const Plan &plan);

/// Why there is none, and what to do about it, in a sentence; empty where there is one.
std::string whyNoFloor(const Scenario &scenario, const Plan &plan);

/// The share of the routed experts that a batch touches.
double expertsTouched(double activeShare, std::int64_t batch);

} // namespace kv
