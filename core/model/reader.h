// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every reader of a config works with: the language model's block, the class defaults behind it, and the ModelSpec and notes in
// front. It looks a fact up under all its names, knows absent from null, takes digit strings and whole floats for numbers, and refuses
// the rest with a sentence that says where, what was expected and what was found.
//
// A refused value leaves an Error among the notes and a harmless number in its place, so that one fault does not drag others behind it;
// callers ask failed() where it matters. Nothing here throws.

#include "core/model/defaults.h"
#include "core/model/languagepart.h"
#include "core/model/modelspec.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace kv {

using Keys = std::initializer_list<std::string_view>;

/// What a number may be, both ends included. Beyond `most` it is called out of range: no model is that large.
struct Range {
    std::int64_t least = 1;
    std::int64_t most = 100'000'000;
};

inline constexpr Range layerRange{1, 100'000};
inline constexpr Range headRange{1, 1'000'000};
inline constexpr Range sizeRange{1, 100'000'000};
inline constexpr Range optionalSizeRange{0, 100'000'000}; ///< 0 is as good as absent
inline constexpr Range tokenRange{1, 1'000'000'000'000};

/// What became of a fact that was looked up.
struct Whole {
    enum class Said : std::uint8_t { Absent, Null, Value } said = Said::Absent;
    std::int64_t value = 0;
    Origin origin = Origin::File;
    std::string_view key; ///< the name it stood under

    explicit operator bool() const { return said == Said::Value; }
};

/// Whether the defaults of the model type stand in for an absent key.
enum class Fill : std::uint8_t { Never, ClassDefault };

class Reader {
public:
    Reader(const LanguagePart &part, ModelSpec &spec, Notes &notes);

    const LanguagePart &part() const { return m_part; }
    const Json &root() const { return m_part.root(); }
    const Json &text() const { return m_part.text(); }
    const ClassDefaults *defaults() const { return m_defaults; }
    std::string_view type() const { return m_part.type; }
    ModelSpec &spec() { return m_spec; }
    Notes &notes() { return m_notes; }
    bool failed() const { return m_failed; }
    bool typeKnown() const { return m_typeKnown; }
    void setTypeKnown(bool known) { m_typeKnown = known; } ///< by class defaults at first; families know more
    /// Layers, heads and width of a flat file are never made up; of a nested block they may come from the class.
    Fill essential() const { return m_part.nested() ? Fill::ClassDefault : Fill::Never; }

    /// The member of the text part; each dot looks one level deeper ("attn_config.kv_n_heads").
    const Json *find(std::string_view key) const;
    bool has(std::string_view key) const; ///< present and not null
    const Json *defaultOf(std::string_view key) const;
    std::string at(std::string_view key) const { return m_part.path + std::string(key); }

    Whole whole(Keys keys, Range range = sizeRange, Fill fill = Fill::ClassDefault);
    /// A number that nothing depends on: what cannot be read counts as absent.
    std::int64_t glimpse(Keys keys) const;
    std::optional<bool> flag(std::string_view key, Fill fill = Fill::ClassDefault);
    std::string_view word(std::string_view key, Fill fill = Fill::ClassDefault); ///< empty: absent, null or no text
    /// The list under the key, of the file or of the class; nullptr when absent or null.
    const Json *list(std::string_view key);
    const Json *object(std::string_view key);
    /// An entry of a list, "layers[3]".
    std::int64_t entry(const Json &value, const std::string &where, Range range);

    void refuse(std::string code, std::string where, std::string sentence);
    void warn(std::string code, std::string where, std::string sentence);
    void inform(std::string code, std::string where, std::string sentence);
    /// A needed key that is absent (or null, which is said on the spot). refuseMissing() names all absent ones in one sentence.
    void need(const Whole &fact, std::string_view name);
    void needAlso(std::string_view names) { m_missing.emplace_back(names); }
    bool refuseMissing();

    void addFact(Role role, const Whole &fact, std::string trap = {});
    void addDerived(Role role, std::int64_t value, std::string from, std::string trap = {});
    void addAssumed(Role role, std::int64_t value, std::string from, std::string sentence);
    std::string origin(const Whole &fact) const; ///< "text_config.head_dim", "default of this model type (gemma3_text)"
    /// Says once which sizes came from the class.
    void noteFilled();

private:
    std::optional<std::int64_t> number(const Json &value, const std::string &where, Range range);

    const LanguagePart &m_part;
    const ClassDefaults *m_defaults = nullptr;
    ModelSpec &m_spec;
    Notes &m_notes;
    std::vector<std::string> m_missing;
    std::string m_filled;
    bool m_failed = false;
    bool m_typeKnown;
};

/// With a thousands separator and the noun in the right number: "1 layer", "1,024 layers".
std::string counted(std::int64_t n, std::string_view noun);

} // namespace kv
