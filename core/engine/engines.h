// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The engines there are. A new one is a new file and one line in engines.cpp.

#include "core/engine/engine.h"

namespace kv {

std::span<const Engine *const> engines();
const Engine *findEngine(std::string_view id); ///< nullptr when unknown

} // namespace kv
