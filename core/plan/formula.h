// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The formula of one cache kind in words and in numbers, from the terms that the rule itself handed out.

#include "core/plan/plan.h"

#include <string>
#include <string_view>

namespace kv {

struct Formula {
    std::string named;       ///< "2 × layers × KV heads × head dim × bytes"
    std::string substituted; ///< "2 × 80 × 8 × 128 × 2"
};

Formula formulaOf(const PartTerms &part);

std::string_view roleName(Role role);          ///< "KV heads"
std::string factorValue(const Factor &factor); ///< "8", "1/2"
const Factor *findFactor(const CacheTerms &terms, Role role);

} // namespace kv
