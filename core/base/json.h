// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// JSON as the program needs it: a small ordered tree that keeps what a number was written as, so that nothing is rounded, wrapped
// or taken for something else on the way (2^64 + 32 must not become 32, nor true a 1, nor 32.5 a 32).
//
// Parsing is nlohmann_json's (SAX), whose types and exceptions end in json.cpp. Accepted beyond the standard: a byte-order mark and
// the literals NaN, Infinity, -Infinity that Python writes (they become NotFinite numbers). Of duplicate keys the last counts,
// with a warning ("duplicate-key").
// Refused: more than `maxDepth` levels ("nest"), bytes that are no UTF-8 ("UTF-8"), comments, trailing commas, anything after the value.
// Errors name line and column.

#include "core/base/note.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

class Json {
public:
    enum class Kind : std::uint8_t { Null, Bool, Integer, Real, NotFinite, String, Array, Object };
    using Member = std::pair<std::string, Json>;

    Json() = default;
    Json(bool b) : m_kind(Kind::Bool), m_integer(b ? 1 : 0) {}
    Json(int n) : m_kind(Kind::Integer), m_integer(n) {}
    Json(std::int64_t n) : m_kind(Kind::Integer), m_integer(n) {}
    Json(double d) : m_kind(Kind::Real), m_real(d) {}
    Json(std::string s) : m_kind(Kind::String), m_text(std::move(s)) {}
    Json(std::string_view s) : m_kind(Kind::String), m_text(s) {}
    Json(const char *s) : m_kind(Kind::String), m_text(s) {}
    static Json array() { return ofKind(Kind::Array); }
    static Json object() { return ofKind(Kind::Object); }
    /// A number that is not held exactly by the types above: `written` is its text ("1e400", "18446744073709551648", "NaN").
    static Json number(double value, std::string written);

    Kind kind() const { return m_kind; }
    bool isNull() const { return m_kind == Kind::Null; }
    bool isObject() const { return m_kind == Kind::Object; }
    bool isArray() const { return m_kind == Kind::Array; }
    bool isString() const { return m_kind == Kind::String; }
    bool isBool() const { return m_kind == Kind::Bool; }
    bool isNumber() const { return m_kind == Kind::Integer || m_kind == Kind::Real || m_kind == Kind::NotFinite; }

    bool boolean() const { return m_integer != 0; }
    std::int64_t integer() const { return m_integer; }
    double real() const { return m_kind == Kind::Integer ? static_cast<double>(m_integer) : m_real; }
    /// The string, or the text that a Real or NotFinite number was written as.
    const std::string &text() const { return m_text; }

    const std::vector<Json> &items() const { return m_items; }
    std::vector<Json> &items() { return m_items; }
    const std::vector<Member> &members() const { return m_members; }
    std::vector<Member> &members() { return m_members; }

    /// The member of that name, or nullptr. An absent key and a null are told apart by the caller.
    const Json *find(std::string_view key) const;
    Json *find(std::string_view key);
    /// Sets or appends a member; turns Null into an object.
    Json &set(std::string key, Json value);
    void push(Json value);
    void erase(std::string_view key);

    /// NaN equals NaN: a value that was kept is equal to itself.
    bool operator==(const Json &other) const;

private:
    static Json ofKind(Kind kind) {
        Json j;
        j.m_kind = kind;
        return j;
    }

    Kind m_kind = Kind::Null;
    std::int64_t m_integer = 0;
    double m_real = 0;
    std::string m_text;
    std::vector<Json> m_items;
    std::vector<Member> m_members;
};

inline constexpr int maxJsonDepth = 200;

/// `source` is how the text is called in messages (a file name, "line 3"). The error's code is "not-json", "not-utf8" or "too-deep".
Parsed<Json> parseJson(std::string_view text, std::string_view source, int maxDepth = maxJsonDepth);

/// indent < 0: on one line. Strings are written as UTF-8, numbers so that they read back equal.
std::string writeJson(const Json &value, int indent = -1);

/// How a value is named in a message: `"eight"`, `32.5`, `a list`, `an object`, `null`, `true`.
std::string describe(const Json &value);

} // namespace kv
