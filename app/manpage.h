// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The man page, kvplanner(1), in the roff of man(7), made from the texts of --help so that the two cannot differ. `kvplanner help man`
// prints it; installing runs that.

#include <string>

namespace kv {

std::string manPage();

} // namespace kv
