// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Scenarios side by side: a row a setting or a figure, a column a scenario, and what differs told from what does not. Against a baseline
// each number is given with its difference.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kv {

struct ComparedCell {
    std::string text;                     ///< "42.9 GB"
    std::optional<std::int64_t> number;   ///< exact, where the row has numbers
    std::string delta;                    ///< "+10", "−3.2 GB"; empty in the baseline and where nothing differs
};

struct ComparedRow {
    std::string name;
    bool differs = false;
    bool size = false; ///< its numbers are bytes
    std::vector<ComparedCell> cells;
    bool names = false; ///< its texts are names, of files, cards and users: nothing to translate
};

struct Comparison {
    std::vector<std::string> names; ///< of the columns
    std::size_t baseline = 0;
    std::vector<ComparedRow> rows;
};

/// A refused scenario has its reason in the first row, and empty cells below.
Comparison compare(std::span<const Scenario> scenarios, std::span<const Plan> plans, std::size_t baseline, SizeUnit unit);

/// `all`: also the rows that do not differ.
std::string comparisonText(const Comparison &comparison, bool all);
std::string comparisonMarkdown(const Comparison &comparison, bool all);
std::string comparisonCsv(const Comparison &comparison, bool all); ///< exact numbers
std::string comparisonJson(const Comparison &comparison, bool all);

} // namespace kv
