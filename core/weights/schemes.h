// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The quantisation schemes by the name or the shape that a config gives them: what is stored how, and what the scheme is called.

#include "core/weights/checkpoint.h"

namespace kv {

struct SchemeReading {
    bool known = true;
    std::string label; ///< "AWQ 4 bit, group 128"; of an unknown scheme the name that the config gives it; empty: no weight is quantised
};

/// Reads a quantisation block and appends its rules.
SchemeReading readScheme(const Json &config, std::vector<StorageRule> &rules);

} // namespace kv
