// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/plaintext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

namespace kv {

namespace {

using Sax = nlohmann::json_sax<nlohmann::json>;

/// Builds the tree with an explicit stack of open containers, so that depth is a count and never the machine's stack.
class TreeBuilder final : public Sax {
public:
    explicit TreeBuilder(int maxDepth) : m_maxDepth(maxDepth) {}

    Json root;
    bool tooDeep = false;
    std::size_t errorByte = 0;
    int errorId = 0;
    std::string errorToken;
    /// Places ("workload.sequences") of keys that stood there before, so that the caller can say it.
    std::vector<std::string> duplicates;

    bool null() override { return put(Json()); }
    bool boolean(bool b) override { return put(Json(b)); }
    bool number_integer(number_integer_t n) override {
        return put(n == outOfInt64 ? Json::number(static_cast<double>(n), std::to_string(n)) : Json(std::int64_t{n}));
    }
    bool number_unsigned(number_unsigned_t n) override {
        if (n > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return put(Json::number(static_cast<double>(n), std::to_string(n)));
        return put(Json(static_cast<std::int64_t>(n)));
    }
    bool number_float(number_float_t d, const string_t &written) override { return put(Json::number(d, written)); }
    bool string(string_t &s) override { return put(Json(std::move(s))); }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool key(string_t &s) override {
        m_open.back().key = std::move(s);
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string &token, const nlohmann::detail::exception &error) override {
        errorByte = position;
        errorToken = token;
        errorId = error.id;
        return false;
    }

private:
    static constexpr std::int64_t outOfInt64 = std::numeric_limits<std::int64_t>::min();

    /// An open container, the key that its next value gets, and an index of its members once there are many.
    struct Level {
        Json container;
        std::string key;
        std::unordered_map<std::string, std::size_t> index;
    };

    bool put(Json value) {
        if (m_open.empty()) {
            root = std::move(value);
            return true;
        }
        attach(std::move(value));
        return true;
    }
    void attach(Json value) {
        Level &level = m_open.back();
        if (!level.container.isObject()) {
            level.container.push(std::move(value));
            return;
        }
        if (Json *there = findMember(level)) {
            *there = std::move(value);
            constexpr std::size_t enough = 8;
            if (duplicates.size() < enough)
                duplicates.push_back(placeOfKey());
            return;
        }
        auto &members = level.container.members();
        if (!level.index.empty())
            level.index.emplace(level.key, members.size());
        members.emplace_back(std::move(level.key), std::move(value));
    }
    /// A search from the front is fastest for the few keys of a config, and hopeless for the million of a hostile one.
    static Json *findMember(Level &level) {
        constexpr std::size_t few = 64;
        auto &members = level.container.members();
        if (members.size() < few)
            return level.container.find(level.key);
        if (level.index.empty())
            for (std::size_t i = 0; i < members.size(); ++i)
                level.index.emplace(members[i].first, i);
        const auto found = level.index.find(level.key);
        return found == level.index.end() ? nullptr : &members[found->second].second;
    }
    std::string placeOfKey() const {
        std::string place;
        for (const Level &level : m_open)
            if (level.container.isObject())
                place += (place.empty() ? "" : ".") + level.key;
        return place;
    }
    bool open(Json container) {
        if (static_cast<int>(m_open.size()) >= m_maxDepth) {
            tooDeep = true;
            return false;
        }
        m_open.push_back({std::move(container), {}, {}});
        return true;
    }
    bool close() {
        Json done = std::move(m_open.back().container);
        m_open.pop_back();
        return put(std::move(done));
    }

    int m_maxDepth;
    std::vector<Level> m_open;
};

/// Offset of the first byte that is no UTF-8 (overlong forms and surrogates included), or npos.
std::size_t firstBadUtf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = utf8Length(text, i);
        if (length == 0)
            return i;
        i += length;
    }
    return std::string_view::npos;
}

/// Python's NaN, Infinity and -Infinity, outside strings, as strings with a mark that no text file holds. `text` is copied only if one is there.
constexpr char notFiniteMark = '\x7f';
std::string replaceNotFinite(std::string_view text) {
    static constexpr std::array<std::string_view, 3> words{"-Infinity", "Infinity", "NaN"};
    std::string out;
    std::size_t copied = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
            continue;
        }
        if (c == '"') {
            inString = true;
            continue;
        }
        if (c != '-' && c != 'I' && c != 'N')
            continue;
        for (const std::string_view word : words)
            if (text.substr(i).starts_with(word)) {
                out.append(text.substr(copied, i - copied)).append("\"").append(1, notFiniteMark).append(word).append("\"");
                i += word.size() - 1;
                copied = i + 1;
                break;
            }
    }
    if (copied > 0)
        out.append(text.substr(copied));
    return out;
}

