// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/namelist.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kv {

namespace {

constexpr std::array<std::string_view, 9> stackWords{"model",       "language_model", "text_model", "backbone", "transformer",
                                                     "base_model", "decoder",        "thinker",    "llm"};
constexpr std::array<std::string_view, 3> layerWords{"layers.", "h.", "blocks."};

bool hasWildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

std::string_view firstWord(std::string_view name) { return name.substr(0, name.find('.')); }

/// "model.language_model.lm_head" -> "lm_head"
std::string_view withoutStack(std::string_view name) {
    while (name.find('.') != std::string_view::npos && std::ranges::count(stackWords, firstWord(name)) > 0)
        name.remove_prefix(name.find('.') + 1);
    return name;
}

/// Whether the words stand in a row in the name.
bool standsIn(std::string_view words, std::string_view name) {
    for (std::size_t at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1)) {
        const std::size_t end = at + words.size();
        if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.'))
            return true;
    }
    return false;
}

/// Whether the words name the tensor. MLX calls the experts of a layer, which it keeps in one tensor, "switch_mlp".
bool namesTensor(std::string_view words, std::string_view name) {
    constexpr std::string_view here = "experts.0.", inMlx = "switch_mlp.";
    if (standsIn(words, name))
        return true;
    const std::size_t at = words.find(inMlx) == std::string_view::npos ? std::string_view::npos : name.find(here);
    return at != std::string_view::npos && standsIn(words, std::string(name).replace(at, here.size(), inMlx));
}

/// The whole names that a tensor may have, by how the model calls its stack.
std::vector<std::string> fullNames(Trunk trunk, std::int64_t layer, const Tensor &tensor) {
    const std::string name = tensor.name();
    const std::string inLayer = "layers." + std::to_string(layer) + "." + name;
    if (trunk == Trunk::Outside)
        return {name, "model." + name, "language_model." + name, "model.language_model." + name, "language_model.model." + name};
    if (trunk == Trunk::Draft)
        return {"mtp." + inLayer};
    return {"model." + inLayer, "model.language_model." + inLayer, "language_model.model." + inLayer, "backbone." + inLayer};
}

/// An expression is held against the whole name; a shell pattern without the path before it may begin at any word ("self_attn*").
bool matchesName(const NamePattern &pattern, std::string_view name) {
    while (true) {
        if (pattern.matches(name))
            return true;
        if (!pattern.isShell())
            return false;
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos)
            return false;
        name.remove_prefix(dot + 1);
    }
}

bool anyMatches(const std::vector<NamePattern> &patterns, Trunk trunk, std::int64_t layer, const Tensor &tensor) {
    if (patterns.empty())
        return false;
    return std::ranges::any_of(fullNames(trunk, layer, tensor), [&](const std::string &name) {
        return std::ranges::any_of(patterns, [&](const NamePattern &p) { return matchesName(p, name); });
    });
}

} // namespace

void NameList::addPattern(std::string_view text, bool expression) {
    std::optional<NamePattern> pattern = expression ? NamePattern::expression(text) : NamePattern::shell(text);
    if (!pattern) {
        if (m_notUnderstood.empty())
            m_notUnderstood = text;
        return;
    }
    if (!expression && text.starts_with("mtp")) {
        m_draftPatterns.push_back(std::move(*pattern));
        return;
    }
    const bool digit = std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
    (digit ? m_layerPatterns : m_patterns).push_back(std::move(*pattern));
}

/// "model.layers.12.mlp.gate", or the same below "mtp."; true when the pattern is of that kind and dealt with.
bool NameList::addLayerName(std::string_view pattern) {
    for (const std::string_view word : layerWords) {
        const std::size_t at = pattern.find(word);
        if (at == std::string_view::npos || (at > 0 && pattern[at - 1] != '.') || hasWildcard(pattern.substr(0, at)))
            continue;
        const std::string_view rest = pattern.substr(at + word.size());
        std::int64_t layer = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), layer);
        const std::string_view tail = rest.substr(static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc() || (!tail.empty() && tail.front() != '.'))
            continue;
        const std::string_view words = tail.empty() ? tail : tail.substr(1);
        std::string_view before = at > 0 ? pattern.substr(0, at - 1) : std::string_view();
        while (!before.empty() && std::ranges::count(stackWords, firstWord(before)) > 0)
            before.remove_prefix(std::min(before.size(), firstWord(before).size() + 1));
        if (before.empty())
            m_byLayer[layer].push_back({words, hasWildcard(words)});
        else if (before == "mtp")
            m_draftByLayer[layer].push_back({words, hasWildcard(words)});
        return true; // what stands below a tower is 16 bit anyway
    }
    return false;
}

void NameList::add(std::string_view pattern) {
    if (pattern.starts_with("re:"))
        addPattern(pattern.substr(3), true);
    else if (addLayerName(pattern))
        return;
    else if (hasWildcard(pattern))
        addPattern(pattern, false);
    else if (!pattern.empty())
        m_plain.push_back(withoutStack(pattern));
}

bool NameList::namesAlways(Trunk trunk, const Tensor &tensor) const {
    if (!m_plain.empty()) {
        const std::string name = (trunk == Trunk::Draft ? "mtp." : "") + tensor.name();
        if (std::ranges::any_of(m_plain, [&](std::string_view words) { return namesTensor(words, name); }))
            return true;
    }
    return anyMatches(m_patterns, trunk, 0, tensor) || (trunk == Trunk::Draft && anyMatches(m_draftPatterns, trunk, 0, tensor));
}

bool NameList::Entry::names(std::string_view name) const {
    if (words.empty())
        return true;
    if (!shell)
        return namesTensor(words, name);
    const std::string_view before = words.substr(0, words.size() - 1);
    if (words.back() == '*' && !hasWildcard(before))
        return name.starts_with(before);
    return NamePattern::shell(words).matches(name);
}

bool NameList::namesInLayer(Trunk trunk, std::int64_t layer, const Tensor &tensor) const {
    const auto &byLayer = trunk == Trunk::Draft ? m_draftByLayer : m_byLayer;
    if (const auto it = byLayer.find(layer); it != byLayer.end() && trunk != Trunk::Outside) {
        const std::string name = tensor.name();
        if (std::ranges::any_of(it->second, [&](const Entry &entry) { return entry.names(name); }))
            return true;
    }
    return anyMatches(m_layerPatterns, trunk, layer, tensor);
}

} // namespace kv
