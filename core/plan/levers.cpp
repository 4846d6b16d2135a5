// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/levers.h"

#include "core/base/quantity.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace kv {

namespace {

constexpr std::size_t mostMarked = 3;

std::string usersText(const std::optional<std::int64_t> &users) { return users ? writeNumber(*users) : std::string("no limit"); }

std::string sentenceOf(const LeverIdea &idea, const Levers &before, const Lever &after) {
    std::string text = idea.name + ": ";
    if (!before.fits && after.fits && before.users == after.users)
        text += "it fits";
    else
        text += usersText(before.users) + " → " + usersText(after.users) + (after.users == std::optional<std::int64_t>(1) ? " user" : " users");
    return idea.caveat.empty() ? text : text + " (" + idea.caveat + ")";
}

/// What a cost weighs against doublings of users.
double priceOf(LeverCost cost) {
    constexpr std::array prices{0.0, 0.5, 0.3, 0.8, 0.6};
    return prices[static_cast<std::size_t>(cost)];
}

double gainOf(const Levers &before, const Lever &lever) {
    if (!lever.users)
        return before.users ? 64 : 0;
    if (!before.users)
        return -64;
    return std::log2((static_cast<double>(*lever.users) + 0.5) / (static_cast<double>(*before.users) + 0.5));
}

double scoreOf(const Levers &before, const Lever &lever) {
    // Hardware pays for each doubling of GPUs; the others for the kind of thing they are.
    const double hardware = lever.idea.cost == LeverCost::Hardware ? lever.idea.size : 0;
    return gainOf(before, lever) - priceOf(lever.idea.cost) - hardware;
}

void order(Levers &levers) {
    const auto smallness = [](const Lever &lever) { return lever.idea.size + priceOf(lever.idea.cost); };
    std::ranges::stable_sort(levers.list, [&](const Lever &a, const Lever &b) {
        if (!levers.fits && a.fits != b.fits)
            return a.fits;
        if (!levers.fits && a.fits)
            return smallness(a) < smallness(b);
        return scoreOf(levers, a) > scoreOf(levers, b);
    });
    if (levers.fits)
        return;
    for (std::size_t i = 0; i < std::min(mostMarked, levers.list.size()); ++i)
        levers.list[i].nearest = levers.list[i].fits;
    // Behind the three smallest the others that fit go by what they gain.
    const auto rest = std::ranges::find_if(levers.list, [](const Lever &lever) { return !lever.nearest; });
    std::stable_sort(rest, levers.list.end(), [&](const Lever &a, const Lever &b) {
        return a.fits != b.fits ? a.fits : scoreOf(levers, a) > scoreOf(levers, b);
    });
}

} // namespace

std::string_view leverCostName(LeverCost cost) {
    constexpr std::array<std::string_view, 5> names{"setting", "load", "quality", "software", "hardware"};
    return names[static_cast<std::size_t>(cost)];
}

Levers levers(const Scenario &scenario, const std::function<bool()> &goOn) {
    Levers out;
    const Plan plan = evaluateHere(scenario);
    if (!plan.ok())
        return out;
    out.fits = plan.fit.fits;
    out.users = plan.fit.maxSequences;
    for (LeverIdea &idea : leverIdeas(scenario, plan)) {
        if (goOn && !goOn())
            break;
        const Plan tried = evaluateHere(idea.scenario);
        if (!tried.ok())
            continue; // the engine does not take it
        Lever lever;
        lever.fits = tried.fit.fits;
        lever.users = tried.fit.maxSequences;
        lever.gpus = tried.gpusInAll;
        lever.idea = std::move(idea);
        const bool gains = gainOf(out, lever) > 1e-9;
        if (!(lever.fits && !out.fits) && !(gains && (lever.fits || !out.fits)))
            continue;
        lever.sentence = sentenceOf(lever.idea, out, lever);
        out.list.push_back(std::move(lever));
    }
    order(out);
    return out;
}

} // namespace kv
