// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/refusal.h"

#include "core/base/plaintext.h"

namespace kv {

std::string refusalSentence(const Note &error) {
    const bool named = error.where.empty() || error.text.find(error.where) != std::string::npos;
    return oneLine(named ? error.text : error.where + ": " + error.text);
}

} // namespace kv
