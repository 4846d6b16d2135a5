// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How many query heads share a KV head, as llama.cpp asks it where it chooses the types of a mix: n_gqa() of the first layer
// (src/llama-hparams.cpp, v0.5.0), which is 0 where that layer has no KV heads.

#include "core/model/modelspec.h"

namespace kv {

/// `oneNumber`: the file has one number of KV heads for all layers, also for those without attention (Qwen3-Next and what is made like it).
std::int64_t queryGroup(const ModelSpec &model, bool oneNumber);

} // namespace kv
