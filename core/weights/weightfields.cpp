// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/weightfields.h"

#include "core/model/wholevalue.h"

namespace kv {

std::optional<std::int64_t> wholeNumber(const Json &value) {
    if (value.isArray())
        return value.items().empty() || value.items().front().isArray() ? std::nullopt : wholeNumber(value.items().front());
    const std::optional<std::int64_t> whole = wholeValue(value);
    return whole && *whole >= 0 ? whole : std::nullopt;
}

const Json *WeightFields::told(std::string_view key) const {
    const Json *value = m_part.find(key);
    return value && !value->isNull() ? value : nullptr;
}

const Json *WeightFields::find(std::string_view key) const {
    if (m_part.find(key) || !m_defaults)
        return told(key);
    const Json *value = m_defaults->find(key);
    return value && !value->isNull() ? value : nullptr;
}

std::optional<std::int64_t> WeightFields::number(std::string_view key) const {
    const Json *value = find(key);
    return value ? wholeNumber(*value) : std::nullopt;
}

std::int64_t WeightFields::number(std::initializer_list<std::string_view> keys, std::int64_t otherwise) const {
    for (const std::string_view key : keys)
        if (const auto value = number(key))
            return *value;
    return otherwise;
}

std::int64_t WeightFields::need(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        const Json *value = m_nested ? find(key) : told(key);
        if (const auto size = value ? wholeNumber(*value) : std::nullopt; size && *size > 0)
            return *size;
    }
    missing(*keys.begin());
    return 0;
}

bool WeightFields::flag(std::string_view key, bool otherwise) const {
    const Json *value = key.empty() ? nullptr : find(key);
    return value && value->isBool() ? value->boolean() : otherwise;
}

std::string_view WeightFields::word(std::string_view key) const {
    const Json *value = find(key);
    return value && value->isString() ? std::string_view(value->text()) : std::string_view();
}

bool WeightFields::list(std::string_view key) const {
    const Json *value = find(key);
    return value && value->isArray() && !value->items().empty();
}

void WeightFields::missing(std::string_view key) {
    if (m_missing.empty())
        m_missing = key;
}

} // namespace kv
