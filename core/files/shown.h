// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes from a file, made fit to be shown: names of tensors, keys and files may hold anything, and a message is one line of UTF-8.

#include "core/base/plaintext.h"

#include <string>
#include <string_view>

namespace kv {

/// An excerpt for a message, on one line.
inline std::string shown(std::string_view bytes, std::size_t most = 80) { return oneLine(bytes, most); }

bool isUtf8(std::string_view bytes);
/// The bytes with U+FFFD in place of what is no UTF-8.
std::string asUtf8(std::string_view bytes);

/// "model.gguf" of "/a/b/model.gguf".
std::string_view baseName(std::string_view path);

} // namespace kv
