// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/release.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kv::vllm {

namespace {

/// Each row is the one before it and what changed.
constexpr std::array<Release, 9> history() {
    std::array<Release, 9> rows{};
    std::size_t next = 0;
    Release r{.name = "0.6",
              .minor = 6,
              .tokens = LoggedTokens::Blocks,
              .concurrency = LoggedConcurrency::FromTokens,
              .utilization = 900'000'000,
              .logitTenths = 360,
              .outsideOne = 133,
              .outsideMany = 307,
              .smallCardBatch = 2048,
              .firstEngine = true,
              .defaultBatchCapped = true};
    const auto row = [&](std::string_view name, int minor) {
        rows[next++] = r;
        r.name = name;
        r.minor = minor;
    };
    row("0.8", 8);
    r.firstEngine = false;
    r.defaultBatchCapped = false;
    r.logitTenths = 375;
    r.outsideMany = 563;
    row("0.11", 11);
    r.hybridGroups = true;
    r.tokens = LoggedTokens::BlocksPerGroup;
    r.concurrency = LoggedConcurrency::SumOfBytes;
    row("0.17", 17);
    r.defaultBatchCapped = true;
    r.logitTenths = 142;
    row("0.18", 18);
    r.outsideOne = 256;
    r.outsideMany = 2150;
    row("0.21", 21);
    r.tokens = LoggedTokens::FromConcurrency;
    r.graphsInside = true;
    row("0.22", 22);
    r.utilization = 920'000'000;
    row("0.24", 24);
    r.smallCardBatch = 8192;
    row("0.28", 28);
    r.concurrency = LoggedConcurrency::SumOfPages;
    r.packedGroups = true;
    r.int4PerTokenHead = true;
    r.latentStateBlocks = true;
    r.ownIndexersOnly = true;
    rows[next] = r;
    return rows;
}

constexpr std::array<Release, 9> table = history();

constexpr std::array<std::string_view, 9> names{"0.24", "0.28", "0.22", "0.21", "0.18", "0.17", "0.11", "0.8", "0.6"};

/// The minor number of "0.24", "v0.24.1", "0.24.1rc2"; nothing for any other text.
std::optional<int> minorOf(std::string_view text) {
    if (text.starts_with('v') || text.starts_with('V'))
        text.remove_prefix(1);
    if (!text.starts_with("0."))
        return std::nullopt;
    text.remove_prefix(2);
    int minor = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), minor);
    if (error != std::errc() || minor > 999)
        return std::nullopt;
    std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    if (rest.empty())
        return minor;
    // ".1", ".1rc2", ".1.post1", "rc1"
    const auto allowed = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '+';
    };
    const bool patch = rest.starts_with('.') && rest.size() > 1 && rest[1] >= '0' && rest[1] <= '9';
    return (patch || rest.starts_with("rc")) && std::ranges::all_of(rest, allowed) ? std::optional(minor)
                                                                                   : std::nullopt;
}

} // namespace

std::span<const Release> releases() { return table; }
const Release &defaultRelease() { return *std::ranges::find(table, names.front(), &Release::name); }
std::span<const std::string_view> releaseNames() { return names; }

std::optional<Note> chooseRelease(std::optional<std::string_view> text, ChosenRelease &out) {
    if (!text) {
        out = {&defaultRelease(), std::string(defaultRelease().name), false};
        return std::nullopt;
    }
    constexpr const char *where = "engine.options.version";
    const std::optional<int> minor = minorOf(*text);
    if (!minor || *minor < table.front().minor) {
        std::string sentence = std::string(where) + ": \"" + std::string(*text) + "\" is " +
                               (minor ? "older than any release whose rules are known" : "no release of vLLM") +
                               "; known:";
        for (const Release &row : table)
            sentence += (&row == table.data() ? " " : ", ") + std::string(row.name);
        return errorNote("unknown-version", where,
                         sentence + " (a release between two of them counts like the earlier one)");
    }
    const auto after = std::ranges::find_if(table, [&](const Release &row) { return row.minor > *minor; });
    out.rules = &*(after - 1);
    out.written = text->starts_with('v') || text->starts_with('V') ? text->substr(1) : *text;
    out.beyondKnown = *minor > table.back().minor;
    return std::nullopt;
}

} // namespace kv::vllm
