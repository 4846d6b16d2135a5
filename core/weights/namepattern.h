// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A pattern for tensor names, as the lists of quantised checkpoints hold them: a shell pattern (* ? [set]) or a regular expression.
//
// Expressions are run over all states at once, so that no pattern, however unkind, takes more than its length times the name's. Understood:
// literals, . \. \d \w \s [sets] ( | ) (?: ) * + ? ^ $; anything else (counts, look-ahead, back references) is said to be unknown.
// Where a match may end differs: compressed-tensors uses re.match (from the start, any end), shell patterns match the whole name.

#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kv {

class NamePattern {
public:
    static NamePattern shell(std::string_view pattern);
    /// Nothing when the expression is not understood.
    static std::optional<NamePattern> expression(std::string_view pattern);

    bool matches(std::string_view name) const;
    bool isShell() const { return m_wholeName; }

private:
    friend class PatternCompiler;
    enum class Op : std::uint8_t { Set, Split, Jump, Begin, End, Match };
    struct Step {
        Op op = Op::Match;
        std::uint16_t set = 0;   ///< index into m_sets
        std::uint16_t to = 0;    ///< Split and Jump
        std::uint16_t other = 0; ///< Split
    };
    struct Run;
    void follow(Run &run, std::vector<std::uint16_t> &states, std::uint16_t step) const;

    std::vector<Step> m_steps;
    std::vector<std::bitset<256>> m_sets;
    bool m_wholeName = false;
};

} // namespace kv
