// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/jsonpull.h"

#include <array>

namespace kv {

bool JsonPull::fail(const char *what) {
    if (!m_failed)
        m_error = std::string(what) + " at byte " + std::to_string(m_at);
    m_failed = true;
    return false;
}

void JsonPull::skipSpace() {
    while (m_at < m_text.size() &&
           (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r' || m_text[m_at] == '\t'))
        ++m_at;
}

JsonPull::Next JsonPull::next() {
    skipSpace();
    if (m_failed || m_at == m_text.size())
        return Next::End;
    switch (const char c = m_text[m_at]) {
    case '{':
        return Next::Object;
    case '[':
        return Next::Array;
    case '"':
        return Next::String;
    case 't':
    case 'f':
    case 'n':
        return Next::Literal;
    default:
        return c == '-' || (c >= '0' && c <= '9') ? Next::Number : Next::End;
    }
}

bool JsonPull::take(char c) {
    skipSpace();
    if (m_failed || m_at == m_text.size() || m_text[m_at] != c)
        return false;
    ++m_at;
    return true;
}

bool JsonPull::beginObject() {
    m_first = true;
    return take('{') || fail("expected an object");
}

bool JsonPull::beginArray() {
    m_first = true;
    return take('[') || fail("expected a list");
}

/// The end of the container, or the comma before a further member.
bool JsonPull::separator(char close, bool &ended) {
    if (m_failed)
        return false;
    ended = take(close);
    const bool fine = ended || m_first || take(',');
    m_first = false;
    return fine || fail(m_at == m_text.size() ? "the text ends early" : "expected a comma or the end");
}

bool JsonPull::nextKey(std::string &key) {
    bool ended = false;
    if (!separator('}', ended) || ended || !string(key))
        return false;
    return take(':') || fail("expected a colon");
}

bool JsonPull::nextItem() {
    bool ended = false;
    return separator(']', ended) && !ended;
}

bool JsonPull::codeUnit(unsigned &unit) {
    unit = 0;
    if (m_text.size() - m_at < 4)
        return fail("a broken escape");
    for (int i = 0; i < 4; ++i) {
        const char c = m_text[m_at++];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return fail("a broken escape");
        unit = unit * 16 + static_cast<unsigned>(digit);
    }
    return true;
}

/// One escape, behind its backslash.
bool JsonPull::escape(std::string &value) {
    if (m_at == m_text.size())
        return fail("the text ends early");
    static constexpr std::string_view marks = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    const char mark = m_text[m_at++];
    if (const std::size_t at = marks.find(mark); at != std::string_view::npos) {
        value += meant[at];
        return true;
    }
    unsigned code = 0;
    if (mark != 'u' || !codeUnit(code))
        return fail("a broken escape");
    if (code >= 0xD800 && code < 0xDC00) {
        unsigned low = 0;
        if (m_text.substr(m_at, 2) != "\\u")
            return fail("half of a surrogate pair");
        m_at += 2;
        if (!codeUnit(low) || low < 0xDC00 || low > 0xDFFF)
            return fail("half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
        return fail("half of a surrogate pair");
    }
    const auto byte = [&value](unsigned b) { value += static_cast<char>(b); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xC0 | code >> 6);
        byte(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000) {
            byte(0xE0 | code >> 12);
        } else {
            byte(0xF0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3F));
        }
        byte(0x80 | (code >> 6 & 0x3F));
        byte(0x80 | (code & 0x3F));
    }
    return true;
}

bool JsonPull::string(std::string &value) {
    value.clear();
    if (!take('"'))
        return fail("expected a text");
    while (m_at < m_text.size()) {
        std::size_t plain = m_at;
        while (plain < m_text.size() && m_text[plain] != '"' && m_text[plain] != '\\' &&
               static_cast<unsigned char>(m_text[plain]) >= 0x20)
            ++plain;
        value.append(m_text, m_at, plain - m_at);
        m_at = plain;
        if (m_at == m_text.size())
            break;
        const char c = m_text[m_at++];
        if (c == '"')
            return true;
        if (c != '\\')
            return fail("a control character inside a text");
        if (!escape(value))
            return false;
    }
    return fail("the text ends early");
}

bool JsonPull::number(std::string_view &written) {
    skipSpace();
    const std::size_t begin = m_at;
    const auto at = [this](std::size_t i) { return i < m_text.size() ? m_text[i] : '\0'; };
    const auto digits = [&] {
        const std::size_t first = m_at;
        while (at(m_at) >= '0' && at(m_at) <= '9')
            ++m_at;
        return m_at > first;
    };
    if (m_failed)
        return false;
    if (at(m_at) == '-')
        ++m_at;
    const bool zero = at(m_at) == '0';
    const std::size_t whole = m_at;
    if (!digits() || (zero && m_at - whole > 1))
        return fail("expected a number");
    if (at(m_at) == '.') {
        ++m_at;
        if (!digits())
            return fail("a broken number");
    }
    if (at(m_at) == 'e' || at(m_at) == 'E') {
        ++m_at;
        if (at(m_at) == '+' || at(m_at) == '-')
            ++m_at;
        if (!digits())
            return fail("a broken number");
    }
    written = m_text.substr(begin, m_at - begin);
    return true;
}

bool JsonPull::literal() {
    for (const std::string_view word : {"true", "false", "null"})
        if (m_text.substr(m_at).starts_with(word)) {
            m_at += word.size();
            return true;
        }
    return fail("an unknown word");
}

bool JsonPull::skip() {
    std::array<char, maxDepth> closers{};
    std::size_t depth = 0;
    std::string text;
    std::string_view written;
    do {
        switch (next()) {
        case Next::Object:
        case Next::Array:
            if (depth == maxDepth)
                return fail("nested too deep: more than 200 levels");
            closers[depth++] = m_text[m_at] == '{' ? '}' : ']';
            m_first = true;
            ++m_at;
            break;
        case Next::String:
            if (!string(text))
                return false;
            break;
        case Next::Number:
            if (!number(written))
                return false;
            break;
        case Next::Literal:
            if (!literal())
                return false;
            break;
        case Next::End:
            return fail(m_at == m_text.size() ? "the text ends early" : "expected a value");
        }
        // Up to the place of the next value, over all containers that end here.
        while (depth > 0) {
            bool ended = false;
            if (closers[depth - 1] == ']' ? !separator(']', ended) : !separator('}', ended))
                return false;
            if (!ended) {
                if (closers[depth - 1] == '}' && (!string(text) || !(take(':') || fail("expected a colon"))))
                    return false;
                break;
            }
            --depth;
        }
    } while (depth > 0);
    return true;
}

bool JsonPull::atEnd() {
    skipSpace();
    return !m_failed && m_at == m_text.size();
}

} // namespace kv
