// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Text of unknown origin (a file name, a key, an argument) made fit for a message: valid UTF-8, on one line, not endless.

#include <cstddef>
#include <string>
#include <string_view>

namespace kv {

/// Control characters become spaces, bytes that are no UTF-8, or turn the text's direction, become U+FFFD; what exceeds `most` bytes is cut with "…".
std::string oneLine(std::string_view text, std::size_t most = 4000);

/// The same of a text that mostly is one already: moved along then.
std::string inOneLine(std::string text);

/// Length of the UTF-8 sequence that begins at `at`, 0 when the bytes there are none.
std::size_t utf8Length(std::string_view text, std::size_t at);

/// Columns that a text takes in a terminal, one a code point: names of models are not all ASCII.
std::size_t columnsOf(std::string_view text);

} // namespace kv
