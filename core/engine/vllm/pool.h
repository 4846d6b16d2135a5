// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The pool of blocks of one deployment: what each rank has left for it, how many blocks that is, and the judgement that follows.
//
//   available = ceil(memory × utilization) − weights of the rank (with those of a draft model and the LoRA slots, which load_model makes)
//               − activation peak − memory outside − CUDA graphs
// What others take (a display) comes out of the share that is withheld; where it is more, the share is not free at start, and vLLM refuses
// (v1/worker/utils.py request_memory).
//   blocks    = available ÷ bytes of a block on that stage, rounded down; the least over all ranks counts everywhere
// At start one request of max_model_len must fit on every rank, else vLLM refuses and names the longest length that would (found by
// bisection). One block of the pool is never handed out (block_pool.py, the null block); neither the log nor the figures here take it off.
// vLLM v1/worker/gpu_worker.py determine_available_memory, v1/worker/utils.py request_memory, v1/core/kv_cache_utils.py
// get_kv_cache_configs, _check_enough_kv_cache_memory, _estimate_max_model_len_from_groups.

#include "core/engine/rankweights.h"
#include "core/engine/vllm/demand.h"
#include "core/engine/vllm/overhead.h"

namespace kv::vllm {

/// One pipeline stage's GPUs; all tensor-parallel ranks of a stage are alike.
struct Rank {
    Bytes reserve, weights, overhead, available;
    Bytes experts, resting; ///< of the weights, as GpuPlan says
    // Of the overhead:
    Bytes display; ///< what others take of the GPU: of the share that is withheld anyway, and beyond it
    Bytes adapters, draftWeights;
    Bytes contested; ///< of the display: what it takes of the share that is planned with, where vLLM does not start
    Bytes band; ///< of the estimate in `overhead`
};

struct LogFigures {
    std::int64_t tokens = 0;
    double concurrency = 0;
};

class Pool {
public:
    explicit Pool(const Deployment &deployment);
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    const std::optional<Note> &refusal() const { return m_refusal; }
    const Deployment &deployment() const { return m_d; }
    const Settings &settings() const { return m_settings; }
    const ModelTraits &traits() const { return m_traits; }
    const Groups &groups() const { return m_groups; }
    const SpecList &specs() const { return m_specs; }
    const Demand &demand() const { return m_demand; }
    const std::vector<std::int64_t> &stages() const { return m_stages; }
    std::int64_t askedBlock() const { return m_askedBlock; } ///< before the kernels forced another
    bool cachesNothing() const { return m_groups.layout == Layout::None; }
    std::int64_t maxLength() const { return m_settings.lengthFor(m_d.context); }

    /// The ranks of a server with this max_model_len, stage by stage.
    std::vector<Rank> ranks(std::int64_t maxLength) const;
    std::int64_t blocks(const std::vector<Rank> &ranks) const;

    /// Whether the share that the engine plans with is free when it starts.
    bool isFree() const;
    bool starts(const std::vector<Rank> &ranks, std::int64_t maxLength) const;
    /// Most sequences of `context` tokens in one replica; absent: nothing is cached.
    std::optional<std::int64_t> mostPerReplica(std::int64_t blocks, std::int64_t context) const;
    /// Whether the fullest replica's sequences are held at this context, with every rank's budget moved by `shift`.
    bool holds(std::int64_t context, std::int64_t direction = 0) const;
    std::int64_t longestLength(const std::vector<Rank> &ranks, std::int64_t maxLength) const; ///< 0: not one token fits
    LogFigures logged(std::int64_t blocks, std::int64_t maxLength) const;

private:
    std::int64_t sharedBlocks(std::int64_t context) const {
        return m_demand.shared(std::min(m_d.prefix.value, context));
    }

    Deployment m_d;
    ModelTraits m_traits;
    Settings m_settings;
    std::int64_t m_askedBlock = 0;
    std::vector<std::int64_t> m_stages;
    SpecList m_specs;
    Groups m_groups;
    Demand m_demand;
    std::vector<RankWeights> m_weights;
    std::vector<Bytes> m_adapters;
    Bytes m_draftWeights; ///< on the last stage
    std::optional<Note> m_refusal;
};

} // namespace kv::vllm