/// The marked strings become NotFinite numbers again.
void restoreNotFinite(Json &value) {
    if (value.isString() && !value.text().empty() && value.text().front() == notFiniteMark) {
        const std::string word = value.text().substr(1);
        const double number = word == "NaN" ? std::nan("") : word.front() == '-' ? -HUGE_VAL : HUGE_VAL;
        value = Json::number(number, word);
    }
    for (Json &item : value.items())
        restoreNotFinite(item);
    for (Json::Member &member : value.members())
        restoreNotFinite(member.second);
}

std::string lineAndColumn(std::string_view text, std::size_t byte) {
    byte = std::min(byte, text.size());
    const std::string_view before = text.substr(0, byte);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lastBreak = before.rfind('\n');
    const std::size_t column = lastBreak == std::string_view::npos ? byte : byte - lastBreak - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

/// What a text that is no JSON probably is, for the sentence.
std::string guessWhatItIs(std::string_view text, std::size_t byte) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    const std::string_view trimmed = start == std::string_view::npos ? std::string_view{} : text.substr(start);
    if (trimmed.starts_with("version https://git-lfs"))
        return "this is a Git LFS pointer; fetch the file itself (git lfs pull)";
    if (trimmed.starts_with("<"))
        return "this looks like an HTML page, as a failed download leaves it";
    const std::size_t at = byte > 0 ? std::min(byte - 1, text.size()) : 0;
    if (at < text.size()) {
        if (text[at] == '\'')
            return "single quotes are Python's, JSON wants double quotes";
        if (text[at] == '/' || text[at] == '#')
            return "JSON has no comments";
        if (text[at] == ']' || text[at] == '}')
            return "a value was expected here; a comma may be too many";
    }
    return {};
}

Note notJson(std::string_view text, std::string_view source, const TreeBuilder &tree) {
    const std::string name(source);
    if (tree.tooDeep)
        return errorNote("too-deep", name, name + ": the JSON is nested too deep (more than " + std::to_string(maxJsonDepth) + " levels of nesting)");
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return errorNote("not-json", name, name + ": the text is empty, JSON was expected");
    const std::string place = lineAndColumn(text, tree.errorByte);
    if (tree.errorId == 406)
        return errorNote("out-of-range", name, name + ": " + place + ": the number " + tree.errorToken + " is out of range");
    std::string sentence = name + ": no valid JSON at " + place;
    if (tree.errorByte >= text.size())
        sentence += ": the text ends too early, as if it was cut off";
    else if (const std::string guess = guessWhatItIs(text, tree.errorByte); !guess.empty())
        sentence += ": " + guess;
    return errorNote("not-json", name, std::move(sentence));
}

