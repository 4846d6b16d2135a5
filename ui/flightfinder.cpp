// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/flightfinder.h"

#include <mutex>

namespace kv {

namespace {

/// The answer found last, for whoever asks the same beside it.
std::optional<InFlight> flightOf(const Scenario &scenario, const Plan &plan, const Latest::GoOn &goOn) {
    static std::mutex one;
    static std::optional<std::pair<Scenario, InFlight>> last;
    const std::lock_guard lock(one);
    if (last && last->first == scenario)
        return last->second;
    MixOptions options;
    options.goOn = goOn;
    std::optional<InFlight> found = goOn() ? inFlight(scenario, plan, options) : std::nullopt;
    if (found)
        last.emplace(scenario, *found);
    return found;
}

} // namespace

void FlightFinder::ask(const Scenario &scenario, const Plan &plan) {
    if (m_asked == scenario)
        return;
    m_asked = scenario;
    m_latest.ask([this, scenario, plan](const Latest::GoOn &goOn) -> Latest::Answer {
        std::optional<InFlight> flight = flightOf(scenario, plan, goOn);
        return [this, scenario, flight = std::move(flight)] {
            m_found = flight;
            m_foundFor = scenario;
            emit found();
        };
    });
}

void FlightFinder::forget() {
    m_latest.forget();
    m_asked.reset();
    m_found.reset();
}

} // namespace kv
