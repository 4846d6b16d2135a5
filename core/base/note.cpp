// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/note.h"

#include "core/base/plaintext.h"

#include <algorithm>
#include <cctype>

namespace kv {

const Note *firstError(const Notes &notes) {
    const auto it = std::ranges::find(notes, Severity::Error, &Note::severity);
    return it == notes.end() ? nullptr : &*it;
}

namespace {

Note noteOf(Severity severity, std::string code, std::string where, std::string text) {
    return {severity, std::move(code), inOneLine(std::move(where)), inOneLine(std::move(text))};
}

} // namespace

Note errorNote(std::string code, std::string where, std::string text) { return noteOf(Severity::Error, std::move(code), std::move(where), std::move(text)); }
Note warningNote(std::string code, std::string where, std::string text) { return noteOf(Severity::Warning, std::move(code), std::move(where), std::move(text)); }
Note infoNote(std::string code, std::string where, std::string text) { return noteOf(Severity::Info, std::move(code), std::move(where), std::move(text)); }

bool hasError(const Notes &notes) { return firstError(notes) != nullptr; }

namespace {

/// Edits that turn a into b (insert, delete, replace, swap of neighbours), letters compared without case.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> older(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        previous[j] = j;
    const auto same = [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y)); };
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same(a[i - 1], b[j - 1]) ? 0u : 1u)});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                current[j] = std::min(current[j], older[j - 2] + 1);
        }
        std::swap(older, previous);
        std::swap(previous, current);
    }
    return previous[b.size()];
}

} // namespace

std::string_view nearestName(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t longest = 80; // a name; longer input is no misspelling of one
    if (word.empty() || word.size() > longest)
        return {};
    std::string_view best;
    std::size_t bestDistance = std::max<std::size_t>(word.size() / 3, 2) + 1;
    for (const std::string_view candidate : known) {
        const bool begins = candidate.size() > word.size() && word.size() >= 3 && candidate.starts_with(word);
        const std::size_t distance = begins ? 1 : editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace kv
