// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Parts of a plan named for people, for reports and for the caption of a picture. Of a plan that was made (Plan::ok).

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>
#include <string_view>

namespace kv {

/// "8 × H100 SXM 80 GB, tp 8 × pp 1 × dp 1"
std::string hardwareInWords(const Scenario &scenario, const Plan &plan);
/// "vLLM 0.24", with `options` also those set: ", max_num_seqs = 256"
std::string engineInWords(const Scenario &scenario, const Plan &plan, bool options);
/// "BF16", "K Q8_0, V Q4_0"
std::string cacheTypesInWords(const Plan &plan);
/// "400 requests of a trace (input_length + output_length): p50 10,919, …"
std::string lengthsInWords(const Lengths &lengths);

/// What a picture says of itself, so that it explains itself where it ends up: model, engine with version, types, context, sequences,
/// hardware, date (as given, "2026-11-29"; empty: none) and the program's version, each as one item.
std::vector<std::string> captionOf(const Scenario &scenario, const Plan &plan, std::string_view date);

} // namespace kv
