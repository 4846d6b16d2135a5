// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lengths that are not listed one by one: a distribution through p50, p90 and p99, and a mix of request classes.
//
// The curve through the three percentiles is log-normal between them: the logarithm of the length is linear in the normal score, with one
// slope from the median to p90 (and below the median), another from p90 on. Where the three belong to one log-normal, it is that one. It
// ends at one request in a million on both sides.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/workload/lengths.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

/// 1 <= p50 <= p90 <= p99.
Lengths lengthsThrough(std::int64_t p50, std::int64_t p90, std::int64_t p99);

/// The normal score of a share: 0 for 0.5, 2.3263 for 0.99.
double normalScore(double share);

struct RequestClass {
    std::string name;
    double share = 0;             ///< of all requests; only the proportions count
    std::int64_t input = 0;       ///< tokens of the input, those of its images and sound with it
    std::int64_t output = 0;
    std::int64_t media = 0;       ///< of the input, those of images and sound
    bool operator==(const RequestClass &) const = default;
};
Lengths lengthsOf(const std::vector<RequestClass> &classes);

/// The list under "classes". `place` begins what messages name.
Parsed<std::vector<RequestClass>> readClasses(const Json &list, std::string_view place);
Json classesJson(const std::vector<RequestClass> &classes);

/// `workload.lengths` of a scenario: {"p50", "p90", "p99"}, {"classes": [{"name", "share", "input", "output", "media"}]} or {"file", "columns", "trace"}. A trace embedded there comes
/// before its file. `place` begins what messages name.
Parsed<SharedLengths> readLengths(const Json &lengths, const std::string &folder, std::string_view place);

/// What a scenario's file holds of a trace beside its path: count, percentiles and bins, so that it opens where the trace is not.
Json embeddedTrace(const Lengths &lengths);
Json columnsJson(const LengthColumns &columns); ///< {"input": …, "output": …} or {"total": …}

} // namespace kv
