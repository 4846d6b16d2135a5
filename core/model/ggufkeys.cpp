// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ggufkeys.h"

#include "core/base/quantity.h"

namespace kv {

GgufKeys::GgufKeys(const Json &metadata, std::string architecture, std::string_view source)
    : m_metadata(metadata), m_architecture(std::move(architecture)), m_source(source) {}

const Json *GgufKeys::find(std::string_view key) const { return m_metadata.find(fullKey(key)); }

void GgufKeys::refuse(std::string code, std::string_view key, const std::string &text) {
    const std::string full = fullKey(key);
    for (const Note &note : m_notes)
        if (note.severity == Severity::Error && note.where == full)
            return; // one sentence about a key is enough
    m_notes.push_back(errorNote(std::move(code), full, m_source + ": " + full + " " + text));
}

void GgufKeys::warn(std::string code, std::string_view key, const std::string &text) {
    const std::string full = fullKey(key);
    m_notes.push_back(warningNote(std::move(code), full, m_source + ": " + full + " " + text));
}

std::optional<std::int64_t> GgufKeys::whole(std::string_view key, const Json &value, std::int64_t most,
                                            std::string_view what) {
    std::int64_t number = 0;
    if (value.kind() == Json::Kind::Integer) {
        number = value.integer();
    } else if (value.isBool()) {
        number = value.boolean() ? 1 : 0; // patterns are lists of true and false; a count is never one
        if (what.empty()) {
            refuse("bad-value", key, "must be a whole number, not " + describe(value));
            return {};
        }
    } else if (value.kind() == Json::Kind::Real && value.real() >= 0 && value.real() < 9e15 &&
               value.real() == static_cast<double>(static_cast<std::int64_t>(value.real()))) {
        number = static_cast<std::int64_t>(value.real());
    } else if (value.isNumber() && value.real() > 9e15) {
        refuse("out-of-range", key, std::string(what) + "is out of range: " + describe(value));
        return {};
    } else {
        refuse("bad-value", key, std::string(what) + "must be a whole number, not " + describe(value));
        return {};
    }
    if (number < 0)
        refuse("bad-value", key, std::string(what) + "must not be negative: " + writeNumber(number));
    else if (number > most)
        refuse("out-of-range", key,
               std::string(what) + "is out of range: " + writeNumber(number) + " is more than " + writeNumber(most));
    else
        return number;
    return {};
}

std::optional<std::int64_t> GgufKeys::number(std::string_view key, std::int64_t most) {
    const Json *value = find(key);
    return value && !value->isNull() ? whole(key, *value, most, "") : std::nullopt;
}

std::int64_t GgufKeys::needed(std::string_view key) {
    if (!has(key))
        refuse("missing-key", key, "is missing; nothing can be planned without it");
    return numberOr(key, 0);
}

std::vector<std::int64_t> GgufKeys::perLayer(std::string_view key, std::int64_t blocks, std::int64_t trunk) {
    const Json *value = find(key);
    if (!value || value->isNull() || failed())
        return {};
    if (!value->isArray()) {
        const std::optional<std::int64_t> one = whole(key, *value, maxNumber, "");
        return one ? std::vector<std::int64_t>(static_cast<std::size_t>(blocks), *one) : std::vector<std::int64_t>();
    }
    const auto entries = static_cast<std::int64_t>(value->items().size());
    if (entries != blocks && entries != trunk) {
        refuse("bad-value", key, "has " + writeNumber(entries) + " entries for " + writeNumber(blocks) + " layers");
        return {};
    }
    std::vector<std::int64_t> list;
    list.reserve(static_cast<std::size_t>(blocks));
    for (const Json &item : value->items())
        if (const auto one = whole(key, item, maxNumber, "[" + std::to_string(list.size()) + "] "))
            list.push_back(*one);
        else
            return {};
    list.resize(static_cast<std::size_t>(blocks), 0);
    return list;
}

} // namespace kv
