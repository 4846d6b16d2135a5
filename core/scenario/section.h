// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One section of a scenario ("workload") with located, typed access to its keys, and what is left over.
//
// Absent and null are the same: not said. Every message begins with the place ("workload.context: expected …, found …"). A whole number
// is a JSON number without a fraction, or text where people write units ("128k"); nothing is rounded, wrapped or taken for another kind.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/base/units.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kv {

class Section {
public:
    /// `parent` may lack the section: then nothing is said. A section of another kind than an object is noted as an error. `name` empty: the
    /// parent itself. `prefix` precedes every place ("scenarios[1].").
    Section(const Json &parent, std::string_view name, std::string_view prefix, std::span<const std::string_view> known, Notes &notes);

    bool given() const { return m_object != nullptr; }
    /// The value of a key that is neither absent nor null.
    const Json *find(std::string_view key) const;
    /// Whether the key stands there, null or not.
    bool holds(std::string_view key) const { return m_object && m_object->find(key); }

    std::optional<Tokens> tokens(std::string_view key) const;
    std::optional<Count> count(std::string_view key) const; ///< at least 1
    std::optional<Bytes> bytes(std::string_view key, std::int64_t least) const;
    std::optional<std::int64_t> number(std::string_view key) const; ///< a whole number, 0 or more
    std::optional<std::int64_t> fraction(std::string_view key) const; ///< in units of 10^-9, 0 up to but without 1
    std::optional<std::string> text(std::string_view key) const;
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<double> amount(std::string_view key) const; ///< a number, not negative
    const Json *object(std::string_view key) const;

    std::string place(std::string_view key) const;
    void refuse(std::string_view code, std::string_view key, std::string_view reason) const;
    void refuseKind(std::string_view key, std::string_view expected, const Json &found) const;

    /// Keeps the keys that are not known under unknown[name], and adds each one's place to `places`, with the nearest known key.
    void keepUnknown(Json &unknown, std::string &places) const;

private:
    std::optional<std::int64_t> whole(std::string_view key, std::int64_t least, std::string_view expected) const;

    const Json *m_object = nullptr;
    std::string_view m_name, m_prefix;
    std::span<const std::string_view> m_known;
    Notes &m_notes;
};

} // namespace kv
