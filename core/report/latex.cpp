// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/latex.h"

#include "core/base/plaintext.h"
#include "core/base/version.h"
#include "core/plan/explain.h"
#include "core/report/inwords.h"

#include <array>
#include <cctype>
#include <cstdio>
#include <utility>

namespace kv {

namespace {

struct Letter {
    std::string_view bytes, text;
};

/// What is not ASCII and has a command that every engine knows, in text.
constexpr std::array<Letter, 20> letters{{{"×", "$\\times$"}, {"÷", "$\\div$"}, {"−", "$-$"}, {"·", "$\\cdot$"}, {"±", "$\\pm$"}, {"≤", "$\\leq$"}, {"≥", "$\\geq$"},
                                          {"→", "$\\rightarrow$"}, {"≈", "$\\approx$"}, {"µ", "$\\mu$"}, {"…", "\\ldots{}"}, {"–", "--"}, {"—", "---"}, {"“", "``"},
                                          {"”", "''"}, {"‘", "`"}, {"’", "'"}, {"¹", "$^1$"}, {"²", "$^2$"}, {"³", "$^3$"}}};

std::string_view ofAscii(char c) {
    switch (c) {
    case '\\':
        return "\\textbackslash{}";
    case '~':
        return "\\textasciitilde{}";
    case '^':
        return "\\textasciicircum{}";
    case '<':
        return "\\textless{}";
    case '>':
        return "\\textgreater{}";
    case '|':
        return "\\textbar{}";
    case '"':
        return "\\textquotedbl{}";
    case '#':
        return "\\#";
    case '$':
        return "\\$";
    case '%':
        return "\\%";
    case '&':
        return "\\&";
    case '_':
        return "\\_";
    case '{':
        return "\\{";
    case '}':
        return "\\}";
    default:
        return {};
    }
}

/// Bytes of the UTF-8 letter that begins with this byte; the text has been through oneLine, which leaves nothing else.
std::size_t lengthOf(unsigned char first) { return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4; }

std::string byCode(std::string_view letter) {
    unsigned code = static_cast<unsigned char>(letter[0]) & (0xffU >> (letter.size() + 1));
    for (const char c : letter.substr(1))
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
    // Letters of Latin 1 that the usual fonts have; the others of it are signs.
    if (code >= 0xc0 && code <= 0xff && code != 0xd0 && code != 0xde && code != 0xf0 && code != 0xfe)
        return std::string(letter);
    char text[16];
    std::snprintf(text, sizeof text, "[U+%04X]", code);
    return text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view letter = text.substr(at, lengthOf(static_cast<unsigned char>(text[at])));
        at += letter.size();
        const Letter *known = nullptr;
        for (const Letter &one : letters)
            if (one.bytes == letter)
                known = &one;
        if (known)
            out += known->text;
        else if (letter.size() > 1)
            out += byCode(letter);
        else if (const std::string_view command = ofAscii(letter[0]); !command.empty())
            out += command;
        else
            out += letter;
    }
    return out;
}

/// Splits a line of a derivation into numbers, signs and words.
class MathLine {
public:
    explicit MathLine(std::string_view line) : m_text(oneLine(line)) {}

    std::string take() {
        while (m_at < m_text.size())
            step();
        flush();
        return std::move(m_out);
    }

private:
    bool isDigit(std::size_t at) const { return at < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[at])); }
    /// A number stands alone: the 3 of "GPU3" and of "Q8_0" belongs to its word.
    bool beginsNumber() const { return isDigit(m_at) && (m_words.empty() || m_words.back() == ' '); }

    void step() {
        static constexpr std::pair<std::string_view, std::string_view> signs[]{{"×", " \\times "}, {"÷", " \\div "}, {"−", " - "}, {"→", " \\rightarrow "}, {"=", " = "}, {"+", " + "},
                                                                               {"(", "("}, {")", ")"}, {"≈", " \\approx "}};
        for (const auto &[sign, tex] : signs)
            if (m_text.compare(m_at, sign.size(), sign) == 0) {
                flush();
                m_out += tex;
                m_at += sign.size();
                return;
            }
        if (beginsNumber()) {
            flush();
            return number();
        }
        m_words += m_text[m_at++];
    }

    /// "131,072", "0.90", "1/2"; what follows without a space ("128k") stays with it as words.
    void number() {
        const auto digits = [this] {
            std::string read;
            while (isDigit(m_at) || (m_at < m_text.size() && (m_text[m_at] == ',' || m_text[m_at] == '.') && isDigit(m_at + 1)))
                if (const char c = m_text[m_at++]; c == ',')
                    read += "{,}"; // or TeX sets a space behind it
                else
                    read += c;
            return read;
        };
        const std::string above = digits();
        if (m_at < m_text.size() && m_text[m_at] == '/' && isDigit(m_at + 1)) {
            ++m_at;
            m_out += "\\tfrac{" + above + "}{" + digits() + "}";
        } else {
            m_out += above;
        }
    }

    void flush() {
        const std::size_t first = m_words.find_first_not_of(' ');
        if (first != std::string::npos) {
            const std::string_view bare = std::string_view(m_words).substr(first, m_words.find_last_not_of(' ') - first + 1);
            const bool spaceBefore = first > 0 && !m_out.empty() && m_out.back() != ' ' && m_out.back() != '(';
            const bool spaceAfter = m_words.back() == ' ' && m_at < m_text.size() && (isDigit(m_at) || m_text[m_at] == '(');
            m_out += (spaceBefore ? "\\ " : "") + ("\\text{" + escaped(bare) + "}") + (spaceAfter ? "\\ " : "");
        }
        m_words.clear();
    }

    std::string m_text, m_words, m_out;
    std::size_t m_at = 0;
};

std::string linesOf(const ExplainSection &section) {
    std::string out = "\\begin{align*}\n";
    for (std::size_t i = 0; i < section.lines.size(); ++i) {
        std::string_view line = section.lines[i];
        const bool equal = line.starts_with("= ");
        out += equal ? "  &= " + latexMath(line.substr(2)) : "  & " + latexMath(line);
        out += i + 1 < section.lines.size() ? " \\\\\n" : "\n";
    }
    return out + "\\end{align*}\n";
}

std::string termsOf(const ExplainSection &section) {
    if (section.terms.empty())
        return {};
    std::string out = "\\begin{tabular}{@{}rl>{\\raggedright\\arraybackslash}p{0.55\\linewidth}@{}}\n";
    for (const ExplainTerm &term : section.terms) {
        std::string from = term.from.empty() ? std::string() : "\\texttt{" + latexText(term.from) + "}";
        if (!term.note.empty())
            from += (from.empty() ? "" : ", ") + latexText(term.note);
        out += "  $" + latexMath(term.value) + "$ & " + latexText(term.name) + " & " + from + " \\\\\n";
    }
    return out + "\\end{tabular}\n";
}

} // namespace

std::string latexText(std::string_view text) { return escaped(oneLine(text)); }

std::string latexMath(std::string_view line) { return MathLine(line).take(); }

std::string planLatex(const Scenario &scenario, const Plan &plan, SizeUnit unit) {
    std::string out = "% KV Planner " + std::string(version()) + ". Needs \\usepackage{amsmath,array}.\n%";
    for (const std::string &item : captionOf(scenario, plan, {}))
        out += " " + item + ";"; // each on one line, so that none can end the comment
    out.back() = '\n';
    for (const ExplainSection &section : explain(scenario, plan, unit)) {
        out += "\n\\paragraph{" + latexText(section.title) + "}\n";
        out += linesOf(section) + termsOf(section);
    }
    return out;
}

} // namespace kv
