// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reading a small file whole, for configurations, scenarios and the user's own data.
//
// Only regular files are read (base/inputfile.h), and none that is larger than asked for, whatever its name says, so that memory stays
// bounded. Codes: those of InputFile, and "file-too-large".

#include "core/base/note.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kv {

/// The whole of a small regular file, or the reason ("is a folder", "no permission", "has 104,857,600 bytes; …").
Parsed<std::string> readSmallFile(const std::string &path, std::int64_t maxBytes);

/// Where the user's own presets, accelerators and lessons lie: $XDG_DATA_HOME/KVPlanner, else ~/.local/share/KVPlanner. Empty when
/// neither variable is set. They win over what is built in, by id.
std::string userDataFolder();
/// The .json files of a folder below userDataFolder(), in the order of their names. A folder that is not there has none.
std::vector<std::string> userFiles(const std::string &subfolder);

} // namespace kv
