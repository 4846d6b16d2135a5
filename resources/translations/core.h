// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The patterns of what core, the lessons and the lists of resources say: core.cpp, which resources/translations/update writes.

#include <span>

namespace kv {

std::span<const char *const> corePatterns();

} // namespace kv
