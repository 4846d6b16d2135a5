// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A refusal in words: one line that says what, where, why and what to do, whatever bytes the input held.

#include "core/base/note.h"
#include "core/plan/nearest.h"

#include <span>
#include <string>

namespace kv {

/// The note's sentence on one line, with its place before it where the sentence does not name it.
std::string refusalSentence(const Note &error);
/// "Instead: TP 4 on 4 GPUs; TP 8 on 8 GPUs." or nothing.
std::string insteadSentence(std::span<const Alternative> instead);

} // namespace kv
