// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Blocks that one request is admitted with, summed over the groups.
//
//   every token   ceil(tokens ÷ block); with decode context parallel each rank holds ceil(tokens ÷ ranks) of them
//   window        ceil(min(window − 1 + batched tokens, tokens) ÷ block) + 1, as a window rarely starts on the edge of a block
//   chunk         ceil(min(chunk + batched tokens, tokens) ÷ block)
//   cross         ceil(encoder budget ÷ block)
//   state         1, with prefix caching 2 (align) or one a block (all), and one for each token drafted ahead
// vLLM v1/kv_cache_interface.py max_admission_blocks_per_request, max_memory_usage_bytes. Layers that keep every token share the whole
// blocks of a common prefix; all others are charged for every request.

#include "core/engine/vllm/groups.h"

namespace kv::vllm {

class Demand {
public:
    Demand(const Groups &groups, const Settings &settings) : m_groups(&groups), m_settings(&settings) {}

    std::int64_t blocks(const Group &group, std::int64_t tokens) const;
    std::int64_t request(std::int64_t tokens) const; ///< over all groups
    std::int64_t
    shared(std::int64_t prefix) const; ///< whole blocks of a prefix, once a replica; 0 without prefix caching
    /// Blocks of `sequences` requests of `tokens` that share `prefix`.
    std::int64_t all(std::int64_t tokens, std::int64_t prefix, std::int64_t sequences) const;
    bool grows() const; ///< some group needs more blocks for more tokens

private:
    const Groups *m_groups;
    const Settings *m_settings;
};

} // namespace kv::vllm
