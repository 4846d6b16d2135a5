// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/sglang/pools.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"

#include <algorithm>
#include <cmath>

namespace kv::sglang {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// Slots of states, the same on every stage.
void countSlots(const Deployment &d, Pools &p) {
    const OptionReader options(d.scenario->engine.options);
    const Bytes state = p.mostState();
    if (state == Bytes(0))
        return;
    if (const auto given = options.whole("max_mamba_cache_size")) {
        p.slots = options.boolean("enable_dp_attention").value_or(false) ? *given / std::max<std::int64_t>(1, d.dp) : *given;
    } else if (!p.radix && p.maxRunning) {
        p.slots = *p.maxRunning;
    } else {
        const std::int64_t r = options.fraction("mamba_full_memory_ratio").value_or(fractionOne / 10 * 9);
        const Bytes budget(checked::mulDiv(p.leastAvailable().value, r, fractionOne + r));
        p.slots = std::max<std::int64_t>(0, floorDiv(budget - state, state));
    }
}

/// available // (full + ratio × window), in Python's floats as the engine has them: where the division is even it can be one less than the
/// whole numbers' (kv_cache_configurator.py, HybridSWAPoolConfigurator).
std::int64_t tokensOfTwoPools(Bytes available, const StageCell &cell, double ratio) {
    const double whole = static_cast<double>(available.value), each = static_cast<double>(cell.full.value) + ratio * static_cast<double>(cell.window.value);
    if (!(each >= 1) || !(whole > 0))
        return 0;
    return static_cast<std::int64_t>(std::floor((whole - std::fmod(whole, each)) / each + 0.5));
}

/// Tokens of the window pool where the requests size it; nothing where its share does, or where drafts come in: how many tokens a step
/// drafts is no option here.
std::optional<std::int64_t> windowTokensByRequests(const Deployment &d, const Pools &p) {
    const bool drafts = d.draft || OptionReader(d.scenario->engine.options).whole("draft_layers").value_or(0) > 0;
    if (!p.maxRunningGiven || p.radix || drafts || p.cells.window == 0 || !p.cells.fullLayers)
        return std::nullopt;
    constexpr std::int64_t evictionInterval = 128;
    const std::int64_t each = checked::add(p.cells.windowBefore, checked::add(evictionInterval, checked::mul(2, p.page)));
    const std::int64_t chunks = checked::mul(d.pp > 1 ? 1 : 2, std::max<std::int64_t>(0, prefillChunk(d)));
    const std::int64_t tokens = checked::roundUp(checked::add(checked::mul(each, *p.maxRunning), checked::add(chunks, p.page)), p.page);
    return tokens == outOfRangeValue ? std::nullopt : std::optional(tokens);
}

void countTokens(const Deployment &d, Pools &p) {
    const std::int64_t ratio = OptionReader(d.scenario->engine.options).fraction("swa_full_tokens_ratio").value_or(fractionOne / 10 * 8);
    const double share = static_cast<double>(ratio) / static_cast<double>(fractionOne);
    const bool onlyWindows = p.cells.window > 0 && !p.cells.fullLayers;
    const std::optional<std::int64_t> byRequests = windowTokensByRequests(d, p);
    p.windowByRequests = byRequests.has_value();
    const Bytes afterStates = p.leastAvailable() - p.mostState() * (p.slots ? checked::add(*p.slots, 1) : 0);
    std::int64_t least = unlimited;
    for (const StageCell &cell : p.cells.stages) {
        const Bytes forTokens = afterStates - cell.window * byRequests.value_or(0);
        if (onlyWindows || cell.window == Bytes(0) || byRequests) {
            if (const Bytes each = onlyWindows ? cell.window : cell.full; each > Bytes(0))
                least = std::min(least, std::max<std::int64_t>(0, checked::floorDiv(forTokens.value, each.value)));
        } else {
            least = std::min(least, tokensOfTwoPools(forTokens, cell, share));
        }
    }
    if (least == unlimited)
        return; // no layer grows
    p.fullTokens = onlyWindows ? 0 : checked::roundDown(least, p.page);
    if (p.cells.window > 0)
        p.windowTokens = byRequests ? *byRequests : checked::roundDown(onlyWindows ? least : static_cast<std::int64_t>(static_cast<double>(p.fullTokens) * share), p.page);
}

/// Requests that run at a time: the engine's default, from the tokens there are.
std::int64_t defaultRequests(std::int64_t tokens, Tokens context) {
    constexpr std::int64_t perContext = 512, fewest = 2048, most = 4096;
    return std::clamp(checked::mulDiv(tokens, perContext, std::max<std::int64_t>(1, context.value)), fewest, most);
}

std::int64_t wholePages(std::int64_t tokens, const Pools &p) { return checked::roundUp(checked::ceilDiv(tokens, p.cells.dcp), p.page); }

} // namespace

void Pools::setContext(Tokens context) {
    const std::int64_t tokens = cells.fullLayers ? fullTokens : windowTokens;
    const bool caches = cells.fullLayers || cells.window > 0 || slots;
    if (!maxRunningGiven && caches)
        maxRunning = defaultRequests(tokens, context);
    if (maxRunning && (cells.fullLayers || cells.window > 0))
        maxRunning = std::min(*maxRunning, tokens / 2);
    if (cells.fullLayers)
        fullRequest = wholePages(checked::add(context.value, cells.encoder), *this);
    if (cells.window > 0)
        windowRequest = wholePages(std::min(context.value, cells.window), *this);
}

