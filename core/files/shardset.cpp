// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/shardset.h"

#include <algorithm>
#include <array>
#include <map>

namespace kv {

namespace {

constexpr std::string_view ending = ".safetensors";
constexpr std::size_t mostShards = 100'000;

/// What trainers and adapters leave beside a model.
constexpr std::array<std::string_view, 6> others{"adapter",       "optimizer", "scheduler",
                                                 "random_states", "lora",      "rng_state"};

bool isOther(std::string_view name) {
    return std::ranges::any_of(others, [name](std::string_view word) { return name.starts_with(word); });
}

std::string digits(std::size_t number, std::size_t width) {
    std::string text = std::to_string(number);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

/// "model-00002-of-00003.safetensors" taken apart; count 0 when it is not of that form.
struct Numbered {
    std::string_view prefix;
    std::size_t number = 0, count = 0, width = 0;
};

Numbered numbered(std::string_view name) {
    name.remove_suffix(std::min(name.size(), ending.size()));
    const auto number = [&name](std::size_t &value) {
        std::size_t width = 0;
        value = 0;
        for (std::size_t power = 1; width < 6 && !name.empty() && name.back() >= '0' && name.back() <= '9';
             ++width, power *= 10) {
            value += static_cast<std::size_t>(name.back() - '0') * power;
            name.remove_suffix(1);
        }
        return width;
    };
    Numbered parts;
    parts.width = number(parts.count);
    if (parts.width == 0 || !name.ends_with("-of-"))
        return {};
    name.remove_suffix(4);
    if (number(parts.number) == 0 || !name.ends_with("-") || parts.count == 0 || parts.number > parts.count)
        return {};
    parts.prefix = name.substr(0, name.size() - 1);
    return parts;
}

ShardSet numberedSet(const std::vector<std::string> &candidates, const Numbered &set) {
    ShardSet found;
    for (const std::string &name : candidates)
        if (const Numbered one = numbered(name); one.count == set.count && one.prefix == set.prefix)
            found.files.push_back(name);
    if (found.files.size() < set.count)
        for (std::size_t i = 1; i <= set.count && found.missing.size() < mostShards; ++i) {
            const std::string name = std::string(set.prefix) + "-" + digits(i, set.width) + "-of-" +
                                     digits(set.count, set.width) + std::string(ending);
            if (!std::ranges::binary_search(candidates, name))
                found.missing.push_back(name);
        }
    return found;
}

} // namespace

ShardSet findShards(const std::vector<std::string> &names, std::string_view only) {
    std::vector<std::string> candidates;
    for (const std::string &name : names)
        if (name.ends_with(ending) && !isOther(name))
            candidates.push_back(name);
    std::ranges::sort(candidates);
    if (!only.empty()) {
        const Numbered set = numbered(only);
        return set.count > 0 ? numberedSet(candidates, set) : ShardSet{{std::string(only)}, {}, {}};
    }
    if (std::ranges::binary_search(candidates, "model.safetensors"))
        return {{"model.safetensors"}, {}, {}};
    std::map<std::string, Numbered> sets;
    for (const std::string &name : candidates)
        if (const Numbered one = numbered(name); one.count > 0)
            sets.emplace(std::string(one.prefix) + "/" + std::to_string(one.count), one);
    if (const auto model = std::ranges::find_if(sets, [](const auto &set) { return set.second.prefix == "model"; });
        model != sets.end())
        return numberedSet(candidates, model->second);
    if (sets.size() == 1)
        return numberedSet(candidates, sets.begin()->second);
    constexpr std::string_view consolidated = "consolidated.safetensors"; // Mistral's own form of the same weights
    if (std::ranges::binary_search(candidates, consolidated) && candidates.size() > 1)
        return {
            {std::string(consolidated)}, {}, "of several safetensors files " + std::string(consolidated) + " is taken"};
    ShardSet all{std::move(candidates), {}, {}};
    if (all.files.size() > 1)
        all.remark = "its " + std::to_string(all.files.size()) +
                     " safetensors files are counted together; no index says which belong to the model";
    return all;
}

std::string findIndex(const std::vector<std::string> &names) {
    constexpr std::string_view usual = "model.safetensors.index.json";
    std::string other;
    int count = 0;
    for (const std::string &name : names) {
        if (name == usual)
            return name;
        if (name.ends_with(".safetensors.index.json")) {
            other = name;
            ++count;
        }
    }
    return count == 1 ? other : std::string();
}

} // namespace kv
