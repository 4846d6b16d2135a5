// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the scenarios of a document are called where they stand side by side. Each has its own name; one without is called by its number, and
// of several of one name all but the first are numbered: "Baseline", "Baseline (2)". A scenario's own name is not changed by it.

#include "core/scenario/scenario.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kv {

/// `unnamed` calls the one at an index that has no name; without it "Scenario 2".
std::vector<std::string> scenarioNames(std::span<const Scenario> scenarios, const std::function<std::string(std::size_t)> &unnamed = {});

} // namespace kv
