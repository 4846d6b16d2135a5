// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/shown.h"

#include <algorithm>

namespace kv {

bool isUtf8(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = utf8Length(bytes, at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

std::string asUtf8(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t length = utf8Length(bytes, at);
        text += length > 0 ? bytes.substr(at, length) : std::string_view("\xEF\xBF\xBD");
        at += std::max<std::size_t>(length, 1);
    }
    return text;
}

std::string_view baseName(std::string_view path) {
    while (path.size() > 1 && path.back() == '/')
        path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

} // namespace kv
