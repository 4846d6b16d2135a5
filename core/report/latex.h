// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The derivation of a plan as LaTeX, to paste into a paper: for each section an align* with the formula named, substituted and worked out,
// and a table of its values with the keys they came from. Needs amsmath; compiles with pdfLaTeX, XeLaTeX and LuaLaTeX alike, whatever the
// names in a config are: what TeX would take for its own is escaped, and a letter that pdfLaTeX's fonts lack is named by its code, "[U+4E2D]".

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>

namespace kv {

/// Of a plan that was made.
std::string planLatex(const Scenario &scenario, const Plan &plan, SizeUnit unit);

/// A text outside of formulas.
std::string latexText(std::string_view text);
/// A line of a derivation as a formula: words upright, signs and numbers as mathematics.
std::string latexMath(std::string_view line);

} // namespace kv
