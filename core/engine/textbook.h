// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The textbook: what a careful engineer computes on paper. Marketed memory in decimal GB less a reserve, no pages, no engine's habits,
// everything split evenly over the GPUs of a replica: floor(bytes ÷ GPUs) each, the first (bytes mod GPUs) one byte more.
//
//   budget of a replica = its GPUs × usable memory − weights;  usable = memory × (1 − reserve), rounded down to a byte, − what others take
//   a replica's cache   = prefix(P) + sequences × (sequence(T) − prefix(P))
//   most sequences      = floor((budget − prefix) ÷ (sequence − prefix)) a replica: 0 when the prefix alone does not fit, no limit when
//                         a sequence adds nothing
//   capacity in tokens  = floor(budget ÷ bytes a token) a replica
//   fewest GPUs         = the least k a replica with k × usable ≥ weights + cache of the fullest replica, at most 1,024 in all
// With available_kv_bytes the budget is that many bytes a GPU.

#include "core/engine/engine.h"

namespace kv {

const Engine &textbookEngine();

} // namespace kv
