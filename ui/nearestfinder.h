// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Looks for the settings nearest to a refused scenario that work (core/plan/nearest.h), off the GUI thread: each is evaluated, some
// dozens in all. The last scenario asked about counts; what comes late is dropped.

#include "core/plan/nearest.h"
#include "ui/latest.h"

#include <QObject>

namespace kv {

class NearestFinder : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    /// Answers by found(), unless this scenario is the one asked about last.
    void ask(const Scenario &refused);
    /// Nothing is refused any more.
    void forget();
    /// What was found for the scenario asked about last; empty while it is looked for.
    const std::vector<Alternative> &alternatives() const { return m_found; }

signals:
    void found();

private:
    Latest m_latest{this};
    std::optional<Scenario> m_scenario;
    std::vector<Alternative> m_found;
};

} // namespace kv
