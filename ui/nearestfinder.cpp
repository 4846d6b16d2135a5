// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/nearestfinder.h"

namespace kv {

void NearestFinder::ask(const Scenario &refused) {
    if (m_scenario == refused)
        return;
    m_scenario = refused;
    m_found.clear();
    m_latest.ask([this, refused](const Latest::GoOn &goOn) -> Latest::Answer {
        return [this, result = nearestThatWork(refused, goOn)] { // said only while this lives
            m_found = result;
            emit found();
        };
    });
}

void NearestFinder::forget() {
    m_latest.forget();
    m_scenario.reset();
    m_found.clear();
}

} // namespace kv
