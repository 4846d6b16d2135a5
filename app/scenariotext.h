// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The text of a .kvplan file, or of the plan inside a picture that the program made (PNG, PDF), which the window opens as well.

#include "core/base/note.h"

#include <string>

namespace kv {

/// Codes: those of readSmallFile, and "no-plan-inside". A picture is known by how it begins, whatever it is called.
Parsed<std::string> readScenarioText(const std::string &path);

} // namespace kv
