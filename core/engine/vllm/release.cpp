// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/release.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kv::vllm {

namespace {

constexpr std::int64_t ninety = 900'000'000, ninetyTwo = 920'000'000;

constexpr std::array<Release, 9> table{{
    {.name = "0.6", .minor = 6, .tokens = LoggedTokens::Blocks, .concurrency = LoggedConcurrency::FromTokens, .utilization = ninety, .logitTenths = 360,
     .outsideOne = 133, .outsideMany = 307, .smallCardBatch = 2048, .firstEngine = true, .hybridGroups = false, .graphsInside = false},
    {.name = "0.8", .minor = 8, .tokens = LoggedTokens::Blocks, .concurrency = LoggedConcurrency::FromTokens, .utilization = ninety, .logitTenths = 375,
     .outsideOne = 133, .outsideMany = 563, .smallCardBatch = 2048, .hybridGroups = false, .graphsInside = false},
    {.name = "0.11", .minor = 11, .tokens = LoggedTokens::BlocksPerGroup, .concurrency = LoggedConcurrency::SumOfBytes, .utilization = ninety,
     .logitTenths = 375, .outsideOne = 133, .outsideMany = 563, .smallCardBatch = 2048, .graphsInside = false},
    {.name = "0.17", .minor = 17, .tokens = LoggedTokens::BlocksPerGroup, .concurrency = LoggedConcurrency::SumOfBytes, .utilization = ninety,
     .logitTenths = 142, .outsideOne = 133, .outsideMany = 563, .smallCardBatch = 2048, .graphsInside = false},
    {.name = "0.18", .minor = 18, .tokens = LoggedTokens::BlocksPerGroup, .concurrency = LoggedConcurrency::SumOfBytes, .utilization = ninety,
     .logitTenths = 142, .outsideOne = 256, .outsideMany = 2150, .smallCardBatch = 2048, .graphsInside = false},
    {.name = "0.21", .minor = 21, .tokens = LoggedTokens::FromConcurrency, .concurrency = LoggedConcurrency::SumOfBytes, .utilization = ninety,
     .logitTenths = 142, .outsideOne = 256, .outsideMany = 2150, .smallCardBatch = 2048},
    {.name = "0.22", .minor = 22, .tokens = LoggedTokens::FromConcurrency, .concurrency = LoggedConcurrency::SumOfBytes, .utilization = ninetyTwo,
     .logitTenths = 142, .outsideOne = 256, .outsideMany = 2150, .smallCardBatch = 2048},
    {.name = "0.24", .minor = 24, .tokens = LoggedTokens::FromConcurrency, .concurrency = LoggedConcurrency::SumOfBytes, .utilization = ninetyTwo,
     .logitTenths = 142, .outsideOne = 256, .outsideMany = 2150, .smallCardBatch = 8192},
    {.name = "0.28", .minor = 28, .tokens = LoggedTokens::FromConcurrency, .concurrency = LoggedConcurrency::SumOfPages, .utilization = ninetyTwo,
     .logitTenths = 142, .outsideOne = 256, .outsideMany = 2150, .smallCardBatch = 8192, .packedGroups = true, .int4PerTokenHead = true},
}};

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
    const auto allowed = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '+'; };
    const bool patch = rest.starts_with('.') && rest.size() > 1 && rest[1] >= '0' && rest[1] <= '9';
    return (patch || rest.starts_with("rc")) && std::ranges::all_of(rest, allowed) ? std::optional(minor) : std::nullopt;
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
                               (minor ? "older than any release whose rules are known" : "no release of vLLM") + "; known:";
        for (const Release &row : table)
            sentence += (&row == table.data() ? " " : ", ") + std::string(row.name);
        return errorNote("unknown-version", where, sentence + " (a release between two of them counts like the earlier one)");
    }
    const auto after = std::ranges::find_if(table, [&](const Release &row) { return row.minor > *minor; });
    out.rules = &*(after - 1);
    out.written = text->starts_with('v') || text->starts_with('V') ? text->substr(1) : *text;
    out.beyondKnown = *minor > table.back().minor;
    return std::nullopt;
}

} // namespace kv::vllm
