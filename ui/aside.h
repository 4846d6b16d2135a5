// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Does something on a thread of its own and waits for it, while the window goes on painting and takes no input: for files whose fate decides
// what comes next (a plan that is saved before its window closes) on a disk that may be slow.

#include <QEventLoop>

#include <functional>
#include <thread>

namespace kv {

inline void aside(const std::function<void()> &work) {
    QEventLoop loop;
    std::thread worker([&] {
        work();
        QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection);
    });
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    worker.join();
}

} // namespace kv
