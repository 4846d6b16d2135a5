// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What no answer may leave out, whatever it is the answer to: that no engine would start so, and that the weights are not counted.

#include "core/plan/plan.h"

#include <string>

namespace kv {

/// " But the engine does not run on these cards. The weights are not counted: …"; empty: nothing of the kind. Each sentence begins with a blank.
std::string caveats(const Plan &plan);

} // namespace kv
