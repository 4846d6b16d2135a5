// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// llama.cpp (v0.5.0): cells for every slot, allocated at start whether used or not.
// Rules and their sources: llamacpp/layers.h (what a layer keeps in a cell), llamacpp/cells.h (how many cells), llamacpp/devices.h
// (which device holds which layer, and its budget).

#include "core/engine/engine.h"

namespace kv {

const Engine &llamaCppEngine();

} // namespace kv
