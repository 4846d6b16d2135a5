// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenario's sequences with the lengths that its workload has, instead of all at the full context: what they take together on the
// fullest GPU of the fullest replica, how often that is more than there is, and how many sequences stay within the room in 99 of 100
// cases, against planning with the mean length.
//
// Each sequence is counted at its full length, input and output, as it is at its end: real totals lie below. A length is charged as the
// engine charges it (blocks, pages, windows, states); a shared prefix once per replica, in the whole blocks that the engine shares.
// Lengths are cut at the context, the longest that the server takes. Engines that set memory aside for the whole context of each slot
// (llama.cpp) take the same whatever the lengths: `reserved`.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"
#include "core/workload/mix.h"

#include <optional>
#include <string>

namespace kv {

struct InFlight {
    std::int64_t sequences = 0;   ///< of the fullest replica
    std::int64_t replicas = 1;
    bool reserved = false;        ///< the lengths change nothing: memory is set aside for the whole context
    bool cut = false;             ///< some lengths exceed the context
    Bytes room;                   ///< for KV on one GPU
    Bytes prefix;                 ///< of it, kept once for all: not part of `total`
    MixTotal total;               ///< of the sequences on the fullest GPU, without `prefix`; its budget is room − prefix
    double meanTokens = 0;        ///< of the lengths, each cut at the context
    Bytes withMean;               ///< what planning with the mean length says of the same total
    std::int64_t mostWithMean = 0; ///< sequences in all, if each had the mean length
    std::optional<double> meanFails; ///< chance that those do not fit all the same; nothing where no length matters
    double meanFailsError = 0;    ///< standard error of it; 0 where exact
    std::int64_t mostAtP99 = 0;   ///< sequences in all that stay within the room in 99 of 100 cases
    std::optional<std::int64_t> engineLimit; ///< sequences in all that the engine runs at a time, where an option sets one
};

/// What it comes to, in sentences.
struct InFlightWords {
    std::string fit;    ///< whether these sequences fit, and how often not
    std::string most;   ///< how many do in 99 of 100 cases
    std::string mean;   ///< what planning with the mean says, and how often it is wrong
    std::string method; ///< how it was added up, and how far it may be off
};
InFlightWords inFlightWords(const InFlight &inFlight);

/// A chance in words: "12 of 100", "3.2 of 1,000", "all but 2 of 1,000", "none".
std::string casesOf(double share);

/// Nothing when all lengths are alike, the plan was refused, or it was cancelled.
std::optional<InFlight> inFlight(const Scenario &scenario, const Plan &plan, const MixOptions &options = {});

} // namespace kv
