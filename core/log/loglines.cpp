// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/loglines.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>

namespace kv {

namespace {

constexpr char escape = '\x1b', bell = '\x07';

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Where a terminal sequence that begins at `at` ends.
std::size_t afterSequence(std::string_view text, std::size_t at) {
    std::size_t next = at + 1;
    if (next >= text.size())
        return next;
    const char kind = text[next++];
    if (kind == '[') { // parameters, then one final byte
        while (next < text.size() && !(text[next] >= 0x40 && text[next] <= 0x7e))
            ++next;
        return std::min(next + 1, text.size());
    }
    if (kind == ']') { // a title or a link, closed by a bell or a string terminator
        while (next < text.size() && text[next] != bell && text[next] != escape)
            ++next;
        return next < text.size() && text[next] == bell ? next + 1 : next;
    }
    return next;
}

/// The number behind the last such word of a prefix ("TP" of "Worker_TP1"): two processes may share a line. The word must not be the tail
/// of another ("HTTP1").
std::optional<std::int64_t> numberBehind(std::string_view prefix, std::string_view word) {
    constexpr std::size_t mostDigits = 9;
    std::optional<std::int64_t> last;
    for (std::size_t at = prefix.find(word); at != std::string_view::npos; at = prefix.find(word, at + 1)) {
        if (at > 0 && isLetter(prefix[at - 1]))
            continue;
        std::size_t next = at + word.size();
        while (next < prefix.size() && (prefix[next] == ' ' || prefix[next] == '=') && next < at + word.size() + 2)
            ++next;
        std::int64_t value = 0;
        const std::size_t begin = next;
        while (next < prefix.size() && isDigit(prefix[next]) && next - begin < mostDigits)
            value = value * 10 + (prefix[next++] - '0');
        if (next > begin)
            last = value;
    }
    return last;
}

} // namespace

std::size_t LogLines::endOf(std::string_view bytes) {
    // In steps, so that a text of carriage returns alone is not searched for a line feed to its end again and again.
    constexpr std::size_t step = 4096;
    for (std::size_t from = 0; from < bytes.size(); from += step) {
        const std::size_t count = std::min(step, bytes.size() - from);
        const char *begin = bytes.data() + from;
        const auto *feed = static_cast<const char *>(std::memchr(begin, '\n', count));
        const std::size_t line = feed ? static_cast<std::size_t>(feed - begin) : count;
        if (const auto *back = static_cast<const char *>(std::memchr(begin, '\r', line)))
            return from + static_cast<std::size_t>(back - begin);
        if (feed)
            return from + line;
    }
    return bytes.size();
}

void LogLines::keep(std::string_view bytes) {
    // One byte more than is shown, so that a line without any text is still a line.
    const std::size_t room = longest + 1 - std::min(m_rest.size(), longest + 1);
    m_rest.append(bytes.substr(0, room));
}

std::string_view LogLines::cleaned(std::string_view line) {
    const bool dirty = std::memchr(line.data(), escape, line.size()) || std::memchr(line.data(), '\0', line.size());
    if (!dirty)
        return line;
    m_clean.clear();
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] == escape) {
            at = afterSequence(line, at);
            continue;
        }
        if (line[at] != '\0')
            m_clean += line[at];
        ++at;
    }
    return m_clean;
}

LogRank rankOf(std::string_view prefix) {
    constexpr std::size_t longestPrefix = 300;
    prefix.remove_prefix(prefix.size() - std::min(prefix.size(), longestPrefix));
    LogRank rank;
    rank.tp = numberBehind(prefix, "TP").value_or(-1);
    rank.pp = numberBehind(prefix, "PP").value_or(-1);
    rank.dp = numberBehind(prefix, "DP").value_or(-1);
    if (rank.tp >= 0 || rank.pp >= 0)
        return rank;
    for (const std::string_view word : {"rank", "RANK", "pid"})
        if (const std::optional<std::int64_t> number = numberBehind(prefix, word)) {
            rank.process = *number;
            break;
        }
    return rank;
}

bool beginsMessage(std::string_view line, std::size_t at) {
    while (at > 0 && (line[at - 1] == ' ' || line[at - 1] == '\t'))
        --at;
    if (at == 0)
        return true;
    const char before = line[at - 1];
    const char further = at > 1 ? line[at - 2] : ' ';
    // A colour whose escape byte was lost ("[0m"), a line feed written as "\n".
    if ((before == 'm' && (isDigit(further) || further == ';' || further == '[')) || (before == 'n' && further == '\\'))
        return true;
    return !(std::islower(static_cast<unsigned char>(before)) || before == ',' || before == '`' || (before & 0x80) != 0);
}

} // namespace kv
