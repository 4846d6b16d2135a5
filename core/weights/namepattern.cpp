// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/namepattern.h"

#include <algorithm>
#include <cctype>

namespace kv {

namespace {
constexpr std::size_t longestPattern = 2000;
constexpr int deepestGroup = 200; // groups and alternatives within one another

/// The set of \d, \w or \s.
std::bitset<256> classSet(char name) {
    std::bitset<256> set;
    for (int c = 0; c < 128; ++c) {
        const bool in = name == 'd' ? std::isdigit(c) : name == 's' ? std::isspace(c) : std::isalnum(c) || c == '_';
        set[static_cast<std::size_t>(c)] = in;
    }
    return set;
}
} // namespace

/// Recursive descent over "a|b", "ab", "a*", each leaving its steps behind the others; what repeats or branches is moved up by one step.
class PatternCompiler {
public:
    PatternCompiler(NamePattern &pattern, std::string_view text) : m_pattern(pattern), m_text(text) {}

    bool compileExpression() {
        const bool understood = m_text.size() <= longestPattern && alternatives(0) && m_at == m_text.size();
        emit({});
        return understood;
    }

    void compileShell() {
        m_text = m_text.substr(0, longestPattern);
        while (m_at < m_text.size()) {
            const char c = m_text[m_at++];
            if (c == '*') {
                emit({Op::Split, 0, here(1), here(3)});
                emitSet(std::bitset<256>().set());
                emit({Op::Jump, 0, here(-2), 0});
            } else if (c == '?') {
                emitSet(std::bitset<256>().set());
            } else if (std::bitset<256> set; c == '[' && readSet(set, '!')) {
                emitSet(set);
            } else {
                emitLiteral(c);
            }
        }
        emit({});
    }

private:
    using Op = NamePattern::Op;
    using Step = NamePattern::Step;

    std::uint16_t here(int more = 0) const { return static_cast<std::uint16_t>(static_cast<int>(m_pattern.m_steps.size()) + more); }
    void emit(const Step &step) { m_pattern.m_steps.push_back(step); }
    void emitSet(const std::bitset<256> &set) {
        auto &sets = m_pattern.m_sets;
        auto it = std::ranges::find(sets, set);
        if (it == sets.end())
            it = sets.insert(sets.end(), set);
        emit({Op::Set, static_cast<std::uint16_t>(it - sets.begin()), 0, 0});
    }
    void emitLiteral(char c) { emitSet(std::bitset<256>().set(static_cast<unsigned char>(c))); }

    /// Puts one step before those from `start` on, whose own targets move with them.
    void insert(std::uint16_t start, Step step) {
        for (std::size_t i = start; i < m_pattern.m_steps.size(); ++i) {
            Step &moved = m_pattern.m_steps[i];
            ++moved.to;
            ++moved.other;
        }
        m_pattern.m_steps.insert(m_pattern.m_steps.begin() + start, step);
    }

    bool more() const { return m_at < m_text.size(); }

    bool alternatives(int depth) {
        if (depth > deepestGroup)
            return false;
        const std::uint16_t start = here();
        if (!sequence(depth))
            return false;
        if (!more() || m_text[m_at] != '|')
            return true;
        ++m_at;
        insert(start, {Op::Split, 0, static_cast<std::uint16_t>(start + 1), here(2)});
        const std::uint16_t jump = here();
        emit({Op::Jump, 0, 0, 0});
        if (!alternatives(depth + 1))
            return false;
        m_pattern.m_steps[jump].to = here();
        return true;
    }

    bool sequence(int depth) {
        while (more() && m_text[m_at] != '|' && m_text[m_at] != ')') {
            const std::uint16_t start = here();
            if (!atom(depth) || !repetition(start))
                return false;
        }
        return true;
    }

    bool repetition(std::uint16_t start) {
        if (!more())
            return true;
        const char c = m_text[m_at];
        if (c == '{')
            return false;
        if (c != '*' && c != '+' && c != '?')
            return true;
        ++m_at;
        if (more() && m_text[m_at] == '?') // lazy: the same names match
            ++m_at;
        if (c == '+') {
            emit({Op::Split, 0, start, here(1)});
            return true;
        }
        insert(start, {Op::Split, 0, static_cast<std::uint16_t>(start + 1), here(c == '*' ? 2 : 1)});
        if (c == '*')
            emit({Op::Jump, 0, start, 0});
        return true;
    }

