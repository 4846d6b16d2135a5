// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What vLLM takes from the memory it plans with before any block of cache: the activation peak of its profiling step, what lies outside
// the framework's allocator (contexts, collectives, workspaces), and from 0.21 on its own estimate of the CUDA graphs.
//
//   activation = T × (2h + 15,000) + max(k × S × V, T × (6F ÷ tp + 2h)) + experts, + 0.2 GiB where a vision tower is profiled
//   experts    = 2 × T × experts a token × (max(2I, h) + I), I = an expert's width ÷ tp; F is 0 then
//   T batched tokens, S sequences, V vocabulary, h hidden, F feed-forward; a stage without the LM head: k = 0 and 0.2 GiB more
// The sampler's copies of the logits (S × V) dominate, so that the peak does not depend on the context and is not divided by tensor
// parallelism. Fitted to 60 published start-up logs (llm-d-planner, H100, 0.11 to 0.19); off by 2 % at the median, far worse for some
// vision models, so that 0.3 GiB (multimodal: 1 GiB) either way is called uncertain; the other two get 0.3 GiB where they are estimated.
//   outside    0.25 GiB on one GPU (0.13 before 0.18), with tensor parallelism 2.1 (0.55, first engine 0.3), pipeline stages alone 0.07
//   graphs     1.0 GiB on cards of 70 GiB and more, else 0.7; none with enforce_eager; ROCm takes no estimate

#include "core/engine/vllm/settings.h"

namespace kv::vllm {

struct Overhead {
    Bytes activation, outside, graphs;
    Bytes activationBand, outsideBand, graphsBand; ///< either way; 0: by hand, or nothing to be wrong about
    Bytes band;                                    ///< of the three together: they rarely err the same way

    Bytes all() const { return activation + outside + graphs; }
};

/// On a GPU of the last stage, which has the LM head, or of one before it.
Overhead overheadOf(const Deployment &d, const Settings &settings, std::int64_t maxLength, bool lastStage);

} // namespace kv::vllm
