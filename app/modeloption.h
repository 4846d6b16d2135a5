// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What --model names: a preset by its id or by the repository that it comes from, or a path. The network is used on request alone, and
// planning is none: an address is refused ("not-fetched"), and so is the name of a repository that no preset has ("no-such-file").

#include "core/base/json.h"
#include "core/base/note.h"

#include <string>

namespace kv {

/// The "model" of a scenario. Paths stay relative to the present folder, made absolute where `folder` is another.
Json modelOf(const std::string &given, const std::string &folder, Notes &notes);
std::string pathFor(const std::string &path, const std::string &folder);

} // namespace kv
