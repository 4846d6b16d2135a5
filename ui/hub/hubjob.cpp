// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hubjob.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThread>

namespace kv {

namespace {
constexpr qint64 progressInterval = 40; // milliseconds between two that are told
}

struct HubJob::Run {
    std::atomic<bool> wanted{true};
};

HubJob::~HubJob() { cancel(); }

void HubJob::cancel() {
    if (m_run)
        m_run->wanted = false;
    m_run.reset();
}

void HubJob::start(const HubName &name, const HubSettings &settings) {
    cancel();
    m_run = std::make_shared<Run>();
    // The thread knows this object by name only; whether it still lives is asked on its own thread.
    QThread *thread = QThread::create([self = QPointer<HubJob>(this), run = m_run, name, settings] {
        QElapsedTimer sinceTold;
        HubWatch watch;
        watch.goOn = [&run] { return run->wanted.load(std::memory_order_relaxed); };
        watch.progress = [&](const HubProgress &progress) {
            if (sinceTold.isValid() && sinceTold.elapsed() < progressInterval)
                return;
            sinceTold.start();
            QMetaObject::invokeMethod(qApp, [self, run, progress] {
                    if (self && run->wanted)
                        emit self->progressed(progress);
                }, Qt::QueuedConnection);
        };
        auto fetched = std::make_shared<HubFetched>(fetchFromHub(name, settings, watch));
        QMetaObject::invokeMethod(qApp, [self, run, fetched] {
                if (!self || !run->wanted)
                    return;
                self->m_run.reset();
                emit self->finished(*fetched);
            }, Qt::QueuedConnection);
    });
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    // The program does not end while a thread of it still runs.
    connect(qApp, &QCoreApplication::aboutToQuit, thread, [thread, run = m_run] {
        run->wanted = false;
        thread->wait();
    });
    thread->start();
}

} // namespace kv
