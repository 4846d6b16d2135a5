// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people type about a card, read. Makers print GB on the box and mean what they like by it: decimal units are taken as the label,
// binary ones as what a program really gets.
#include "core/hardware/ownlist.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/hardware/gpurow.h"

#include <algorithm>
#include <cctype>

namespace kv {

namespace {

constexpr Bytes mostMemory{std::int64_t{1} << 50};

std::string trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return std::string(text);
}

std::optional<Bytes> memoryFrom(const std::string &text, const char *field, Notes &notes) {
    const Parsed<Bytes> read = readBytes(text, field);
    if (!read) {
        notes.insert(notes.end(), read.notes.begin(), read.notes.end());
        return std::nullopt;
    }
    constexpr Bytes leastMemory{16 * mebibyte};
    if (*read < leastMemory || *read > mostMemory) { // "24" would be 24 bytes
        notes.push_back(errorNote("bad-value", field, std::string(field) + ": " + writeNumber(read->value) + " bytes are no card's memory; give it with its unit, such as 24 GB or 24 GiB"));
        return std::nullopt;
    }
    return *read.value;
}

bool isBinary(const std::string &text) { return std::ranges::any_of(text, [](char c) { return c == 'i' || c == 'I'; }); }

/// GB/s
double bandwidthFrom(std::string text, Notes &notes) {
    const auto refuse = [&] {
        notes.push_back(errorNote("bad-value", "bandwidth", "bandwidth: expected a rate such as 1.01 TB/s or 936 GB/s, found \"" + oneLine(text, 60) + "\""));
        return 0.0;
    };
    std::string size = text;
    for (const std::string_view end : {"/s", "/S", "ps"})
        if (size.ends_with(end)) {
            size.resize(size.size() - end.size());
            break;
        }
    if (std::ranges::none_of(size, [](char c) { return std::isalpha(static_cast<unsigned char>(c)); }))
        size += "GB";
    const Parsed<Bytes> read = readBytes(trimmed(size), "bandwidth");
    constexpr std::int64_t least = 100'000'000, most = 1'000'000'000'000'000;
    return read && read->value >= least && read->value <= most ? static_cast<double>(read->value) / 1e9 : refuse();
}

} // namespace

Parsed<Gpu> gpuByHand(const GpuByHand &typed) {
    Parsed<Gpu> out;
    Gpu gpu;
    gpu.origin = GpuOrigin::Own;
    gpu.name = oneLine(trimmed(typed.name), 80);
    gpu.id = idFromName(gpu.name);
    if (gpu.id.empty())
        out.notes.push_back(errorNote("bad-value", "name", gpu.name.empty() ? "name: the GPU needs a name, such as My 4090" : "name: it needs a letter or a digit of ASCII, which its id is made of"));
    const std::string memory = trimmed(typed.memory), usable = trimmed(typed.usable);
    if (memory.empty())
        out.notes.push_back(errorNote("bad-value", "memory", "memory: the GPU needs its memory, such as 24 GB or 24 GiB"));
    else if (const auto bytes = memoryFrom(memory, "memory", out.notes)) {
        gpu.marketed = *bytes;
        if (isBinary(memory))
            gpu.framework = *bytes;
    }
    if (!usable.empty())
        if (const auto bytes = memoryFrom(usable, "usable memory", out.notes)) {
            gpu.framework = *bytes;
            // A label is never far below what a program gets: GB that means GiB is 7.4 % more.
            if (gpu.marketed > Bytes(0) && bytes->value / 100 * 90 > gpu.marketed.value)
                out.notes.push_back(errorNote("contradiction", "usable memory", "usable memory: " + writeBytes(*bytes, SizeUnit::Decimal) + " is more than the card's memory of " + writeBytes(gpu.marketed, SizeUnit::Decimal)));
        }
    if (const std::string rate = trimmed(typed.bandwidth); !rate.empty())
        gpu.bandwidthGBs = bandwidthFrom(rate, out.notes);
    gpu.formFactor = trimmed(typed.kind).empty() ? "discrete" : trimmed(typed.kind);
    if (gpu.formFactor != "discrete" && gpu.formFactor != "unified")
        out.notes.push_back(errorNote("bad-value", "kind", "kind: expected discrete or unified, found \"" + oneLine(gpu.formFactor, 60) + "\""));
    if (const std::string perNode = trimmed(typed.perNode); !perNode.empty()) {
        const Parsed<Count> count = readCount(perNode, "cards per node");
        constexpr std::int64_t most = 1024;
        if (count && count->value >= 1 && count->value <= most)
            gpu.gpusPerNode = static_cast<int>(count->value);
        else
            out.notes.push_back(errorNote("bad-value", "cards per node", "cards per node: expected a whole number from 1 to 1,024, found \"" + oneLine(perNode, 60) + "\""));
    }
    gpu.vendor = oneLine(trimmed(typed.maker), 40);
    if (!hasError(out.notes))
        out.value = std::move(gpu);
    return out;
}

} // namespace kv
