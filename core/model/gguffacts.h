// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where each number of a GGUF model came from: the key it was read from or what it was derived from, for the explanation, and what is
// easily mistaken for it.

#include "core/model/gguflayers.h"

namespace kv {

/// Fills spec.facts and the sizes that hold for the first attention layer (kvHeads, headDim).
void addGgufFacts(GgufKeys &keys, const GgufLayers &layers, ModelSpec &spec);

} // namespace kv
