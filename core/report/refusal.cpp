// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/refusal.h"

#include "core/base/plaintext.h"

namespace kv {

std::string refusalSentence(const Note &error) {
    const bool named = error.where.empty() || error.text.find(error.where) != std::string::npos;
    return oneLine(named ? error.text : error.where + ": " + error.text);
}

std::string insteadSentence(std::span<const Alternative> instead) {
    std::string text;
    for (const Alternative &other : instead)
        text += (text.empty() ? "Instead: " : "; ") + other.change + (other.fits ? "" : " (does not fit)");
    return text.empty() ? text : oneLine(text) + ".";
}

} // namespace kv
