// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a figure of a log is what it is, in a sentence or two: what the log's own line counts, and where a plan differs from it.
//
// What users stumble over most (issues of vllm-project/vllm): the token line of hybrids (28228, 40691, 43308, 51041), one rank's memory
// taken for the sum (13061, 5248), the length that a refusal names and that is no fixed point (10517, 25350).

#include "core/log/reconcile.h"

#include <string>

namespace kv {

/// `plan` may be absent. `layoutAgrees`: counted from the memory that the log prints, the figure is as logged.
std::string logReason(const LogDifference &row, const ServerLog &log, const Plan *plan, bool layoutAgrees);

} // namespace kv
