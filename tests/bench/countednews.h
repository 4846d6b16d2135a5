// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kv::bench {

/// How often this program has asked for memory by `new` so far, over all threads; it counts where countednews.cpp is linked.
long news();

} // namespace kv::bench
