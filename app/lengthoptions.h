// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The options that say how long requests are: a trace with its columns, three percentiles, or classes. They are one distribution told in
// three ways: more than one of them at a time is refused, and each replaces what the scenario's file says, but for a percentile, which
// changes one of the file's three.

#include "app/scenariooptions.h"

namespace kv {

/// "name=chat,share=70,input=1500,output=300,media=0" into an entry of {"classes": […]}; name and media may be left out.
Parsed<Json> readClassChoice(std::string_view text, std::string_view where);

void applyLengths(Json &scenario, const ScenarioOptions &options, Notes &notes);

/// The option that is to blame for a fault of workload.lengths, or nothing.
std::string lengthsOptionOf(const ScenarioOptions &options, std::string_view place);

} // namespace kv
