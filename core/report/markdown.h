// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plan as a Markdown report for a review: verdict, tables, derivation, warnings. What comes from files (names, keys) is escaped, so that
// it can neither format nor link.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct ExplainSection;
struct PlanExtras;

std::string planMarkdown(const Scenario &scenario, const Plan &plan, SizeUnit unit, const PlanExtras *extras = nullptr);

/// Its derivation alone: a heading, the lines and the values of each section.
std::string derivationMarkdown(const std::vector<ExplainSection> &sections);

/// A text with the characters that Markdown would take for its own escaped.
std::string markdownText(std::string_view text);

} // namespace kv
