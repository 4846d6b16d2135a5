// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What counting reads from a config beyond the facts of the ModelSpec: by its names in order, first in the language model's part, then in
// the class defaults of its type. An explicit null is not filled. The main sizes, asked for by need(), are filled in nested parts alone
// (which leave out what equals the default): a flat file that lacks one was never whole. The first that is missing is remembered, and the
// weights are then unknown.

#include "core/base/json.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

class WeightFields {
public:
    /// `defaults`: the class defaults of the part's model_type, or nullptr.
    WeightFields(const Json &part, const Json *defaults, bool nested) : m_part(part), m_defaults(defaults), m_nested(nested) {}

    /// The value, not null, in the part or its class defaults.
    const Json *find(std::string_view key) const;
    /// Only what the part itself says.
    const Json *told(std::string_view key) const;
    std::optional<std::int64_t> number(std::string_view key) const;
    /// The first of the keys that holds a whole number of 0 or more, else `otherwise`.
    std::int64_t number(std::initializer_list<std::string_view> keys, std::int64_t otherwise) const;
    std::int64_t need(std::initializer_list<std::string_view> keys);
    bool flag(std::string_view key, bool otherwise = false) const;
    std::string_view word(std::string_view key) const;
    bool list(std::string_view key) const;

    const Json &part() const { return m_part; }
    bool nested() const { return m_nested; }
    void missing(std::string_view key);
    const std::string &missing() const { return m_missing; }

private:
    const Json &m_part;
    const Json *m_defaults;
    bool m_nested;
    std::string m_missing;
};

/// A whole number of 0 or more, else nothing; a list gives its first (per-layer lists of Hunyuan).
std::optional<std::int64_t> wholeNumber(const Json &value);

} // namespace kv
