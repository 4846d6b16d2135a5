// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plan's numbers as CSV (RFC 4180): a header and one line. The columns are the keys of the plan's JSON, joined by dots; of the GPUs the
// one with the least room stands for all. What has no value is an empty cell.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>

namespace kv {

std::string planCsv(const Scenario &scenario, const Plan &plan);

/// A cell, in quotes where it has to be.
std::string csvCell(std::string_view text);

} // namespace kv
