// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the program takes memory while it starts. A window that opens touches some 20 MB for the first time, 4 kB by 4 kB: thousands of page
// faults, each of which costs most where a machine is itself a guest. In pages of 2 MB (Linux, transparent huge pages "madvise" or "always";
// glibc's allocator) it is a few dozen. Memory is still the system's until it is touched: what is resident grows by a page or two.

namespace kv {

/// Called once, before other threads: a hint, without effect elsewhere. Text on standard output needs none of it.
void takeMemoryInBigPages();

} // namespace kv
