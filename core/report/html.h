// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plan as one HTML file for a review: what planMarkdown says, with pictures where there are some. It refers to nothing outside of itself
// and runs nothing; what comes from files (names, keys) is escaped. Light or dark as the reader's browser is; prints black on white.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct PlanExtras;

struct HtmlFigure {
    std::string title;
    std::string svg; ///< a whole SVG file, taken as it is: made by this program
};

/// `date` as captionOf takes it.
std::string planHtml(const Scenario &scenario, const Plan &plan, SizeUnit unit, const PlanExtras *extras, const std::vector<HtmlFigure> &figures, std::string_view date);

/// A text with the characters that HTML would take for its own escaped, also for an attribute.
std::string htmlText(std::string_view text);

} // namespace kv
