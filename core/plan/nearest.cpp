// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/nearest.h"

#include "core/engine/engines.h"
#include "core/plan/evaluate.h"
#include "core/plan/nearestmoves.h"
#include "core/scenario/scenariofile.h"

#include <algorithm>

namespace kv {

namespace {

/// What of `to` differs, as a merge patch (RFC 7396): null takes a key away.
Json patchBetween(const Json &from, const Json &to) {
    Json patch = Json::object();
    for (const auto &[key, value] : to.members()) {
        const Json *before = from.find(key);
        if (before && *before == value)
            continue;
        patch.set(key, before && before->isObject() && value.isObject() ? patchBetween(*before, value) : value);
    }
    for (const auto &[key, value] : from.members())
        if (!to.find(key))
            patch.set(key, Json());
    return patch;
}

/// The settings alone: a model is never changed, and its config would be copied for nothing.
Json settingsOf(Scenario scenario) {
    scenario.model = {};
    scenario.unknown = {};
    scenario.workload.distribution = {};
    return writeScenario(scenario, {});
}

class Finder {
public:
    Finder(const Scenario &asked, Note refusal, const std::function<bool()> &goOn) : m_asked(asked), m_refusal(std::move(refusal)), m_goOn(goOn) {}

    std::vector<Alternative> find() {
        const Engine *engine = findEngine(m_asked.engine.id);
        const std::string &where = m_refusal.where;
        constexpr std::string_view options = "engine.options.";
        const bool isOption = where.starts_with(options);
        if (!engine) {
            proposeEngines(m_asked, atMost(1));
            return std::move(m_found);
        }
        if (isOption)
            proposeOption(m_asked, *engine, std::string_view(where).substr(options.size()), atMost(3));
        if (where.starts_with("kv") || m_refusal.code == "needs-flash-attention")
            proposeTypes(m_asked, *engine, atMost(isOption ? 1 : 3));
        if (where.starts_with("kv"))
            proposeFewerOptions(m_asked, *engine, atMost(1));
        if (where.starts_with("parallel") || where == "hardware.count" || where == "engine.options.layer_partition" ||
            m_refusal.code.find("context-parallel") != std::string::npos || m_refusal.code == "impossible-parallel")
            proposeSplits(m_asked, *engine, atMost(mostAlternatives));
        proposeLoads(m_asked, m_refusal, atMost(2));
        proposeNames(m_asked, m_refusal, atMost(2));
        if (m_refusal.code == "unlike-devices")
            proposeAlikeCards(m_asked, atMost(2));
        if (isOption)
            proposeFewerOptions(m_asked, *engine, atMost(1));
        if (where == "engine.id" || where == "model" || where == "hardware.devices" || m_refusal.code == "kind-not-known")
            proposeEngines(m_asked, atMost(2));
        return std::move(m_found);
    }

private:
    /// A taker of proposals that wants `most` more of them.
    Propose atMost(std::size_t most) {
        const std::size_t limit = std::min(m_found.size() + most, mostAlternatives);
        return [this, limit](std::string change, Scenario scenario) {
            if (m_goOn && !m_goOn())
                return Answer::Enough;
            const bool taken = m_found.size() < limit && take(std::move(change), std::move(scenario));
            return m_found.size() >= limit ? Answer::Enough : taken ? Answer::Taken : Answer::No;
        };
    }

    bool take(std::string change, Scenario scenario) {
        const bool known = scenario == m_asked || std::ranges::find(m_found, scenario, &Alternative::scenario) != m_found.end();
        if (known)
            return false;
        const Plan plan = evaluate(scenario);
        if (!plan.ok())
            return false;
        Json patch = scenarioPatch(m_asked, scenario);
        m_found.push_back({std::move(change), std::move(patch), std::move(scenario), plan.fit.fits});
        return true;
    }

    const Scenario &m_asked;
    const Note m_refusal;
    const std::function<bool()> &m_goOn;
    std::vector<Alternative> m_found;
};

} // namespace

Json scenarioPatch(const Scenario &from, const Scenario &to) { return patchBetween(settingsOf(from), settingsOf(to)); }

std::vector<Alternative> nearestThatWork(const Scenario &scenario, const std::function<bool()> &goOn) {
    const Plan plan = evaluate(scenario);
    if (plan.ok() || !scenario.model.spec || plan.refusal->code == "out-of-range")
        return {}; // no setting brings a number back into range
    return Finder(scenario, *plan.refusal, goOn).find();
}

} // namespace kv
