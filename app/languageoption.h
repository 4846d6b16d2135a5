// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// --lang CODE of the window, which may stand anywhere among the words that Qt and the window take: taken out before either reads them.

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kv {

struct LanguageOption {
    std::optional<std::string> code; ///< of several the last; empty where "--lang" is the last word
    std::vector<char *> rest;        ///< the other words, in their order
};

LanguageOption takeLanguage(std::span<char *const> words);

} // namespace kv
