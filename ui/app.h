// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The way from main() into the window.

#include "core/base/note.h"

#include <optional>
#include <string>
#include <vector>

namespace kv {

/// Opens the window, on the file that argv[1] names if there is one, and runs until the last one closes. Returns the exit status.
/// `language`: a code or a locale's name; empty: as it was chosen in the window.
int runWindow(int argc, char **argv, const std::string &language);

/// The codes that there are, for completion.
std::vector<std::string> languageCodeList();
/// Why the window cannot speak that language; nothing when it can, or when none is named.
std::optional<Note> languageFault(const std::string &language);

} // namespace kv
