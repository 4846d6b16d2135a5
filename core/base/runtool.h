// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs a tool of the system's and reads what it prints. No shell is in between: the tool is looked for in the absolute folders of PATH and
// gets its arguments as they are. Its input is empty, what it prints beside its answer is thrown away, an answer that is too long is cut, and
// a tool that does not end in time is ended with all that it started. What it says is text of unknown origin.

#include "core/base/units.h"

#include <cstddef>
#include <string>
#include <vector>

namespace kv {

struct ToolAnswer {
    bool found = false;    ///< there is such a tool
    bool timedOut = false; ///< it was ended
    bool cut = false;      ///< it said more than was read
    int status = -1;       ///< its exit status; −1: it was ended by a signal, or could not be started
    std::string out;

    bool ok() const { return found && !timedOut && !cut && status == 0; }
};

struct ToolLimits {
    int milliseconds = 8000;
    std::size_t bytes = mebibyte;
};

ToolAnswer runTool(const std::string &name, const std::vector<std::string> &arguments, const ToolLimits &limits = {});

} // namespace kv
