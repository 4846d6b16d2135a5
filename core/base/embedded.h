#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The data files of resources/ as they were when the program was built: GPUs, defaults, models and lessons. They are
// compiled in, so that the library answers from anywhere and needs no Qt to read them. resources/embed.cmake makes
// the definitions in the build folder.

#include <span>
#include <string_view>

namespace kv {

struct EmbeddedFile {
    std::string_view path;    // below resources/, "models/name.json", in ascending byte order
    std::string_view content; // the file's bytes, unchanged
};

std::span<const EmbeddedFile> embeddedFiles();

} // namespace kv
