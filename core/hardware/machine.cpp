// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/machine.h"

#include "core/base/quantity.h"
#include "core/hardware/gpurow.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

namespace kv {

namespace {


struct Tool {
    const char *name;
    std::vector<std::string> arguments;
    std::vector<FoundCard> (*parse)(std::string_view);
};

const std::array<Tool, 4> &tools() {
    static const std::array<Tool, 4> all{{
        {"nvidia-smi", {"--query-gpu=name,memory.total,memory.used,display_active", "--format=csv,noheader,nounits"}, parseNvidiaSmi},
        {"amd-smi", {"static", "--asic", "--vram", "--json"}, parseAmdSmi},
        {"rocm-smi", {"--showproductname", "--showmeminfo", "vram", "--json"}, parseRocmSmi},
        {"sysctl", {"-n", "machdep.cpu.brand_string", "hw.memsize"}, parseMacSysctl},
    }};
    return all;
}

/// The words that tell cards apart: lower case, without makers, families' names and sizes of memory.
std::vector<std::string> wordsOf(std::string_view name) {
    static constexpr std::array<std::string_view, 14> empty{"nvidia", "amd",  "apple", "geforce", "tesla", "radeon", "instinct",
                                                            "gpu",    "per",  "gcd",   "graphics", "gb",    "gib",    "generation"};
    std::vector<std::string> words;
    std::string word;
    const auto close = [&] {
        const bool size = !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) && (word.ends_with("gb") || word.ends_with("gib"));
        if (!word.empty() && !size && std::ranges::find(empty, word) == empty.end())
            words.push_back(word);
        word.clear();
    };
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '+')
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else
            close();
    close();
    std::ranges::sort(words);
    return words;
}

