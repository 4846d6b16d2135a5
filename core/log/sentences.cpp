// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/sentences.h"

#include <deque>

namespace kv {

SentenceFinder::SentenceFinder(std::span<const LogVocabulary> vocabularies) {
    for (const LogVocabulary &vocabulary : vocabularies)
        for (const LogSentence &sentence : vocabulary.sentences)
            for (const char c : sentence.phrase)
                if (std::uint8_t &letter = m_class[static_cast<unsigned char>(c)]; letter == 0)
                    letter = static_cast<std::uint8_t>(m_letters++);
    m_next.assign(m_letters, 0);
    m_outputs.emplace_back();
    for (std::size_t v = 0; v < vocabularies.size(); ++v)
        for (std::size_t s = 0; s < vocabularies[v].sentences.size(); ++s) {
            State state = 0;
            for (const char c : vocabularies[v].sentences[s].phrase)
                state = add(state, static_cast<unsigned char>(c));
            m_outputs[state].push_back({static_cast<std::uint16_t>(v), static_cast<std::uint16_t>(s)});
        }
    link();
}

SentenceFinder::State SentenceFinder::add(State state, unsigned char letter) {
    const std::size_t at = state * m_letters + m_class[letter];
    if (m_next[at] == 0) {
        m_next[at] = static_cast<State>(m_outputs.size());
        m_next.resize(m_next.size() + m_letters, 0);
        m_outputs.emplace_back();
    }
    return m_next[at];
}

/// Completes the tree of phrases: where a phrase breaks off, the search goes on in the longest other phrase that has begun.
void SentenceFinder::link() {
    std::vector<State> fallback(m_outputs.size(), 0);
    std::deque<State> queue;
    for (std::size_t letter = 0; letter < m_letters; ++letter)
        if (m_next[letter] != 0)
            queue.push_back(m_next[letter]);
    while (!queue.empty()) {
        const State state = queue.front();
        queue.pop_front();
        const State other = fallback[state];
        m_outputs[state].insert(m_outputs[state].end(), m_outputs[other].begin(), m_outputs[other].end());
        for (std::size_t letter = 0; letter < m_letters; ++letter) {
            State &next = m_next[state * m_letters + letter];
            const State instead = m_next[other * m_letters + letter];
            if (next == 0) {
                next = instead;
            } else {
                fallback[next] = instead;
                queue.push_back(next);
            }
        }
    }
    for (State &next : m_next)
        if (!m_outputs[next].empty())
            next = static_cast<State>(next | marked);
}

void SentenceFinder::find(std::string_view line, std::vector<Hit> &hits) const {
    std::size_t state = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const State next = m_next[state * m_letters + m_class[static_cast<unsigned char>(line[at])]];
        state = next & ~marked;
        if (next & marked)
            for (const Output &output : m_outputs[state])
                hits.push_back({output.vocabulary, output.sentence, at + 1});
    }
}

} // namespace kv
