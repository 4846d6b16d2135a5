// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/plaintext.h"

#include <algorithm>

namespace kv {

std::size_t utf8Length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80)
        return 1;
    if (lead < 0xC2 || lead > 0xF4)
        return 0;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (at + length > text.size())
        return 0;
    // The second byte's range leaves out overlong forms, surrogates and what lies beyond U+10FFFF.
    const unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(at + 1) < least || byte(at + 1) > most)
        return 0;
    for (std::size_t k = 2; k < length; ++k)
        if ((byte(at + k) & 0xC0) != 0x80)
            return 0;
    return length;
}

namespace {

/// U+202A to U+202E and U+2066 to U+2069 have what follows shown in another order than it stands ("Trojan Source", CVE-2021-42574).
bool turnsText(std::string_view letter) {
    if (letter.size() != 3 || letter[0] != '\xE2')
        return false;
    const unsigned char second = static_cast<unsigned char>(letter[1]), third = static_cast<unsigned char>(letter[2]);
    return (second == 0x80 && third >= 0xAA && third <= 0xAE) || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

bool endsLine(std::string_view letter) { return letter == "\xE2\x80\xA8" || letter == "\xE2\x80\xA9"; }

} // namespace

std::string oneLine(std::string_view text, std::size_t most) {
    std::string out;
    out.reserve(std::min(text.size(), most));
    for (std::size_t i = 0; i < text.size();) {
        if (out.size() >= most)
            return out + "…";
        const std::size_t length = utf8Length(text, i);
        const unsigned char first = static_cast<unsigned char>(text[i]);
        if (length == 0 || turnsText(text.substr(i, length)))
            out += "\xEF\xBF\xBD";
        else if (endsLine(text.substr(i, length)) || first < 0x20 || first == 0x7F || (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0))
            out += ' '; // also the control characters U+0080 to U+009F, which terminals obey as well
        else
            out.append(text.substr(i, length));
        i += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::string inOneLine(std::string text) {
    const auto suspect = [](char c) { return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F; };
    return std::ranges::any_of(text, suspect) ? oneLine(text, std::string::npos) : text;
}

std::size_t columnsOf(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace kv
