// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/shown.h"

#include <algorithm>

namespace kv {

namespace {

/// Length of the UTF-8 sequence at the start of `bytes`, 0 when it is none (overlong forms, surrogates and beyond U+10FFFF are none).
std::size_t sequenceLength(std::string_view bytes) {
    const auto at = [&bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char first = at(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || bytes.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((at(i) & 0xC0) != 0x80)
            return 0;
    const unsigned char second = at(1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second > 0x9F;
    const bool beyond = first == 0xF4 && second > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

} // namespace

bool isUtf8(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        if (length == 0)
            return false;
        bytes.remove_prefix(length);
    }
    return true;
}

std::string asUtf8(std::string_view bytes) {
    std::string result;
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        result += length > 0 ? bytes.substr(0, length) : std::string_view("\xEF\xBF\xBD");
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

std::string shown(std::string_view bytes, std::size_t most) {
    std::string result;
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        const bool plain = length > 1 || (length == 1 && bytes[0] >= ' ' && bytes[0] != 0x7F);
        const std::string_view piece = plain ? bytes.substr(0, length) : std::string_view("\xEF\xBF\xBD");
        if (result.size() + piece.size() > most)
            return result + "…";
        result += piece;
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

std::string_view baseName(std::string_view path) {
    while (path.size() > 1 && path.back() == '/')
        path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

} // namespace kv
