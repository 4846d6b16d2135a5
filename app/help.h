// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The words of --help. The options of a command are listed by the command line's own reader, so that they cannot differ from it.

#include <string>
#include <string_view>

namespace kv {

std::string helpOnAll();
std::string helpOnErrors(); ///< every code of errors and warnings, with its meaning
std::string helpOnCommand(std::string_view command, std::string options);

} // namespace kv
