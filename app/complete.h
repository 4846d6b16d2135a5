// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What may follow on a command line that is being typed: `kvplanner complete WORD...` prints it, a word a line, for the shells' completion
// files (resources/completion), which offer files beside it.

#include <span>
#include <string>
#include <vector>

namespace kv {

/// `words` are those before the one being typed, without the program's name.
std::vector<std::string> completions(std::span<char *const> words);

} // namespace kv
