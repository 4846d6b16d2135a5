// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/shellwords.h"

#include <algorithm>
#include <cctype>

namespace kv {

namespace {

class Splitter {
public:
    explicit Splitter(std::string_view line) : m_line(line) {}

    Parsed<ShellWords> split() {
        while (m_at < m_line.size() && !m_ended && !m_open)
            step();
        finishWord();
        if (m_open)
            return {std::nullopt, {errorNote("bad-launch-line", "line", std::string("the line has an open quote ") + m_open)}};
        if (m_ended)
            m_out.rest = m_line.substr(m_at);
        return {std::move(m_out), {}};
    }

private:
    char here() const { return m_line[m_at]; }
    char next() const { return m_at + 1 < m_line.size() ? m_line[m_at + 1] : '\0'; }

    void add(char c) {
        m_word += c;
        m_inWord = true;
    }

    void finishWord() {
        if (m_inWord)
            m_out.words.push_back(std::move(m_word));
        m_word.clear();
        m_inWord = false;
    }

    /// Length of a line end here, with what Windows puts before it.
    std::size_t lineEnd(std::size_t at) const {
        if (at < m_line.size() && m_line[at] == '\n')
            return 1;
        return at + 1 < m_line.size() && m_line[at] == '\r' && m_line[at + 1] == '\n' ? 2 : 0;
    }

    void step() {
        const char c = here();
        const std::size_t continued = c == '\\' || c == '^' || c == '`' ? lineEnd(m_at + 1) : 0;
        if (continued > 0) {
            m_at += 1 + continued;
        } else if (const std::size_t end = lineEnd(m_at); end > 0) {
            finishWord();
            m_at += end;
            m_ended = !m_out.words.empty();
        } else if (c == ' ' || c == '\t' || c == '\r') {
            finishWord();
            ++m_at;
        } else if (c == '#' && !m_inWord) {
            m_at = std::min(m_line.find('\n', m_at), m_line.size());
        } else if (c == '\'' || c == '"') {
            quoted(c);
        } else if (std::string_view("|;&<>").find(c) != std::string_view::npos) {
            // A number that stands right before it is a descriptor: 2>&1.
            if (m_inWord && (c == '>' || c == '<') && std::ranges::all_of(m_word, [](unsigned char d) { return std::isdigit(d) != 0; })) {
                m_at -= m_word.size();
                m_word.clear();
                m_inWord = false;
            }
            m_ended = true;
        } else {
            m_out.variables = m_out.variables || c == '$';
            if (c == '\\' && m_at + 1 < m_line.size())
                ++m_at;
            add(here());
            ++m_at;
        }
    }

    void quoted(char quote) {
        const std::size_t start = m_at++;
        m_inWord = true; // "" is a word
        for (; m_at < m_line.size() && here() != quote; ++m_at) {
            if (quote == '"' && here() == '\\' && lineEnd(m_at + 1) > 0) {
                m_at += lineEnd(m_at + 1);
                continue;
            }
            if (quote == '"' && here() == '\\' && std::string_view("$`\"\\").find(next()) != std::string_view::npos && next() != '\0')
                ++m_at;
            else if (quote == '"' && here() == '$')
                m_out.variables = true;
            add(here());
        }
        if (m_at >= m_line.size()) {
            m_open = quote;
            m_at = start;
            return;
        }
        ++m_at;
    }

    std::string_view m_line;
    std::size_t m_at = 0;
    std::string m_word;
    bool m_inWord = false, m_ended = false;
    char m_open = '\0';
    ShellWords m_out;
};

} // namespace

Parsed<ShellWords> splitShellWords(std::string_view line) { return Splitter(line).split(); }

std::string quoteShellWord(std::string_view word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        c == '\'' ? quoted += "'\\''" : quoted += c;
    return quoted + "'";
}

} // namespace kv
