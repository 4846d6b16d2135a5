// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How sequences of unlike lengths add up (core/plan/inflight.h), off the GUI thread: exact or drawn, it takes up to a tenth of a second.
// The last scenario asked about counts. The verdict and the chart of lengths ask about the same one: it is added up once.

#include "core/plan/inflight.h"
#include "ui/latest.h"

namespace kv {

class FlightFinder : public QObject {
    Q_OBJECT

public:
    explicit FlightFinder(QObject *owner) : QObject(owner), m_latest(this) {}
    /// Answers by found(), unless this scenario is the one asked about last.
    void ask(const Scenario &scenario, const Plan &plan);
    void forget();
    /// Waits until the answer is there.
    void finish() { m_latest.finish(); }
    /// What was found for this scenario; nullptr while it is looked for.
    const InFlight *of(const Scenario &scenario) const { return m_found && m_foundFor == scenario ? &*m_found : nullptr; }
    /// What was found last, for whatever scenario.
    const InFlight *last() const { return m_found ? &*m_found : nullptr; }
    bool isBusy() const { return m_latest.isBusy(); }

signals:
    void found();

private:
    Latest m_latest;
    std::optional<Scenario> m_asked;
    std::optional<InFlight> m_found;
    Scenario m_foundFor;
};

} // namespace kv
