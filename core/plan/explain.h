// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The derivation in words: the formula named, then substituted, then worked out, and each value with the key it came from.
// Nothing is computed here but the wording; the numbers are the Plan's own terms.

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace kv {

struct InFlight;

struct ExplainTerm {
    std::string name;  ///< "KV heads"
    std::string value; ///< "8", "1/2"
    std::string from;  ///< "num_key_value_heads"
    std::string note;  ///< "not the 64 of num_attention_heads"
};

struct ExplainSection {
    std::string title;              ///< "KV bytes of one token"
    std::vector<std::string> lines; ///< "2 × layers × KV heads × head dim × bytes", "= 2 × 80 × 8 × 128 × 2", "= 327,680 B = 327.7 kB (320 KiB)"
    std::vector<ExplainTerm> terms;
    std::optional<CacheKind> kind;  ///< the kind it belongs to, for its colour
};

std::vector<ExplainSection> explain(const Scenario &scenario, const Plan &plan, SizeUnit unit);
std::string explainText(const std::vector<ExplainSection> &sections); ///< as plain text, to copy

/// The verdict: one sentence with the three numbers that matter, and a second on what comes next.
struct Verdict {
    enum class State : std::uint8_t { Fits, Tight, DoesNotFit, Refused } state{};
    std::string headline; ///< "10 sequences of 131,072 tokens fit on 8 × H100 SXM 80 GB"
    std::string detail;   ///< "5.4 GB stays free. An 11th sequence needs 37.5 GB more; an FP8 cache would hold 20."
};
/// Where lengths differ, `inFlight` says how they add up; without it only that they do is said.
Verdict verdict(const Scenario &scenario, const Plan &plan, SizeUnit unit, const InFlight *inFlight = nullptr);

} // namespace kv
