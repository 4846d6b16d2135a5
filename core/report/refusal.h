// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A refusal in words: one line that says what, where, why and what to do, whatever bytes the input held.

#include "core/base/note.h"

#include <string>

namespace kv {

/// The note's sentence on one line, with its place before it where the sentence does not name it.
std::string refusalSentence(const Note &error);

} // namespace kv
