// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace kv {

/// A variable of the environment; nothing when it is not set. Safe on any thread, as the program never changes one.
std::optional<std::string> environmentValue(const std::string &name);

} // namespace kv
