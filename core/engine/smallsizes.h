// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sizes that were most likely typed without their unit: 80 for 80 GB is 80 bytes. They are taken as they stand, and said.

#include "core/engine/engine.h"

namespace kv {

/// A warning ("size-without-unit") for each size given in the scenario that is above 0 and below 1 MiB.
void warnOfSmallSizes(const Scenario &scenario, const Engine &engine, Notes &warnings);

} // namespace kv
