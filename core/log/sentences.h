// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sentences by which a start-up log is read: each engine's file lists the phrases it knows with what follows from them, and one
// automaton (Aho and Corasick, 1975) finds all of them at once, so that a day of request lines costs one table look-up a byte.

#include "core/base/note.h"
#include "core/log/loglines.h"
#include "core/log/lognumber.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kv {

struct LogDraft;

/// A phrase where it was found in a line.
struct FoundSentence {
    std::string_view line;
    std::string_view phrase;
    std::size_t begin = 0;
    std::int64_t lineNumber = 0;

    std::string_view before() const { return line.substr(0, begin); }
    std::string_view after() const { return line.substr(begin + phrase.size()); }
    LogRank rank() const { return rankOf(before()); }
};

struct LogSentence {
    std::string_view phrase;
    void (*read)(LogDraft &draft, const FoundSentence &found); ///< nullptr: lines with this phrase are no start-up lines
    bool begins = false; ///< the phrase begins a message; elsewhere it is only quoted
    bool hint = false;   ///< too common a wording to tell which engine speaks
};

/// One engine's (or one era's) list.
struct LogVocabulary {
    std::string_view engine;
    std::span<const LogSentence> sentences;
    void (*finish)(LogDraft &draft); ///< settles what several lines said together
};

/// The engines that are read; one line each in vocabularies.cpp.
std::span<const LogVocabulary> logVocabularies();

class SentenceFinder {
public:
    struct Hit {
        std::uint16_t vocabulary = 0, sentence = 0;
        std::size_t end = 0; ///< behind the phrase
    };
    explicit SentenceFinder(std::span<const LogVocabulary> vocabularies);

    /// Every phrase in a line, in the order of their ends.
    void find(std::string_view line, std::vector<Hit> &hits) const;

private:
    using State = std::uint16_t;
    static constexpr State marked = 0x8000; ///< on a transition: phrases end in the state it leads to

    struct Output {
        std::uint16_t vocabulary = 0, sentence = 0;
    };
    State add(State state, unsigned char letter);
    void link();

    std::size_t m_letters = 1;          ///< classes of bytes; 0: in no phrase
    std::uint8_t m_class[256] = {};
    std::vector<State> m_next;          ///< state × class
    std::vector<std::vector<Output>> m_outputs;
};

} // namespace kv
