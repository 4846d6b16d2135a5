// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/jsonwriter.h"

#include "core/base/plaintext.h"

#include <array>
#include <charconv>
#include <cmath>

namespace kv {

namespace {

constexpr std::size_t indentWidth = 2;

void appendEscaped(std::string &out, unsigned char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
    case '"':
        out += "\\\"";
        return;
    case '\\':
        out += "\\\\";
        return;
    case '\n':
        out += "\\n";
        return;
    case '\t':
        out += "\\t";
        return;
    case '\r':
        out += "\\r";
        return;
    default:
        out += "\\u00";
        out += digits[c >> 4];
        out += digits[c & 15];
    }
}

} // namespace

void appendJsonString(std::string &out, std::string_view text) {
    out += '"';
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            ++i;
            continue;
        }
        if (c >= 0x80) {
            if (const std::size_t length = utf8Length(text, i); length > 0) {
                i += length;
                continue;
            }
        }
        out.append(text.substr(copied, i - copied));
        if (c >= 0x80)
            out += "\xEF\xBF\xBD";
        else
            appendEscaped(out, c);
        copied = ++i;
    }
    out.append(text.substr(copied));
    out += '"';
}

JsonWriter &JsonWriter::key(std::string_view name) {
    separate();
    m_out += '"';
    m_out += name;
    m_out += "\": ";
    m_afterKey = true;
    return *this;
}

void JsonWriter::value(std::int64_t number) {
    separate();
    std::array<char, 24> digits;
    m_out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void JsonWriter::value(double number) {
    if (!std::isfinite(number)) {
        null();
        return;
    }
    separate();
    std::array<char, 40> digits;
    m_out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void JsonWriter::value(bool truth) {
    separate();
    m_out += truth ? "true" : "false";
}

void JsonWriter::value(std::string_view text) {
    separate();
    appendJsonString(m_out, text);
}

void JsonWriter::tree(const Json &value) {
    separate();
    m_out += writeJson(value);
}

void JsonWriter::null() {
    separate();
    m_out += "null";
}

void JsonWriter::open(char bracket) {
    separate();
    m_out += bracket;
    m_first = true;
    ++m_depth;
}

void JsonWriter::close(char bracket) {
    --m_depth;
    if (!m_first)
        newLine();
    m_out += bracket;
    m_first = false;
}

void JsonWriter::separate() {
    if (m_afterKey) {
        m_afterKey = false;
        m_first = false;
        return;
    }
    if (!m_first)
        m_out += m_pretty ? "," : ", ";
    if (m_depth > 0)
        newLine();
    m_first = false;
}

void JsonWriter::newLine() {
    if (!m_pretty)
        return;
    m_out += '\n';
    m_out.append(static_cast<std::size_t>(m_depth) * indentWidth, ' ');
}

} // namespace kv
