// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// SGLang (2026-08): one pool of tokens, or two where an architecture on its list has windows, and slots for states.
// Rules and their sources: sglang/cells.h (bytes a token), sglang/pools.h (tokens and slots), sglang/budget.h (memory).

#include "core/engine/engine.h"

namespace kv {

const Engine &sglangEngine();

} // namespace kv
