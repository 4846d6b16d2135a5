#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The version of the program, "major.minor.patch" as the project line of the top CMakeLists.txt gives it.

#include <string_view>

namespace kv {

std::string_view version();

} // namespace kv
