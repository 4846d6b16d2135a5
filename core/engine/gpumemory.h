// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a program gets of a card: the total that every engine but the textbook counts from. The framework's own figure where it is known
// (cudaMemGetInfo, as torch and the engines print it), else the driver's less what the driver keeps for itself, else the marketed one
// with a warning. The driver's share is an estimate read off published logs of like cards; an engine's total is never the box's label.

#include "core/base/note.h"
#include "core/hardware/gpu.h"

namespace kv {

Bytes frameworkMemory(const Gpu &gpu, Notes &warnings);

} // namespace kv
