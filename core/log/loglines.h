// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A log cut into clean lines, piece by piece, in bounded memory: whoever reads a file of any size hands over one buffer after another.
//
// A line ends at a line feed or a carriage return (progress bars). Colours and other terminal sequences (ECMA-48) and NUL bytes are
// taken out, so that UTF-16 of plain letters, as a shell of Windows writes it, reads as well. Of a line longer than `longest` the rest
// is left out: the longest real ones, an engine's whole configuration, have about 20 kB.

#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace kv {

class LogLines {
public:
    static constexpr std::size_t longest = 256 * kibibyte;

    /// Calls take(line) for every line that is complete; the view holds during the call only.
    template <typename Take>
    void feed(std::string_view bytes, Take &&take) {
        while (!bytes.empty()) {
            const std::size_t end = endOf(bytes);
            const bool complete = end < bytes.size();
            if (complete && m_rest.empty()) {
                passOn(bytes.substr(0, end), take);
            } else {
                keep(bytes.substr(0, end));
                if (complete)
                    flush(take);
            }
            bytes.remove_prefix(complete ? end + 1 : end);
        }
    }
    /// The last line, when no line end closes it.
    template <typename Take>
    void finish(Take &&take) {
        if (!m_rest.empty())
            flush(take);
    }

    std::int64_t count() const { return m_count; }

private:
    static std::size_t endOf(std::string_view bytes);
    /// The line without what is no text; a view of `line` itself where it is clean.
    std::string_view cleaned(std::string_view line);
    void keep(std::string_view bytes);

    template <typename Take>
    void passOn(std::string_view line, Take &&take) {
        ++m_count;
        take(cleaned(line.substr(0, longest)));
    }
    template <typename Take>
    void flush(Take &&take) {
        passOn(std::string_view(m_rest), take);
        m_rest.clear();
    }

    std::string m_rest;  ///< the beginning of a line whose end has not come yet
    std::string m_clean; ///< room for cleaned()
    std::int64_t m_count = 0;
};

/// Which process a line comes from, as far as its prefix says: "(Worker_PP0_TP1 pid=103)", "TP0]", "[RANK 2]"; −1: not said.
struct LogRank {
    std::int64_t tp = -1, pp = -1, dp = -1;
    std::int64_t process = -1; ///< a rank or process number alone

    bool operator==(const LogRank &) const = default;
};
LogRank rankOf(std::string_view prefix);

/// Whether a sentence at this place begins a message: what stands before it is a prefix (a time, a level, a source in brackets), not
/// prose that only quotes the sentence.
bool beginsMessage(std::string_view line, std::size_t at);

} // namespace kv
