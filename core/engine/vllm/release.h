// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// vLLM's releases as far as its counting changed: one row a change, a release between two rows follows the earlier one. What a row does
// not name holds for all. Rules read in vllm-project/vllm: vllm/config/{cache,scheduler}.py, vllm/v1/core/kv_cache_utils.py,
// vllm/v1/worker/gpu_worker.py, vllm/engine/arg_utils.py at the releases named; the estimates of activations and of memory outside the
// framework are fitted to published start-up logs (llm-d-planner, 0.11 to 0.19 on H100).

#include "core/base/note.h"
#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kv::vllm {

/// What "GPU KV cache size: N tokens" is.
enum class LoggedTokens : std::uint8_t {
    Blocks,          ///< blocks × block size
    BlocksPerGroup,  ///< blocks ÷ groups × the least block size: too low by up to the number of groups
    FromConcurrency, ///< int(concurrency × max_model_len)
};

/// What "Maximum concurrency" is.
enum class LoggedConcurrency : std::uint8_t {
    FromTokens, ///< logged tokens ÷ max_model_len
    SumOfBytes, ///< blocks ÷ ceil(sum of the groups' bytes ÷ the first group's page)
    SumOfPages, ///< blocks ÷ sum of ceil(a group's bytes ÷ its page)
};

struct Release {
    std::string_view name; ///< of the row: "0.24"
    int minor = 0;
    LoggedTokens tokens{};
    LoggedConcurrency concurrency{};
    std::int64_t utilization = 0;    ///< default of gpu_memory_utilization, in units of 10^-9
    std::int64_t logitTenths = 0;    ///< peak bytes for each sequence and vocabulary entry, in tenths
    std::int64_t outsideOne = 0;     ///< memory outside the framework's allocator on a single GPU, MiB
    std::int64_t outsideMany = 0;    ///< with tensor parallelism, MiB
    std::int64_t smallCardBatch = 0; ///< max_num_batched_tokens on cards below 70 GiB
    bool firstEngine = false;        ///< V0: no chunked prefill below 32,768 tokens, no prefix caching by itself
    /// A max_num_batched_tokens of its own never exceeds what max_num_seqs sequences of the longest length hold (V0: SchedulerConfig.__post_init__;
    /// later arg_utils.py _set_default_max_num_seqs_and_batched_tokens_args, seen from 0.17 on).
    bool defaultBatchCapped = false;
    bool hybridGroups = false;       ///< windows beside full attention get groups of their own
    bool graphsInside = false;       ///< the estimate of CUDA graphs is taken from the budget
    bool packedGroups =
        false; ///< DeepSeek V4: groups packed side by side in one block; pages that do not divide are padded
    bool int4PerTokenHead = false;
    bool latentStateBlocks = false; ///< blocks of latents beside states are multiples of 128 (platforms/interface.py _align_hybrid_block_size)
    bool ownIndexersOnly = false; ///< latent layers that borrow another's choice of tokens keep no index keys (deepseek_v2.py _skip_topk)
};

/// Oldest first.
std::span<const Release> releases();
const Release &defaultRelease();
/// For the version chooser: the default first.
std::span<const std::string_view> releaseNames();

struct ChosenRelease {
    const Release *rules = nullptr;
    std::string written;      ///< "0.27"
    bool beyondKnown = false; ///< later than the newest row
};
/// "0.24", "0.24.1", "v0.24.0"; refused: what is no release of vLLM, or is older than the oldest row.
std::optional<Note> chooseRelease(std::optional<std::string_view> text, ChosenRelease &out);

} // namespace kv::vllm
