// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the drivers' tools print, read. Pure functions on text that may be anything.
#include "core/base/units.h"
#include "core/hardware/machine.h"

#include "core/base/json.h"
#include "core/base/plaintext.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace kv {

namespace {

constexpr std::size_t mostCards = 64, longestName = 100;
constexpr std::int64_t mostBytes = std::int64_t{1} << 50;

std::string_view trimmed(std::string_view text) {
    const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && space(text.back()))
        text.remove_suffix(1);
    return text;
}

/// A whole number, alone in the text; 0 where there is something else, such as [N/A].
std::int64_t wholeOf(std::string_view text) {
    text = trimmed(text);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

Bytes sizeOf(std::int64_t number, std::int64_t unit) { return number > 0 && number <= mostBytes / unit ? Bytes(number * unit) : Bytes(0); }

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (const std::string_view line = trimmed(text.substr(0, end)); !line.empty())
            lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The text of the first key that holds one.
std::string textOf(const Json &object, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys)
        if (const Json *value = object.find(key); value && value->isString())
            if (const std::string_view text = trimmed(value->text()); !text.empty() && text != "N/A")
                return oneLine(text, longestName);
    return {};
}

/// A number of a key, written as a number or as text.
std::int64_t numberOf(const Json &object, std::string_view key) {
    const Json *value = object.find(key);
    if (!value)
        return 0;
    return value->kind() == Json::Kind::Integer ? std::max<std::int64_t>(0, value->integer()) : value->isString() ? wholeOf(value->text()) : 0;
}

/// {"value": 16368, "unit": "MB"}, or a bare number of MB. The tool's MB are 2^20 bytes, its GB 2^30.
Bytes amdSize(const Json *size) {
    if (!size)
        return {};
    if (size->kind() == Json::Kind::Integer)
        return sizeOf(size->integer(), mebibyte);
    if (!size->isObject())
        return {};
    const Json *unit = size->find("unit");
    const bool giga = unit && unit->isString() && unit->text().starts_with("G");
    return sizeOf(numberOf(*size, "value"), giga ? gibibyte : mebibyte);
}

} // namespace

std::vector<FoundCard> parseNvidiaSmi(std::string_view csv) {
    std::vector<FoundCard> cards;
    for (std::string_view line : linesOf(csv)) {
        // name, memory.total, memory.used, display_active: from the right, whatever a name holds
        std::string_view last[3];
        bool whole = true;
        for (std::size_t i = 3; i-- > 0 && whole;) {
            const std::size_t comma = line.rfind(',');
            whole = comma != std::string_view::npos;
            last[i] = whole ? trimmed(line.substr(comma + 1)) : std::string_view();
            line = line.substr(0, whole ? comma : 0);
        }
        const std::string name = oneLine(trimmed(line), longestName);
        if (!whole || name.empty() || cards.size() == mostCards)
            continue;
        FoundCard card{name, "NVIDIA", sizeOf(wholeOf(last[0]), mebibyte), {}, last[2] == "Enabled", false};
        if (!last[1].empty() && std::isdigit(static_cast<unsigned char>(last[1].front())))
            card.used = sizeOf(wholeOf(last[1]), mebibyte);
        card.unified = card.memory == Bytes(0); // the driver tells no memory where it is the computer's
        cards.push_back(std::move(card));
    }
    return cards;
}

std::vector<FoundCard> parseAmdSmi(std::string_view json) {
    std::vector<FoundCard> cards;
    const Parsed<Json> root = parseJson(json, "amd-smi");
    if (!root)
        return cards;
    const Json *list = root->isObject() ? root->find("gpu_data") : &*root;
    if (!list || !list->isArray())
        return cards;
    for (const Json &gpu : list->items()) {
        const Json *asic = gpu.isObject() ? gpu.find("asic") : nullptr;
        const Json *vram = gpu.isObject() ? gpu.find("vram") : nullptr;
        if (!asic || !asic->isObject() || cards.size() == mostCards)
            continue;
        const std::string name = textOf(*asic, {"market_name", "target_graphics_version"});
        if (name.empty())
            continue;
        const bool known = vram && vram->isObject();
        cards.push_back({name, "AMD", amdSize(known ? vram->find(vram->find("size") ? "size" : "size_mb") : nullptr), {}, false, false});
    }
    return cards;
}

std::vector<FoundCard> parseRocmSmi(std::string_view json) {
    std::vector<FoundCard> cards;
    // Warnings may stand before the object.
    const std::size_t begin = json.find('{');
    const Parsed<Json> root = begin == std::string_view::npos ? Parsed<Json>{} : parseJson(json.substr(begin), "rocm-smi");
    if (!root || !root->isObject())
        return cards;
    for (const auto &[key, card] : root->members()) {
        if (!key.starts_with("card") || !card.isObject() || cards.size() == mostCards)
            continue;
        const std::string name = textOf(card, {"Card Series", "Card series", "Card Model", "Card model", "Device Name"});
        const Bytes memory = sizeOf(numberOf(card, "VRAM Total Memory (B)"), 1);
        if (name.empty() && memory == Bytes(0))
            continue;
        FoundCard found{name.empty() ? "AMD GPU" : name, "AMD", memory, {}, false, false};
        if (card.find("VRAM Total Used Memory (B)"))
            found.used = sizeOf(numberOf(card, "VRAM Total Used Memory (B)"), 1);
        cards.push_back(std::move(found));
    }
    return cards;
}

std::vector<FoundCard> parseMacSysctl(std::string_view text) {
    const std::vector<std::string_view> lines = linesOf(text);
    if (lines.size() < 2 || !lines[0].starts_with("Apple "))
        return {}; // an older Mac's chip has no GPU worth planning with
    const Bytes memory = sizeOf(wholeOf(lines[1]), 1);
    if (memory == Bytes(0))
        return {};
    return {{oneLine(lines[0], longestName), "Apple", memory, {}, true, true}};
}

} // namespace kv
