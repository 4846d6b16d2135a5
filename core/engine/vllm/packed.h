// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// DeepSeek V4: several groups, each of layers with pages of several sizes.
//
// The entries (and their index keys) make the first group; windows and compressor states make one each by block size and window. Layers
// of a group stand in tuples of one layer a page size. t, the tuples of a group, is the number from the first group's on that rounds the
// groups' tuples up least (of equals the larger); a group of windows with n tuples is dealt round robin into ceil(n ÷ t).
// A block costs
//   to 0.27  sum of the first group's distinct page sizes × the most tuples of a group; smaller pages of other groups are padded to the
//            next of these sizes
//   0.28     the largest sum of a group's pages: the groups lie over each other in one packed block
// vLLM v1/core/kv_cache_utils.py group_and_unify_kv_cache_specs, _approximate_gcd, _get_kv_cache_groups_uniform_groups,
// _get_kv_cache_config_deepseek_v4 (0.24), _get_kv_cache_config_packed (0.28).

#include "core/engine/vllm/groups.h"

namespace kv::vllm {

std::optional<Note> packGroups(const SpecList &specs, const Settings &settings, Groups &out);

/// The value from `least` to the largest that rounds all values up least in all, the larger of equals.
std::int64_t leastPadding(const std::vector<std::int64_t> &values, std::int64_t least);

} // namespace kv::vllm
