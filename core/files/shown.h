// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes from a file, made fit to be shown: names of tensors, keys and files may hold anything, and a message is one line of UTF-8.
// UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing beyond U+10FFFF.

#include <string>
#include <string_view>

namespace kv {

/// Bytes of a file as text for a message: control characters and what is no UTF-8 replaced, cut after `most` bytes.
std::string shown(std::string_view bytes, std::size_t most = 80);
bool isUtf8(std::string_view bytes);
/// The bytes with U+FFFD in place of what is no UTF-8.
std::string asUtf8(std::string_view bytes);

/// "model.gguf" of "/a/b/model.gguf".
std::string_view baseName(std::string_view path);

} // namespace kv
