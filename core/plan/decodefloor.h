// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A bound, not a forecast: a decoding step reads the active weights and the cache of every sequence once, so it cannot be quicker than those
// bytes over the memory's bandwidth. Computing, exchange between GPUs and scheduling come on top. Pipeline stages follow each other for one
// token, so their times add up.
//
// Of a mixture of experts a batch of B tokens touches 1 − (1 − k/E)^B of the routed experts on average when routing is even; k/E comes from
// the model's active parameters. The embedding is looked up row by row and not counted, unless it serves as the head as well.

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