/// Words without the number of the memory that stands before GB in the list's names ("RTX 4090 24 GB").
std::vector<std::string> wordsWithoutSize(std::string_view name, Bytes marketed) {
    std::vector<std::string> words = wordsOf(name);
    std::erase(words, std::to_string(marketed.value / 1'000'000'000));
    return words;
}

/// How far apart two names are: words of one that the other lacks. Nothing where a word that names the chip is missing.
std::optional<std::size_t> distance(const std::vector<std::string> &found, const std::vector<std::string> &known) {
    std::vector<std::string> onlyFound, onlyKnown;
    std::ranges::set_difference(found, known, std::back_inserter(onlyFound));
    std::ranges::set_difference(known, found, std::back_inserter(onlyKnown));
    const auto digits = [](const std::string &word) { return std::ranges::any_of(word, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }); };
    // Forms and kinds of memory differ from tool to tool ("HBM3", "SXM4", "PCIe"); a number is a chip's, and so is what tells a variant.
    static constexpr std::array<std::string_view, 16> variants{"ti", "super", "xt", "xtx", "max", "pro", "ultra", "ada", "mobile", "laptop", "d", "nvl", "pcie", "m", "gre", "blackwell"};
    const auto tells = [&](const std::string &word) {
        const bool form = word.starts_with("sxm") || word.starts_with("hbm") || word.starts_with("gddr");
        return (digits(word) && !form) || (std::ranges::find(variants, word) != variants.end() && word != "blackwell" && word != "pcie");
    };
    if (found.empty() || known.empty() || onlyFound.size() == found.size() || std::ranges::any_of(onlyFound, tells) || std::ranges::any_of(onlyKnown, tells))
        return std::nullopt;
    return onlyFound.size() + onlyKnown.size();
}

std::optional<std::size_t> nameDistance(const FoundCard &found, const Gpu &gpu) {
    std::optional<std::size_t> best;
    const std::vector<std::string> asked = wordsWithoutSize(found.name, gpu.marketed);
    const auto look = [&](std::string_view name) {
        if (const auto d = distance(asked, wordsWithoutSize(name, gpu.marketed)); d && (!best || *d < *best))
            best = d;
    };
    look(gpu.name);
    for (const std::string &alias : gpu.aliases)
        look(alias);
    return best;
}

/// How far the memory is off, or nothing where it is another card's.
std::optional<std::int64_t> memoryDistance(const FoundCard &found, const Gpu &gpu) {
    if (found.memory == Bytes(0))
        return 0;
    const auto off = [&](Bytes of) { return std::abs(of.value - found.memory.value); };
    const Bytes marketedGiB(gpu.marketed.value / gigabyte * gibibyte);
    // A Mac tells all of its memory, of which the GPU gets a share.
    if (found.unified)
        return off(marketedGiB) <= marketedGiB.value / 32 ? std::optional(off(marketedGiB)) : std::nullopt;
    const Bytes reference = gpu.driver > Bytes(0) ? gpu.driver : gpu.framework > Bytes(0) ? gpu.framework : marketedGiB;
    return off(reference) <= reference.value / 32 ? std::optional(off(reference)) : std::nullopt;
}

std::string listed(const std::vector<std::string> &names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

void ask(const Tool &tool, const RunTool &run, Machine &machine) {
    const ToolAnswer answer = run(tool.name, tool.arguments);
    machine.looked.emplace_back(tool.name);
    if (!answer.found)
        return;
    const auto warn = [&](const std::string &what) { machine.notes.push_back(warningNote("tool-failed", tool.name, std::string(tool.name) + " " + what)); };
    if (answer.timedOut)
        return warn("did not answer in time");
    if (answer.cut)
        return warn("answered more than such an answer can be");
    if (answer.status != 0) {
        if (std::string_view(tool.name) != "sysctl") // Linux has one as well, without these names
            warn("ended with status " + std::to_string(answer.status) + "; is its driver loaded?");
        return;
    }
    for (FoundCard &found : tool.parse(answer.out)) {
        const Gpu *known = matchCard(found);
        std::optional<Gpu> made = known ? std::optional(*known) : cardOf(found);
        if (made)
            machine.cards.push_back({std::move(found), std::move(*made), known != nullptr});
        else
            warn("tells no memory of " + found.name + ", and the list does not know it either");
    }
    if (!machine.cards.empty())
        machine.tool = tool.name;
}

} // namespace

const Gpu *matchCard(const FoundCard &found) {
    const Gpu *best = nullptr;
    std::pair<std::size_t, std::int64_t> least{};
    for (const Gpu &gpu : gpus()) {
        const auto name = nameDistance(found, gpu);
        const auto memory = name ? memoryDistance(found, gpu) : std::nullopt;
        if (!memory)
            continue;
        if (const std::pair at{*name, *memory}; !best || at < least) {
            best = &gpu;
            least = at;
        }
    }
    return best;
}

std::optional<Gpu> cardOf(const FoundCard &found) {
    if (found.memory <= Bytes(0))
        return std::nullopt;
    Gpu gpu;
    const std::int64_t gib = (found.memory.value + gibibyte / 2) / gibibyte;
    const std::string size = gib > 0 ? std::to_string(gib) + " GB" : std::to_string(found.memory.value / mebibyte) + " MiB";
    gpu.name = found.name;
    if (gpu.name.find(" GB") == std::string::npos && gpu.name.find("GB ") == std::string::npos)
        gpu.name += " " + size;
    gpu.id = idFromName(gpu.name);
    gpu.vendor = found.vendor;
    gpu.formFactor = found.unified ? "unified" : "discrete";
    gpu.marketed = gib > 0 ? Bytes(gib * gigabyte) : found.memory;
    // macOS lets the GPU have two thirds of up to 36 GB and three quarters beyond; newer releases give large machines more.
    constexpr std::int64_t small = 36 * gibibyte;
    gpu.driver = !found.unified ? found.memory : found.memory.value <= small ? Bytes(found.memory.value / 3 * 2) : Bytes(found.memory.value / 4 * 3);
    if (found.unified)
        gpu.framework = gpu.driver;
    gpu.notes = "Found in a machine; its driver shows " + writeNumber(found.memory.value / mebibyte) + " MiB.";
    return gpu.id.empty() ? std::nullopt : std::optional(std::move(gpu));
}

std::optional<Bytes> Machine::takenByOthers() const {
    const auto shows = std::ranges::find_if(cards, [](const MachineCard &card) { return card.found.display && card.found.used; });
    if (shows != cards.end())
        return shows->found.used;
    return cards.empty() ? std::nullopt : cards.front().found.used;
}

Machine readMachine(const RunTool &run) {
    Machine machine;
    for (const Tool &tool : tools()) {
        // Two tools of one maker tell the same cards.
        const bool told = std::ranges::any_of(machine.cards, [](const MachineCard &card) { return card.found.vendor == "AMD"; });
        if (!(told && std::string_view(tool.name) == "rocm-smi"))
            ask(tool, run, machine);
    }
    if (machine.cards.empty())
        machine.notes.push_back(errorNote("no-gpu-found", "this machine",
                                          "no GPU was found in this machine: " + listed(machine.looked) + " were looked for, and none of them told of one"));
    return machine;
}

} // namespace kv
