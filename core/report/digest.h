// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a report of a plan says, section by section, in words and tables: made once, shown as text for a terminal and as Markdown for a
// review. Nothing is computed here; sizes stand in the unit asked for, with the exact bytes beside them.

#include "core/base/quantity.h"
#include "core/plan/explain.h"
#include "core/plan/plan.h"
#include "core/report/texttable.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct DigestSection {
    std::string title;
    TextTable table;
    bool headings = true; ///< whether the columns' titles say something
};

struct Digest {
    std::string title; ///< the scenario's name, else the model's
    Verdict verdict;
    std::vector<DigestSection> sections;
    std::vector<ExplainSection> derivation;
    std::vector<std::string> warnings;
};

/// "Fits", "Tight", "Does not fit", "Refused": what every report puts before the headline.
std::string_view stateWord(Verdict::State state);

/// `inFlight`: how unlike lengths add up, for the verdict; may be null.
Digest digestOf(const Scenario &scenario, const Plan &plan, SizeUnit unit, const InFlight *inFlight = nullptr);

} // namespace kv
