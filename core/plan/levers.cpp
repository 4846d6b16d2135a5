// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/levers.h"

#include "core/base/quantity.h"
#include "core/plan/deploy.h"
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
    constexpr std::array prices{0.0, 0.5, 8.0, 0.3, 0.8, 0.6}; // beyond PCIe all is read 20 to 50 times slower: users served so are hardly served
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

Bytes onHost(const Plan &plan) { return plan.host ? plan.host->taken() : Bytes(0); }

/// What moves to the host is paid there: told for the users that are promised, not only for those planned now.
void addHostsShare(const Plan &before, const Plan &tried, Lever &lever) {
    const Bytes moved = onHost(tried) - onHost(before);
    if (moved <= Bytes(0) || tried.host->memory)
        return;
    Bytes needed = moved;
    if (lever.users && *lever.users > lever.idea.scenario.workload.sequences.value) {
        Scenario most = lever.idea.scenario;
        most.workload.sequences = Count(*lever.users);
        if (const Plan full = evaluateHere(most); full.ok())
            needed = std::max(needed, onHost(full) - onHost(before));
    }
    lever.idea.caveat += (lever.idea.caveat.empty() ? "" : ", and ") + writeBytes(needed, SizeUnit::Decimal) + " more of the host's memory";
}

/// "kv" of "kv.fp8"; every pair is of one kind.
std::string_view kindOf(const Lever &lever) {
    const std::string_view id = lever.idea.id;
    return lever.isPair() ? "+" : id.substr(0, id.find('.'));
}

/// The smallest changes that make it fit, each of another kind as far as there are kinds: three widths of the cache are one advice.
void markNearest(std::vector<Lever> &list) {
    std::vector<std::string_view> kinds;
    std::size_t marked = 0;
    for (const bool anyKind : {false, true})
        for (Lever &lever : list) {
            const bool known = std::ranges::find(kinds, kindOf(lever)) != kinds.end();
            // Fewer sequences are no way to serve all of them.
            if (marked == mostMarked || !lever.fits || lever.nearest || lever.idea.id == "sequences" || (known && !anyKind))
                continue;
            lever.nearest = true;
            kinds.push_back(kindOf(lever));
            ++marked;
        }
}

void order(Levers &levers) {
    const auto smallness = [](const Lever &lever) { return lever.idea.size + priceOf(lever.idea.cost); };
    if (!levers.fits) {
        std::ranges::stable_sort(levers.list, {}, smallness);
        markNearest(levers.list);
    }
    std::ranges::stable_sort(levers.list, [&](const Lever &a, const Lever &b) {
        if (a.nearest != b.nearest)
            return a.nearest;
        if (!levers.fits && a.fits != b.fits)
            return a.fits;
        return a.nearest ? smallness(a) < smallness(b) : a.worth > b.worth;
    });
}

} // namespace

std::string_view leverCostName(LeverCost cost) {
    constexpr std::array<std::string_view, 6> names{"setting", "load", "speed", "quality", "software", "hardware"};
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
        if (!tried.ok() || (wouldNotStart(tried) && !wouldNotStart(plan)))
            continue; // the engine does not take it, or not on these cards
        Lever lever;
        lever.fits = tried.fit.fits;
        lever.users = tried.fit.maxSequences;
        lever.gpus = tried.gpusInAll;
        lever.idea = std::move(idea);
        addHostsShare(plan, tried, lever);
        const bool gains = gainOf(out, lever) > 1e-9;
        if (!(lever.fits && !out.fits) && !(gains && (lever.fits || !out.fits)))
            continue;
        lever.worth = scoreOf(out, lever);
        lever.sentence = sentenceOf(lever.idea, out, lever);
        out.list.push_back(std::move(lever));
    }
    order(out);
    return out;
}

} // namespace kv
