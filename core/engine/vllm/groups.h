// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Groups of layers that share one block table, and what a block costs on each pipeline stage.
//
// In the order in which vLLM decides (v1/core/kv_cache_utils.py get_kv_cache_groups):
//   1. without the hybrid manager (asked for, chunked layers present, or a release before 0.11) windows and chunks beside full attention
//      count as full attention;
//   2. equal specs make one group;
//   3. specs of one type but unlike pages (index keys beside latents, pruned models) make one group whose block is the sum of the pages;
//   4. windows of latents (DeepSeek V4) make several such groups, see packed.h;
//   5. else all pages are made equal: a smaller page takes a larger block (it must divide), a state's page is padded. Layers of equal
//      specs are dealt round robin into groups of one size: the smallest bucket's, or the largest's when that is less than 1.5 × as large.
//      A group with fewer layers leaves places unused.
// Groups are formed on the whole model and then cut to each stage.

#include "core/engine/vllm/spec.h"

namespace kv::vllm {

enum class Layout : std::uint8_t { None, Equal, Summed, Packed };

struct Group {
    SpecKind kind{};
    std::int64_t blockSize = 0;
    std::int64_t limit = 0;
    std::int64_t layers = 0;
    std::vector<std::int64_t> onStage{}; ///< layers on each stage
    std::vector<std::int64_t> pages{};   ///< Summed and Packed: sum of the pages on each stage
};

struct Groups {
    Layout layout = Layout::None;
    std::vector<Group> list;
    std::int64_t page = 0;                ///< bytes of one layer's block where all are alike, else 0
    std::vector<std::int64_t> blockBytes; ///< of one block, on each stage; 0: the stage caches nothing
    bool padded = false;                  ///< attention pages were padded (0.28 and later)
    bool managerOff = false;              ///< windows or chunks count at full length

    std::int64_t fullestBlock() const; ///< bytes of one block on the fullest stage
};

/// Refused: pages that cannot be made equal, a manager that cannot be switched off.
std::optional<Note> formGroups(SpecList specs, const Settings &settings, const ModelTraits &traits, Groups &out);

} // namespace kv::vllm
