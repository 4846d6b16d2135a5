// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/latest.h"

#include "ui/beside.h"
#include "ui/language/language.h"

#include <QCoreApplication>
#include <QPointer>
#include <QSemaphore>

#include <atomic>

namespace kv {

struct Latest::Ticket {
    std::atomic<bool> wanted{true};
    std::atomic<bool> begun{false};
    Work work;
    QSemaphore ended;
    Answer answer;      ///< written before `ended`, read after
    bool taken = false; ///< on the owner's thread

    /// On the thread that comes first: one of the pool, or one that waits for the answer. False: another was first.
    bool run() {
        if (begun.exchange(true))
            return false;
        if (wanted)
            answer = work([this] { return wanted.load(std::memory_order_relaxed); });
        work = {};
        ended.release();
        return true;
    }
};

Latest::Latest(QObject *owner) : QObject(owner) {}

Latest::~Latest() {
    if (m_ticket)
        m_ticket->wanted = false;
}

namespace {

/// What is asked for in writing a file is worded for a file, on whatever thread and whenever the answer comes.
Latest::Work asAskedFor(Latest::Work work) {
    if (!AsInFiles::isNow())
        return work;
    return [work = std::move(work)](const Latest::GoOn &goOn) -> Latest::Answer {
        const AsInFiles plain;
        Latest::Answer answer = work(goOn);
        if (!answer)
            return answer;
        return [answer = std::move(answer)] {
            const AsInFiles also;
            answer();
        };
    };
}

} // namespace

void Latest::ask(Work work) {
    work = asAskedFor(std::move(work));
    if (m_ticket)
        m_ticket->wanted = false;
    setBusy(true);
    if (m_running)
        m_next = std::move(work);
    else
        start(std::move(work));
}

void Latest::forget() {
    if (m_ticket)
        m_ticket->wanted = false;
    m_ticket.reset();
    m_next = {};
    setBusy(false);
}

void Latest::finish() {
    // For its own work alone: others' may take long, and what they have to say comes in its turn. Behind theirs it does not wait either.
    while (m_busy && m_current) {
        const std::shared_ptr<Ticket> ticket = m_current;
        ticket->run();
        ticket->ended.acquire();
        take(ticket);
    }
}

void Latest::start(Work work) {
    m_running = true;
    m_ticket = m_current = std::make_shared<Ticket>();
    m_ticket->work = std::move(work);
    // The thread knows this object by name only; whether it still lives is asked on its own thread.
    QThreadPool::globalInstance()->start([self = QPointer<Latest>(this), ticket = m_ticket] {
        const Beside others;
        if (!ticket->run())
            return;
        QMetaObject::invokeMethod(qApp, [self, ticket] {
                if (self)
                    self->take(ticket);
            }, Qt::QueuedConnection);
    });
}

void Latest::take(const std::shared_ptr<Ticket> &ticket) {
    if (std::exchange(ticket->taken, true))
        return;
    m_running = false;
    m_current.reset();
    if (m_next)
        return start(std::exchange(m_next, {}));
    if (!ticket->wanted)
        return;
    m_ticket.reset();
    setBusy(false);
    if (ticket->answer)
        ticket->answer();
}

void Latest::setBusy(bool busy) {
    if (busy == m_busy)
        return;
    m_busy = busy;
    emit busyChanged(busy);
}

} // namespace kv
