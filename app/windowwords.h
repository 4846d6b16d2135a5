// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What may stand on the command line where no command does: files, and the options that Qt itself takes of a program with a window
// (QGuiApplication, QApplication, the xcb platform; Qt 6.4). Anything else is a misspelling, and is refused rather than opened as a file.

#include "core/base/note.h"

#include <span>
#include <string>
#include <string_view>

namespace kv {

/// `words`: the line without the program's name and --lang; `commands`: the names of all commands. Codes: "usage", "no-such-file".
std::optional<Note> windowWordsFault(std::span<char *const> words, std::span<const std::string_view> commands);
/// Neither an option nor a command: a file for the window, or a misspelling.
std::optional<Note> windowFileFault(const std::string &word, std::span<const std::string_view> commands);

} // namespace kv
