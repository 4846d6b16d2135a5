// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the pages of the window that are no charts say, as tables: the derivation, the common mistakes, the levers, the questions turned
// round. Computed from the scenario and its plan, so that the window and the command line write the same. CSV holds exact numbers,
// Markdown sizes in the unit asked for.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

struct PageNumbers {
    std::string csv, markdown;
};

/// `page` is "explain", "mistakes", "levers" or "capacity"; nothing for another, and nothing to say of a plan that was refused. `goOn` is asked now and then; false ends it with half the rows.
std::optional<PageNumbers> pageNumbers(std::string_view page, const Scenario &scenario, const Plan &plan, SizeUnit unit, const std::function<bool()> &goOn = {});

} // namespace kv