    bool atom(int depth) {
        const char c = m_text[m_at++];
        switch (c) {
        case '(': return group(depth);
        case '.': emitSet(std::bitset<256>().set()); return true;
        case '^': emit({Op::Begin, 0, 0, 0}); return true;
        case '$': emit({Op::End, 0, 0, 0}); return true;
        case '\\': return escape();
        case '[': {
            std::bitset<256> set;
            if (!readSet(set, '^'))
                return false;
            emitSet(set);
            return true;
        }
        case '*': case '+': case '?': return false;
        default: emitLiteral(c); return true;
        }
    }

    bool group(int depth) {
        if (m_text.substr(m_at).starts_with("?:"))
            m_at += 2;
        else if (more() && m_text[m_at] == '?')
            return false;
        if (!alternatives(depth + 1) || !more() || m_text[m_at] != ')')
            return false;
        ++m_at;
        return true;
    }

    bool escape() {
        if (!more())
            return false;
        const char c = m_text[m_at++];
        if (c == 'd' || c == 'w' || c == 's')
            emitSet(classSet(c));
        else if (std::isalnum(static_cast<unsigned char>(c)))
            return false;
        else
            emitLiteral(c);
        return true;
    }

    /// Behind an opening bracket; false, and nothing read, when none closes it.
    bool readSet(std::bitset<256> &set, char negation) {
        const std::size_t end = m_text.find(']', m_at + (m_at < m_text.size() && m_text[m_at] == negation ? 2 : 1));
        if (end == std::string_view::npos)
            return false;
        std::string_view inside = m_text.substr(m_at, end - m_at);
        const bool negated = inside.front() == negation;
        if (negated)
            inside.remove_prefix(1);
        if (inside.find('\\') != std::string_view::npos)
            return false;
        for (std::size_t i = 0; i < inside.size(); ++i) {
            const auto from = static_cast<unsigned char>(inside[i]);
            auto to = from;
            if (i + 2 < inside.size() && inside[i + 1] == '-') {
                to = static_cast<unsigned char>(inside[i + 2]);
                i += 2;
            }
            for (unsigned c = from; c <= to; ++c)
                set.set(c);
        }
        if (negated)
            set.flip();
        m_at = end + 1;
        return true;
    }

    NamePattern &m_pattern;
    std::string_view m_text;
    std::size_t m_at = 0;
};

NamePattern NamePattern::shell(std::string_view pattern) {
    NamePattern result;
    result.m_wholeName = true;
    PatternCompiler(result, pattern).compileShell();
    return result;
}

std::optional<NamePattern> NamePattern::expression(std::string_view pattern) {
    NamePattern result;
    if (!PatternCompiler(result, pattern).compileExpression())
        return std::nullopt;
    return result;
}

struct NamePattern::Run {
    std::vector<bool> seen;
    std::size_t at = 0;
    std::size_t length = 0;
    bool matched = false;
    std::vector<std::uint16_t> open; ///< steps still to follow
};

void NamePattern::follow(Run &run, std::vector<std::uint16_t> &states, std::uint16_t first) const {
    std::vector<std::uint16_t> &open = run.open;
    open.push_back(first);
    while (!open.empty()) {
        const std::uint16_t step = open.back();
        open.pop_back();
        if (run.seen[step])
            continue;
        run.seen[step] = true;
        const Step &s = m_steps[step];
        switch (s.op) {
        case Op::Set: states.push_back(step); break;
        case Op::Split: open.push_back(s.other); open.push_back(s.to); break;
        case Op::Jump: open.push_back(s.to); break;
        case Op::Begin: if (run.at == 0) open.push_back(static_cast<std::uint16_t>(step + 1)); break;
        case Op::End: if (run.at == run.length) open.push_back(static_cast<std::uint16_t>(step + 1)); break;
        case Op::Match: run.matched = run.matched || !m_wholeName || run.at == run.length; break;
        }
    }
}

bool NamePattern::matches(std::string_view name) const {
    Run run{std::vector<bool>(m_steps.size()), 0, name.size(), false, {}};
    std::vector<std::uint16_t> states, next;
    follow(run, states, 0);
    for (const char c : name) {
        if (run.matched || states.empty())
            break;
        ++run.at;
        run.seen.assign(m_steps.size(), false);
        next.clear();
        for (const std::uint16_t step : states)
            if (m_sets[m_steps[step].set][static_cast<unsigned char>(c)])
                follow(run, next, static_cast<std::uint16_t>(step + 1));
        states.swap(next);
    }
    return run.matched;
}

} // namespace kv
