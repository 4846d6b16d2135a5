// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The way from main() into the window.

namespace kv {

/// Opens the window, on the file that argv[1] names if there is one, and runs until the last one closes. Returns the exit status.
int runWindow(int argc, char **argv);

} // namespace kv
