// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes JSON straight into a text, without a tree: for the plans of a batch, of which there are thousands a second.
//
// The caller opens, names and closes in the right order; commas are the writer's. What is written is always strict JSON: bytes that are no
// UTF-8 become U+FFFD, a double that is no finite number becomes null. Without `pretty` everything stands on one line.

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

class JsonWriter {
public:
    explicit JsonWriter(std::string &out, bool pretty = false) : m_out(out), m_pretty(pretty) {}

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    /// Keys are the program's own words: ASCII without quotes or backslashes.
    JsonWriter &key(std::string_view name);

    void value(std::int64_t number);
    void value(double number);
    void value(bool truth);
    void value(std::string_view text);
    void value(const char *text) { value(std::string_view(text)); }
    void tree(const Json &value);
    void null();
    void value(const std::optional<std::int64_t> &number) { number ? value(*number) : null(); }

    template <typename T>
    void member(std::string_view name, const T &v) {
        key(name).value(v);
    }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void newLine();

    std::string &m_out;
    bool m_pretty;
    bool m_first = true;    ///< nothing stands in the present container yet
    bool m_afterKey = false;
    int m_depth = 0;
};

/// Appends a text as a JSON string, quotes included.
void appendJsonString(std::string &out, std::string_view text);

} // namespace kv