Bytes Pools::leastAvailable() const {
    return std::ranges::min(ranks, {}, &RankBudget::available).available;
}

Bytes Pools::mostState() const {
    return cells.stages.empty() ? Bytes(0) : std::ranges::max(cells.stages, {}, &StageCell::state).state;
}

bool Pools::roomOnAllStages() const {
    const Bytes states = mostState() * (slots ? checked::add(*slots, 1) : 0);
    return states.inRange() && leastAvailable() >= states;
}

std::optional<std::int64_t> Pools::mostPerReplica() const {
    if (!roomOnAllStages())
        return 0;
    std::optional<std::int64_t> most = maxRunning;
    const auto limit = [&](std::int64_t n) { most = most ? std::min(*most, n) : n; };
    if (cells.fullLayers) {
        const std::int64_t each = checked::sub(fullRequest, shared), room = checked::sub(fullTokens, shared);
        if (room < 0 || each == outOfRangeValue)
            limit(0);
        else if (each > 0)
            limit(room / each);
    }
    if (cells.window > 0)
        limit(windowTooSmall() ? 0 : windowRequest > 0 ? windowTokens / windowRequest : unlimited);
    if (slots)
        limit(*slots / (radix ? 3 : 1));
    return most;
}

std::string Pools::limitInWords() const {
    const std::optional<std::int64_t> most = mostPerReplica();
    const std::string serves = most ? writeNumber(*most) + (*most == 1 ? " sequence" : " sequences") : std::string();
    if (!most || !roomOnAllStages())
        return {};
    if (windowByRequests && fullTokens == 0)
        return "The window pool of " + writeNumber(windowTokens) + " tokens, which max_running_requests sizes, leaves no memory for the full pool: SGLang refuses to start.";
    if (maxRunning && *most == *maxRunning)
        return (maxRunningAsked ? "max_running_requests runs " : "SGLang's default of max_running_requests runs ") + serves + " at a time.";
    if (slots && *most == *slots / (radix ? 3 : 1))
        return "The " + writeNumber(*slots) + " state slots serve " + serves + (radix ? ", three slots each with the radix cache." : ".");
    if (windowTooSmall())
        return "The window pool of " + writeNumber(windowTokens) + " tokens does not hold one window of " + writeNumber(cells.window) + ".";
    if (cells.window > 0 && windowRequest > 0 && *most == windowTokens / windowRequest)
        return "The window pool of " + writeNumber(windowTokens) + " tokens holds the windows of " + serves + "; swa_full_tokens_ratio sets its share.";
    return "The pool of " + writeNumber(fullTokens) + " tokens holds " + serves + " of " + writeNumber(fullRequest) + ".";
}

Bytes Pools::demand(std::size_t stage, Count sequences) const {
    const StageCell &cell = cells.stages[stage];
    return cell.full * checked::add(shared, checked::mul(checked::sub(fullRequest, shared), sequences.value)) +
           cell.window * checked::mul(windowRequest, sequences.value) + cell.state * sequences.value;
}

Bytes Pools::reserved(std::size_t stage) const {
    const StageCell &cell = cells.stages[stage];
    Bytes sum;
    if (cell.full > Bytes(0))
        sum += cell.full * checked::add(fullTokens, page);
    if (cell.window > Bytes(0))
        sum += cell.window * checked::add(windowTokens, page);
    return slots ? sum + cell.state * checked::add(*slots, 1) : sum;
}

Pools poolsOf(const Deployment &d, Bytes more) {
    const OptionReader options(d.scenario->engine.options);
    Pools p;
    p.cells = cellsOf(d);
    p.page = options.whole("page_size").value_or(p.cells.sparse ? 64 : 1);
    p.radix = !options.boolean("disable_radix_cache").value_or(false);
    p.maxRunning = options.whole("max_running_requests");
    p.maxRunningAsked = p.maxRunning.has_value();
    // server_args.py _handle_eagle_family; resolve_max_num_reqs deals it over the ranks of DP attention.
    constexpr std::int64_t whenDrafting = 48;
    if (!p.maxRunning && (d.draft || options.whole("draft_layers").value_or(0) > 0))
        p.maxRunning = whenDrafting / (options.boolean("enable_dp_attention").value_or(false) ? std::max<std::int64_t>(1, d.dp) : 1);
    p.maxRunningGiven = p.maxRunning.has_value();
    p.refusal = p.cells.refusal;
    if (!p.refusal && p.page < 1)
        p.refusal = errorNote("bad-value", "engine.options.page_size", "engine.options.page_size: expected a whole number of 1 or more");
    if (p.refusal)
        return p;
    p.ranks = budgets(d, p.cells.stageLayerCounts);
    for (RankBudget &rank : p.ranks)
        rank.available += more;
    countSlots(d, p);
    countTokens(d, p);
    if (p.cells.fullLayers)
        p.shared = p.radix && p.cells.encoder == 0 ? checked::roundDown(checked::floorDiv(d.prefix.value, p.cells.dcp), p.page) : 0;
    p.setContext(d.context);
    return p;
}

} // namespace kv::sglang
