// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logsettings.h"

#include <algorithm>
#include <cctype>

namespace kv {

namespace {

bool isKeyLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-'; }
bool isQuote(char c) { return c == '\'' || c == '"'; }

/// The place behind a quoted text that begins at `at`; a quote that is never closed ends with the list.
std::size_t afterQuoted(std::string_view list, std::size_t at) {
    const char quote = list[at++];
    while (at < list.size() && list[at] != quote)
        at += list[at] == '\\' ? 2 : 1;
    return std::min(at + 1, list.size());
}

/// The place behind a value without quotes: up to a comma, a blank or a closing bracket outside of its own brackets.
std::size_t afterBare(std::string_view list, std::size_t at) {
    constexpr std::string_view opening = "([{<", closing = ")]}>";
    std::size_t depth = 0;
    while (at < list.size()) {
        const char c = list[at];
        if (depth > 0 && isQuote(c)) {
            at = afterQuoted(list, at);
            continue;
        }
        if (opening.find(c) != std::string_view::npos)
            ++depth;
        else if ((closing.find(c) != std::string_view::npos && depth-- == 0) || (depth == 0 && (c == ',' || c == ' ' || c == ';' || c == '"')))
            return at;
        ++at;
    }
    return at;
}

/// A key at `at` and the place of its value: `key=` or `'key': `.
struct Key {
    std::string_view name;
    std::size_t value = 0; ///< 0: this is no key
    std::size_t next = 0;  ///< where to go on otherwise
};

Key keyAt(std::string_view list, std::size_t at) {
    Key key;
    if (isQuote(list[at])) {
        key.next = afterQuoted(list, at);
        if (key.next >= at + 2 && key.next < list.size() && (list[key.next] == ':' || list[key.next] == '=')) {
            key.name = list.substr(at + 1, key.next - at - 2);
            key.value = key.next + 1;
        }
        return key;
    }
    key.next = at;
    while (key.next < list.size() && isKeyLetter(list[key.next]))
        ++key.next;
    if (key.next > at && key.next < list.size() && list[key.next] == '=') {
        key.name = list.substr(at, key.next - at);
        key.value = key.next + 1;
    }
    key.next = std::max(key.next, at + 1);
    return key;
}

} // namespace

void forEachSetting(std::string_view list, const std::function<void(const LogSetting &)> &take) {
    for (std::size_t at = 0; at < list.size();) {
        if (!isKeyLetter(list[at]) && !isQuote(list[at])) {
            ++at;
            continue;
        }
        const Key key = keyAt(list, at);
        if (key.value == 0) {
            at = key.next;
            continue;
        }
        std::size_t begin = key.value;
        while (begin < list.size() && list[begin] == ' ' && list[key.value - 1] == ':')
            ++begin;
        if (begin < list.size() && isQuote(list[begin])) {
            at = afterQuoted(list, begin);
            const bool closed = at > begin + 1 && list[at - 1] == list[begin];
            take({key.name, list.substr(begin + 1, at - begin - (closed ? 2 : 1))});
        } else {
            at = afterBare(list, begin);
            std::string_view value = list.substr(begin, at - begin);
            if (value.ends_with("\\n")) // a line feed as JSON writes it: the log lies in JSON
                value.remove_suffix(2);
            take({key.name, value});
        }
    }
}

std::string_view settingOf(std::string_view list, std::string_view key) {
    std::string_view found;
    forEachSetting(list, [&](const LogSetting &setting) {
        if (setting.key == key && found.empty())
            found = setting.value;
    });
    return found;
}

bool saysNothing(std::string_view value) { return value.empty() || value == "None" || value == "null" || value == "nil"; }

} // namespace kv
