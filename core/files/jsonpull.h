// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// JSON read value by value, for the one kind of text that is too large for a tree: the headers and indexes of checkpoints, which list a
// hundred thousand tensors and more. Strict as RFC 8259 has it; numbers stay as they are written; nothing recurses.
//
//     JsonPull json(text);
//     if (json.beginObject())
//         for (std::string key; json.nextKey(key);)
//             json.skip();
//     if (json.failed()) …
//
// Every call on a failed reader does nothing and returns false, so that a check at the end is enough. The text must be UTF-8 (isUtf8).

#include <cstddef>
#include <string>
#include <string_view>

namespace kv {

class JsonPull {
public:
    explicit JsonPull(std::string_view text) : m_text(text) {}

    enum class Next { Object, Array, String, Number, Literal, End };
    /// What stands next; End also when nothing of these does.
    Next next();

    bool beginObject();
    /// The next key, with its value to be read next; false at the object's end.
    bool nextKey(std::string &key);
    bool beginArray();
    /// Whether another item is to be read next; false at the array's end.
    bool nextItem();
    bool string(std::string &value);
    /// The number as it is written.
    bool number(std::string_view &written);
    /// Over a value of any kind, nested at most maxDepth deep.
    bool skip();
    /// Nothing but white space is left.
    bool atEnd();

    bool failed() const { return m_failed; }
    /// "expected a comma at byte 1,234"; empty while nothing failed.
    const std::string &error() const { return m_error; }

    static constexpr std::size_t maxDepth = 200;

private:
    bool fail(const char *what);
    void skipSpace();
    bool take(char c);
    bool literal();
    bool separator(char close, bool &ended);
    bool escape(std::string &value);
    bool codeUnit(unsigned &unit);

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_first = false; ///< no member of the innermost open container was read yet
    bool m_failed = false;
    std::string m_error;
};

} // namespace kv
