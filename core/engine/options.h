// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An engine's options, checked against its table: an unknown name is refused with the nearest known one (a misspelt option that
// changes nothing would be a wrong number shown with confidence), a value of another kind with what was expected.
// Values may be JSON values or, as the command line gives them, text: "0.92", "80GiB", "true".

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/engine/engine.h"

#include <optional>
#include <string_view>

namespace kv {

/// The first fault among the options given, or nothing. Checks names, kinds and what an engine takes of a kind alone (ranges.h); what
/// hangs on other settings is the engine's own business.
std::optional<Note> checkOptions(const Engine &engine, const Json &options);

/// Options after checkOptions() said nothing: absent or null gives nothing, everything else is of its kind.
class OptionReader {
public:
    explicit OptionReader(const Json &options) : m_options(&options) {}

    bool has(std::string_view name) const;
    std::optional<std::int64_t> whole(std::string_view name) const; ///< token counts read k as 1,024
    std::optional<Bytes> size(std::string_view name) const;
    std::optional<std::int64_t> fraction(std::string_view name) const; ///< in units of 10^-9
    std::optional<bool> boolean(std::string_view name) const;
    std::optional<std::string_view> word(std::string_view name) const;
    std::optional<ElementType> type(std::string_view name) const;
    /// A list of whole numbers; a text such as "16,32" is split at its commas. Empty when absent.
    std::vector<std::int64_t> list(std::string_view name) const;
    /// The same of shares, which may be fractions: "0.6,0.4" is 3 to 2.
    std::vector<std::int64_t> shares(std::string_view name) const;

private:
    const Json *m_options;
};

} // namespace kv
