// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/logdraft.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

namespace {

// A log of a hundred thousand processes is none; what comes after is not told apart any more.
constexpr std::size_t mostEntries = 4096;
constexpr std::size_t mostNotes = 20;

} // namespace

std::int64_t &PerRank::at(const LogRank &rank) {
    const auto found = std::ranges::find(m_values, rank, &std::pair<LogRank, std::int64_t>::first);
    if (found != m_values.end())
        return found->second;
    if (m_values.size() >= mostEntries)
        return m_values.back().second;
    return m_values.emplace_back(rank, 0).second;
}

std::optional<std::int64_t> PerRank::of(const LogRank &rank) const {
    const auto found = std::ranges::find(m_values, rank, &std::pair<LogRank, std::int64_t>::first);
    return found == m_values.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> PerRank::least() const {
    return empty() ? std::nullopt : std::optional(std::ranges::min_element(m_values, {}, &std::pair<LogRank, std::int64_t>::second)->second);
}

std::optional<std::int64_t> PerRank::most() const {
    return empty() ? std::nullopt : std::optional(std::ranges::max_element(m_values, {}, &std::pair<LogRank, std::int64_t>::second)->second);
}

std::int64_t &PerDevice::at(std::string_view device) {
    for (auto &[name, value] : m_values)
        if (name == device)
            return value;
    if (m_values.size() >= mostEntries)
        return m_values.back().second;
    return m_values.emplace_back(std::string(device), 0).second;
}

bool PerDevice::holds(std::string_view device) const {
    return std::ranges::any_of(m_values, [device](const auto &entry) { return entry.first == device; });
}

std::optional<std::int64_t> PerDevice::sum() const {
    if (empty())
        return std::nullopt;
    std::int64_t all = 0;
    for (const auto &entry : m_values)
        all = checked::add(all, entry.second);
    return all == outOfRangeValue ? std::nullopt : std::optional(all);
}

std::int64_t PerDevice::accelerators() const {
    // "CPU", "CPU_Mapped", "CPU_REPACK", "CUDA_Host": host memory under its several names.
    return std::ranges::count_if(m_values, [](const auto &entry) { return !entry.first.starts_with("CPU") && !entry.first.ends_with("_Host") && entry.first != "AMX"; });
}

void LogDraft::begin() {
    if (log.starts == 0 && !figures) { // what was said before the first marker belongs to the first start
        log.starts = 1;
        return;
    }
    const std::int64_t starts = std::max<std::int64_t>(1, log.starts) + 1, count = sentences, last = lastLine;
    *this = LogDraft{};
    log.starts = starts;
    sentences = count;
    lastLine = last;
}

void LogDraft::see(const LogRank &rank) {
    highest.tp = std::max(highest.tp, rank.tp);
    highest.pp = std::max(highest.pp, rank.pp);
    highest.dp = std::max(highest.dp, rank.dp);
}

std::string phraseName(std::string_view phrase) {
    const std::size_t begin = phrase.find_first_not_of(" ,;.#:"), end = phrase.find_last_not_of(" =:([#'\"");
    return begin == std::string_view::npos || end == std::string_view::npos ? std::string(phrase) : std::string(phrase.substr(begin, end + 1 - begin));
}

void LogDraft::note(const FoundSentence &found, std::string_view name, std::string_view written, std::string_view reason) {
    if (log.notes.size() >= mostNotes)
        return;
    log.notes.push_back(warningNote("log-figure-unreadable", "line " + std::to_string(found.lineNumber),
                                    "Line " + writeNumber(found.lineNumber) + ": " + std::string(name) + ": \"" + oneLine(written, 40) + "\" " +
                                        std::string(reason) + "; the figure is left out."));
}

void LogDraft::saidAgain(const FoundSentence &found, std::string_view name, std::int64_t before, std::int64_t bytes) {
    if (before == bytes || log.notes.size() >= mostNotes)
        return;
    log.notes.push_back(warningNote("log-figure-twice", "line " + std::to_string(found.lineNumber),
                                    "Line " + writeNumber(found.lineNumber) + ": " + std::string(name) + ": " + writeBytes(Bytes(bytes), SizeUnit::Binary) + ", where the same process said " +
                                        writeBytes(Bytes(before), SizeUnit::Binary) + " before and no start stands between; the last counts."));
}

std::optional<std::int64_t> LogDraft::size(const FoundSentence &found, std::string_view text, std::string_view name, Sign sign) {
    const FoundNumber number = numberAt(text);
    const std::optional<std::int64_t> unit = unitAt(number.after);
    if (!number.value) {
        note(found, name, number.written, "is no number");
        return std::nullopt;
    }
    if (!unit) {
        note(found, name, number.written, "has no unit of a size");
        return std::nullopt;
    }
    const std::optional<std::int64_t> bytes = number.value->times(*unit);
    if (!bytes)
        note(found, name, number.written, "is out of range");
    if (bytes && *bytes < 0 && sign == Sign::Plus) {
        note(found, name, number.written, "is below zero");
        return std::nullopt;
    }
    return bytes;
}

std::optional<std::int64_t> LogDraft::whole(const FoundSentence &found, std::string_view text, std::string_view name, std::int64_t least, std::int64_t most) {
    const FoundNumber number = numberAt(text);
    const std::optional<std::int64_t> value = number.value ? number.value->whole() : std::nullopt;
    const bool digits = !number.written.empty() && number.written.find_first_not_of("0123456789") == std::string_view::npos;
    if (!value && !digits) {
        note(found, name, number.written, "is no whole number");
        return std::nullopt;
    }
    if (!value || *value < least || *value > most) {
        note(found, name, number.written, "is out of range");
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> LogDraft::fraction(const FoundSentence &found, std::string_view text, std::string_view name) {
    constexpr std::int64_t one = 1'000'000'000;
    const FoundNumber number = numberAt(text);
    const std::optional<std::int64_t> value = number.value ? number.value->times(one) : std::nullopt;
    if (!value || *value <= 0 || *value > one) {
        note(found, name, number.written, "is no share between 0 and 1");
        return std::nullopt;
    }
    return value;
}

std::optional<double> LogDraft::real(const FoundSentence &found, std::string_view text, std::string_view name) {
    const FoundNumber number = numberAt(text);
    if (!number.value || number.value->digits < 0) {
        note(found, name, number.written, "is no number");
        return std::nullopt;
    }
    return number.value->real();
}

std::optional<std::int64_t> LogDraft::setting(const FoundSentence &found, std::string_view value, std::string_view key, std::int64_t least, std::int64_t most) {
    return saysNothing(value) ? std::nullopt : whole(found, value, key, least, most);
}

} // namespace kv
