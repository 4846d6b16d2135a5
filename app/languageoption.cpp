// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/languageoption.h"

#include <string_view>

namespace kv {

LanguageOption takeLanguage(std::span<char *const> words) {
    constexpr std::string_view name = "--lang";
    LanguageOption taken;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == name)
            taken.code = i + 1 < words.size() ? words[++i] : "";
        else if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
            taken.code = std::string(word.substr(name.size() + 1));
        else
            taken.rest.push_back(words[i]);
    }
    return taken;
}

} // namespace kv