/// Everything as it reads back equal: a number that is not held exactly is written as it was read, NaN as Python writes it.
void write(std::string &out, const Json &value, int indent, int depth) {
    const auto newLine = [&](int level) {
        if (indent >= 0)
            out.append(1, '\n').append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(level), ' ');
    };
    const auto string = [&](const std::string &text) {
        out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    const auto container = [&](char open, char close, const auto &items, const auto &item) {
        out += open;
        bool first = true;
        for (const auto &one : items) {
            if (!first)
                out += indent >= 0 ? "," : ", ";
            first = false;
            newLine(depth + 1);
            item(one);
        }
        if (!first)
            newLine(depth);
        out += close;
    };
    switch (value.kind()) {
    case Json::Kind::Null:
        out += "null";
        break;
    case Json::Kind::Bool:
        out += value.boolean() ? "true" : "false";
        break;
    case Json::Kind::Integer:
        out += std::to_string(value.integer());
        break;
    case Json::Kind::Real:
    case Json::Kind::NotFinite:
        out += value.text().empty() ? nlohmann::json(value.real()).dump() : value.text();
        break;
    case Json::Kind::String:
        string(value.text());
        break;
    case Json::Kind::Array:
        container('[', ']', value.items(), [&](const Json &item) { write(out, item, indent, depth + 1); });
        break;
    case Json::Kind::Object:
        container('{', '}', value.members(), [&](const Json::Member &member) {
            string(member.first);
            out += ": ";
            write(out, member.second, indent, depth + 1);
        });
        break;
    }
}

} // namespace

Json Json::number(double value, std::string written) {
    Json j = ofKind(std::isfinite(value) ? Kind::Real : Kind::NotFinite);
    j.m_real = value;
    j.m_text = std::move(written);
    return j;
}

bool Json::operator==(const Json &other) const {
    return m_kind == other.m_kind && m_integer == other.m_integer && m_text == other.m_text &&
           (m_kind != Kind::Real || m_real == other.m_real) && m_items == other.m_items && m_members == other.m_members;
}

const Json *Json::find(std::string_view key) const {
    for (const Member &member : m_members)
        if (member.first == key)
            return &member.second;
    return nullptr;
}

Json *Json::find(std::string_view key) { return const_cast<Json *>(std::as_const(*this).find(key)); }

Json &Json::set(std::string key, Json value) {
    if (isNull())
        *this = object();
    if (Json *there = find(key))
        return *there = std::move(value);
    m_members.emplace_back(std::move(key), std::move(value));
    return m_members.back().second;
}

void Json::push(Json value) {
    if (isNull())
        *this = array();
    m_items.push_back(std::move(value));
}

void Json::erase(std::string_view key) {
    std::erase_if(m_members, [&](const Member &member) { return member.first == key; });
}

Parsed<Json> parseJson(std::string_view text, std::string_view source, int maxDepth) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    if (const std::size_t bad = firstBadUtf8(text); bad != std::string_view::npos)
        return {std::nullopt,
                {errorNote("not-utf8", std::string(source),
                           std::string(source) + ": the bytes at " + lineAndColumn(text, bad + 1) + " are no UTF-8, which JSON must be")}};
    const std::string replaced = replaceNotFinite(text);
    const std::string_view used = replaced.empty() ? text : std::string_view(replaced);
    TreeBuilder tree(maxDepth);
    if (!nlohmann::json::sax_parse(used.begin(), used.end(), &tree))
        return {std::nullopt, {notJson(used, source, tree)}};
    if (!replaced.empty())
        restoreNotFinite(tree.root);
    Notes notes;
    for (const std::string &key : tree.duplicates) {
        const std::string place = oneLine(key, 200);
        notes.push_back(warningNote("duplicate-key", place, place + " stands twice; the last value counts"));
    }
    return {std::move(tree.root), std::move(notes)};
}

std::string writeJson(const Json &value, int indent) {
    std::string out;
    write(out, value, indent, 0);
    return out;
}

std::string describe(const Json &value) {
    switch (value.kind()) {
    case Json::Kind::Null:
        return "null";
    case Json::Kind::Bool:
        return value.boolean() ? "true" : "false";
    case Json::Kind::Integer:
        return std::to_string(value.integer());
    case Json::Kind::Real:
        return value.text().empty() ? writeJson(value) : value.text();
    case Json::Kind::NotFinite:
        return value.text();
    case Json::Kind::String: {
        constexpr std::size_t most = 60;
        const std::string &text = value.text();
        return writeJson(text.size() > most ? Json(text.substr(0, most) + "…") : value);
    }
    case Json::Kind::Array:
        return "a list";
    case Json::Kind::Object:
        return "an object";
    }
    return {};
}

} // namespace kv
