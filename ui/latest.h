// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Work off the GUI thread of which only the newest counts. What was asked for before is told to stop, and its answer is dropped; until the
// new one is ready, whoever asked shows what it had. Work holds values only, never a widget: its owner may be gone when it ends.

#include <QObject>

#include <functional>
#include <memory>

namespace kv {

class Latest : public QObject {
    Q_OBJECT

public:
    using GoOn = std::function<bool()>;       ///< false: stop, nobody waits any more
    using Answer = std::function<void()>;     ///< what to do with the result, on the owner's thread
    using Work = std::function<Answer(const GoOn &)>;

    explicit Latest(QObject *owner);
    ~Latest() override;

    void ask(Work work);
    void forget();
    /// Waits until what was asked for is there.
    void finish();
    bool isBusy() const { return m_busy; }

signals:
    void busyChanged(bool busy);

private:
    struct Ticket;

    void setBusy(bool busy);
    void start(Work work);
    void take(const std::shared_ptr<Ticket> &ticket);

    std::shared_ptr<Ticket> m_current; ///< of the work that runs, wanted or not
    std::shared_ptr<Ticket> m_ticket; ///< of the newest work; none: nothing is asked for
    Work m_next;                      ///< waits until the one before has stopped: one thread is enough for one view
    bool m_running = false;
    bool m_busy = false;
};

} // namespace kv
