// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/flightfinder.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace kv {

namespace {

struct Sum {
    Scenario scenario;
    bool done = false;
    std::optional<InFlight> found; ///< once done; none: whoever added it up was told to stop
};

/// What is added up now, or was last, for whoever asks the same beside it; nobody waits for another scenario's.
std::optional<InFlight> flightOf(const Scenario &scenario, const Plan &plan, const Latest::GoOn &goOn) {
    static std::mutex mutex;
    static std::condition_variable ended;
    static std::shared_ptr<Sum> last;
    constexpr std::chrono::milliseconds look(5); // whether it is still wanted

    std::unique_lock lock(mutex);
    if (const std::shared_ptr<Sum> same = last && last->scenario == scenario ? last : nullptr) {
        while (!same->done && goOn())
            ended.wait_for(lock, look);
        if (same->found)
            return same->found;
    }
    if (!goOn())
        return std::nullopt;
    const auto own = last = std::make_shared<Sum>(Sum{scenario, false, std::nullopt});
    lock.unlock();
    MixOptions options;
    options.goOn = goOn;
    std::optional<InFlight> found = inFlight(scenario, plan, options);
    lock.lock();
    own->found = found;
    own->done = true;
    ended.notify_all();
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
