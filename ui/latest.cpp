// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/latest.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <atomic>

namespace kv {

struct Latest::Ticket {
    std::atomic<bool> wanted{true};
};

Latest::Latest(QObject *owner) : QObject(owner) {}

Latest::~Latest() {
    if (m_ticket)
        m_ticket->wanted = false;
}

void Latest::ask(Work work) {
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
    while (m_busy) {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::sendPostedEvents(qApp, QEvent::MetaCall);
    }
}

void Latest::start(Work work) {
    m_running = true;
    m_ticket = std::make_shared<Ticket>();
    // The thread knows this object by name only; whether it still lives is asked on its own thread.
    QThreadPool::globalInstance()->start([self = QPointer<Latest>(this), ticket = m_ticket, work = std::move(work)] {
        Answer answer;
        if (ticket->wanted)
            answer = work([&ticket] { return ticket->wanted.load(std::memory_order_relaxed); });
        QMetaObject::invokeMethod(qApp, [self, ticket, answer = std::move(answer)] {
                if (!self)
                    return;
                self->m_running = false;
                if (self->m_next)
                    return self->start(std::exchange(self->m_next, {}));
                if (!ticket->wanted)
                    return;
                self->m_ticket.reset();
                self->setBusy(false);
                if (answer)
                    answer();
            }, Qt::QueuedConnection);
    });
}

void Latest::setBusy(bool busy) {
    if (busy == m_busy)
        return;
    m_busy = busy;
    emit busyChanged(busy);
}

} // namespace kv
