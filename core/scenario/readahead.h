// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables that every window needs, read on a thread of its own while the window system starts: presets, GPUs, what model classes leave
// unsaid, the first scenario. Each table is read once, by whoever asks first; who comes second waits until it is there.

#include <thread>

namespace kv {

class ReadAhead {
public:
    ReadAhead();

private:
    std::jthread m_thread; // joined at the end
};

} // namespace kv
