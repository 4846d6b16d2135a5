// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the program has to say about an input or a result: a refusal, a warning, a remark.
//
// `code` is a stable word ("gb-vs-gib", "missing-key"; the whole list is printed by `kvplanner --help errors`, see
// noteCodes()); `where` is the place in the input ("text_config.num_key_value_heads", "--context", a file name); `text` is an
// English sentence that a user understands: what was found, what was expected, what to do. Parsers never throw: they return
// Parsed<T>, whose value is absent when an Error is among the notes.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

enum class Severity { Info, Warning, Error };

struct Note {
    Severity severity = Severity::Warning;
    std::string code;
    std::string where;
    std::string text;

    bool operator==(const Note &) const = default;
};

using Notes = std::vector<Note>;

/// Whatever names of others stand in the place and the text: a note is one line (oneLine() of plaintext.h).
Note errorNote(std::string code, std::string where, std::string text);
Note warningNote(std::string code, std::string where, std::string text);
Note infoNote(std::string code, std::string where, std::string text);

bool hasError(const Notes &notes);
const Note *firstError(const Notes &notes);

/// A value that was read, or the reasons why it could not be.
template <typename T>
struct Parsed {
    std::optional<T> value;
    Notes notes;

    explicit operator bool() const { return value.has_value(); }
    const T &operator*() const { return *value; }
    const T *operator->() const { return &*value; }
};

struct NoteCode {
    std::string_view code;
    std::string_view meaning;
};
/// Every code that a note can carry, in alphabetical order.
std::span<const NoteCode> noteCodes();

/// The nearest of `known` to a misspelt `word`, empty when none is near (Damerau-Levenshtein, at most a third of its length).
std::string_view nearestName(std::string_view word, std::span<const std::string_view> known);

} // namespace kv
