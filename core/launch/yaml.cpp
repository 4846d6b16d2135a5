// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/yaml.h"

#include "core/base/plaintext.h"

#include <vector>

namespace kv {

namespace {

constexpr int mostLevels = 16;

struct Line {
    std::size_t number = 0, indent = 0;
    std::string_view text; ///< without indentation, comment and trailing space
};

/// Length of the quoted text at the front, 0 when no quote closes it.
std::size_t quotedLength(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\' && text.front() == '"')
            ++i;
        else if (text[i] == text.front())
            return i + 1;
    }
    return 0;
}

bool isQuote(char c) { return c == '"' || c == '\''; }

std::string_view withoutComment(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isQuote(text[i]) && (i == 0 || std::string_view(" [{,:").find(text[i - 1]) != std::string_view::npos))
            i += std::max<std::size_t>(quotedLength(text.substr(i)), 1) - 1;
        else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t'))
            text = text.substr(0, i);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

class Reader {
public:
    Reader(std::string_view text, std::string_view name) : m_name(name) {
        for (std::size_t number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = withoutComment(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            if (indent < line.size() && line != "---" && line != "...")
                m_lines.push_back({number, indent, line.substr(indent)});
        }
    }

    Parsed<Json> read() {
        Json root = m_lines.empty() ? Json::object() : block(m_lines.front().indent, 0);
        if (m_fault.empty() && m_at < m_lines.size())
            fault("a line that belongs to nothing above it");
        if (!m_fault.empty())
            return {std::nullopt, {errorNote("bad-launch-line", std::string(m_name), m_fault)}};
        return {std::move(root), {}};
    }

private:
    void fault(const std::string &found) {
        if (m_fault.empty())
            m_fault = std::string(m_name) + (m_at < m_lines.size() ? ", line " + std::to_string(m_lines[m_at].number) : std::string()) +
                      ": expected settings as KEY: VALUE, found " + found;
    }

    bool open() const { return m_fault.empty() && m_at < m_lines.size(); }

    Json block(std::size_t indent, int level) {
        if (level > mostLevels)
            fault("more than 16 levels");
        const bool list = open() && (m_lines[m_at].text == "-" || m_lines[m_at].text.starts_with("- "));
        Json out = list ? Json::array() : Json::object();
        while (open() && m_lines[m_at].indent == indent && (m_lines[m_at].text.front() == '-') == list)
            list ? item(out, level) : member(out, indent, level);
        if (open() && m_lines[m_at].indent > indent)
            fault("other indentation");
        return out;
    }

    void item(Json &list, int level) {
        std::string_view rest = m_lines[m_at].text.substr(1);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        Json one = value(rest, level);
        if (m_fault.empty())
            list.push(std::move(one));
        ++m_at;
    }

    void member(Json &map, std::size_t indent, int level) {
        std::string_view text = m_lines[m_at].text;
        const std::string key = takeKey(text);
        if (!m_fault.empty())
            return;
        if (!text.empty()) {
            Json one = value(text, level);
            if (m_fault.empty())
                map.set(key, std::move(one));
            ++m_at;
            return;
        }
        ++m_at;
        // A list may stand as far left as its key.
        const bool deeper = m_at < m_lines.size() && (m_lines[m_at].indent > indent || (m_lines[m_at].indent == indent && m_lines[m_at].text.starts_with("- ")));
        map.set(key, deeper ? block(m_lines[m_at].indent, level + 1) : Json());
    }

    /// "KEY:" off the front, and the space behind it.
    std::string takeKey(std::string_view &text) {
        const std::size_t quoted = isQuote(text.front()) ? quotedLength(text) : 0;
        std::size_t colon = text.find(':', quoted);
        while (colon != std::string_view::npos && colon + 1 < text.size() && text[colon + 1] != ' ')
            colon = text.find(':', colon + 1);
        if (colon == std::string_view::npos) {
            fault("\"" + oneLine(text, 60) + "\"");
            return {};
        }
        std::string_view key = text.substr(0, colon);
        text.remove_prefix(colon + 1);
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (quoted > 0)
            key = key.substr(1, quoted - 2);
        return std::string(key);
    }

    Json value(std::string_view text, int level) {
        Json one = flow(text, level, "");
        if (m_fault.empty() && !text.empty())
            fault("\"" + oneLine(text, 60) + "\"");
        return one;
    }

    static void skip(std::string_view &text) { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); }

    /// One value off the front; a plain one ends before a character of `ends`.
    Json flow(std::string_view &text, int level, std::string_view ends) {
        skip(text);
        if (level > mostLevels)
            fault("more than 16 levels");
        if (text.empty() || !m_fault.empty())
            return {};
        if (text.front() == '[' || text.front() == '{')
            return brackets(text, level);
        if (isQuote(text.front())) {
            const std::size_t length = quotedLength(text);
            if (length == 0) {
                fault("an open quote");
                return {};
            }
            Json one(text.substr(1, length - 2));
            text.remove_prefix(length);
            skip(text);
            return one;
        }
        if (std::string_view("&*!|>%@`\t").find(text.front()) != std::string_view::npos) {
            fault("\"" + oneLine(text, 60) + "\"");
            return {};
        }
        const std::size_t end = ends.empty() ? text.size() : std::min(text.find_first_of(ends), text.size());
        std::string_view plain = text.substr(0, end);
        text.remove_prefix(end);
        while (plain.ends_with(' '))
            plain.remove_suffix(1);
        if (plain == "~" || plain == "null" || plain == "Null" || plain.empty())
            return {};
        return plain == "True" || plain == "TRUE" ? Json("true") : plain == "False" || plain == "FALSE" ? Json("false") : Json(plain);
    }

    Json brackets(std::string_view &text, int level) {
        const bool map = text.front() == '{';
        const char close = map ? '}' : ']';
        Json out = map ? Json::object() : Json::array();
        for (text.remove_prefix(1), skip(text); m_fault.empty();) {
            if (text.empty()) {
                fault(std::string("a bracket without its ") + close);
            } else if (text.front() == close) {
                text.remove_prefix(1);
                skip(text);
                break;
            } else {
                const std::string key = map ? takeKey(text) : std::string();
                Json one = flow(text, level + 1, map ? ",}" : ",]");
                if (m_fault.empty())
                    map ? static_cast<void>(out.set(key, std::move(one))) : static_cast<void>(out.push(std::move(one)));
                skip(text);
                if (text.starts_with(','))
                    text.remove_prefix(1), skip(text);
            }
        }
        return out;
    }

    std::string_view m_name;
    std::vector<Line> m_lines;
    std::size_t m_at = 0;
    std::string m_fault;
};

} // namespace

Parsed<Json> readYaml(std::string_view text, std::string_view name) { return Reader(text, name).read(); }

} // namespace kv
