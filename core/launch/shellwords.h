// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A line of a POSIX shell as words, and words as such a line (POSIX.1-2017, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition).
// Known: single and double quotes, backslashes, line continuations (also ^ and ` at a line's end, as Windows' shells write them), comments.
// The command ends at the first operator (|, ;, &, >, <, a bare line end). Nothing is expanded: $NAME and $(…) stay as they are written.

#include "core/base/note.h"

#include <string>
#include <string_view>
#include <vector>

namespace kv {

struct ShellWords {
    std::vector<std::string> words;
    std::string rest;       ///< what stands behind the command: "2>&1 | tee log"; not read
    bool variables = false; ///< $NAME or $(…) outside single quotes: kept as text
};

/// Refused ("bad-launch-line"): a quote that nobody closes.
Parsed<ShellWords> splitShellWords(std::string_view line);

/// The word as a POSIX shell takes it back unchanged: bare where no character of it is special, else in single quotes.
std::string quoteShellWord(std::string_view word);

} // namespace kv
