// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Work of this program on Qt's pool of threads, which is Qt's own as well: painting of large areas spreads over it and waits for it, on the GUI
// thread (Qt 6.4, src/gui/painting/qdrawhelper.cpp, QT_USE_THREAD_PARALLEL_FILLS). While one of these lives, its thread is not counted among
// the pool's, so that nothing that paints ever waits for what is counted or read.

#include <QThreadPool>

namespace kv {

class Beside {
public:
    Beside() { QThreadPool::globalInstance()->releaseThread(); }
    ~Beside() { QThreadPool::globalInstance()->reserveThread(); }
    Beside(const Beside &) = delete;
    Beside &operator=(const Beside &) = delete;
};

} // namespace kv
