// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reader.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"
#include "core/model/wholevalue.h"

#include <algorithm>

namespace kv {

Reader::Reader(const LanguagePart &part, ModelSpec &spec, Notes &notes)
    : m_part(part), m_defaults(classDefaults(part.type)), m_spec(spec), m_notes(notes), m_typeKnown(m_defaults != nullptr) {}

const Json *Reader::find(std::string_view key) const {
    const Json *block = &text();
    for (std::size_t dot = key.find('.'); block && dot != std::string_view::npos; dot = key.find('.')) {
        block = block->find(key.substr(0, dot));
        key.remove_prefix(dot + 1);
    }
    return block ? block->find(key) : nullptr;
}

bool Reader::has(std::string_view key) const {
    const Json *value = find(key);
    return value && !value->isNull();
}

const Json *Reader::defaultOf(std::string_view key) const {
    return m_defaults && m_defaults->values ? m_defaults->values->find(key) : nullptr;
}

namespace {

/// Where 0 is as good as absent, 1 is what is asked for.
std::string expectation(Range range) {
    const bool optional = range.least == 0 && range.most == optionalSizeRange.most;
    return "a whole number of " + writeNumber(optional ? 1 : range.least) + " or more";
}

} // namespace

std::optional<std::int64_t> Reader::number(const Json &value, const std::string &where, Range range) {
    std::int64_t result = 0;
    const Reading reading = readWhole(value, result);
    if (reading == Reading::NoWhole || (reading != Reading::TooLarge && result < range.least)) {
        refuse("bad-value", where, "expected " + expectation(range) + ", found " + describe(value));
        return std::nullopt;
    }
    if (reading == Reading::TooLarge || result > range.most) {
        refuse("range", where,
               describe(value) + " is out of range: expected a whole number from " + writeNumber(range.least) + " to " + writeNumber(range.most));
        return std::nullopt;
    }
    if (reading == Reading::FromText)
        warn("number-as-text", where, "the number is written as text, " + describe(value) + "; read as " + writeNumber(result));
    return result;
}

Whole Reader::whole(Keys keys, Range range, Fill fill) {
    Whole result;
    for (const std::string_view key : keys) {
        const Json *value = find(key);
        if (!value)
            continue;
        if (value->isNull()) {
            result.said = Whole::Said::Null;
            result.key = result.key.empty() ? key : result.key;
            continue;
        }
        return {Whole::Said::Value, number(*value, at(key), range).value_or(range.least), Origin::File, key};
    }
    if (result.said == Whole::Said::Null || fill == Fill::Never)
        return result;
    for (const std::string_view key : keys) {
        const Json *value = defaultOf(key);
        std::int64_t n = 0;
        if (value && readWhole(*value, n) == Reading::Fine && n >= range.least && n <= range.most)
            return {Whole::Said::Value, n, Origin::ClassDefault, key};
    }
    return result;
}

std::int64_t Reader::glimpse(Keys keys) const {
    for (const std::string_view key : keys) {
        const Json *value = find(key);
        value = value ? value : defaultOf(key);
        if (value && value->isArray() && !value->items().empty()) // a list with an entry for each layer: the first
            value = &value->items().front();
        std::int64_t n = 0;
        if (value && readWhole(*value, n) < Reading::NoWhole && n > 0)
            return n;
    }
    return 0;
}

std::optional<bool> Reader::flag(std::string_view key, Fill fill) {
    const Json *value = find(key);
    const bool said = value != nullptr;
    if (!said && fill == Fill::ClassDefault)
        value = defaultOf(key);
    if (!value || value->isNull())
        return std::nullopt;
    if (value->isBool())
        return value->boolean();
    if (value->kind() == Json::Kind::Integer && (value->integer() == 0 || value->integer() == 1))
        return value->integer() == 1;
    if (said)
        refuse("bad-value", at(key), "expected true or false, found " + describe(*value));
    return std::nullopt;
}

std::string_view Reader::word(std::string_view key, Fill fill) {
    const Json *value = find(key);
    if (!value && fill == Fill::ClassDefault)
        value = defaultOf(key);
    return value && value->isString() ? std::string_view(value->text()) : std::string_view();
}

const Json *Reader::list(std::string_view key) {
    const Json *value = find(key);
    if (!value)
        value = defaultOf(key);
    if (!value || value->isNull())
        return nullptr;
    if (value->isArray())
        return value;
    refuse("bad-value", at(key), "expected a list with an entry for each layer, found " + describe(*value));
    return nullptr;
}

const Json *Reader::object(std::string_view key) {
    const Json *value = find(key);
    if (!value || value->isNull())
        return nullptr;
    if (value->isObject())
        return value;
    refuse("bad-value", at(key), "expected an object { … }, found " + describe(*value));
    return nullptr;
}

std::int64_t Reader::entry(const Json &value, const std::string &where, Range range) {
    return number(value, where, range).value_or(range.least);
}

void Reader::refuse(std::string code, std::string where, std::string sentence) {
    m_failed = true;
    const std::string text = where.empty() ? std::move(sentence) : where + ": " + sentence;
    m_notes.push_back(errorNote(std::move(code), std::move(where), oneLine(text)));
}

void Reader::warn(std::string code, std::string where, std::string sentence) {
    const std::string text = where.empty() ? std::move(sentence) : where + ": " + sentence;
    m_notes.push_back(warningNote(std::move(code), std::move(where), oneLine(text)));
}

void Reader::inform(std::string code, std::string where, std::string sentence) {
    const std::string text = where.empty() ? std::move(sentence) : where + ": " + sentence;
    m_notes.push_back(infoNote(std::move(code), std::move(where), oneLine(text)));
}

void Reader::need(const Whole &fact, std::string_view name) {
    if (fact.said == Whole::Said::Null)
        refuse("bad-value", at(fact.key), "expected a whole number of 1 or more, found null");
    else if (fact.said == Whole::Said::Absent)
        m_missing.emplace_back(at(name));
}

bool Reader::refuseMissing() {
    if (m_missing.empty())
        return m_failed;
    std::string names;
    for (std::size_t i = 0; i < m_missing.size(); ++i)
        names += (i == 0 ? "" : i + 1 == m_missing.size() ? " and " : ", ") + m_missing[i];
    std::string kind = m_part.writtenType.empty() ? "the file names no model_type" : "model type \"" + m_part.writtenType + "\"";
    if (!m_part.writtenType.empty() && !m_typeKnown)
        kind += ", which is not known here";
    refuse("missing-key", {}, names + (m_missing.size() == 1 ? " is missing" : " are missing") + " (" + kind
               + "); without " + (m_missing.size() == 1 ? "it" : "them") + " the size of the cache is not known");
    m_notes.back().where = m_missing.front();
    m_missing.clear();
    return true;
}

std::string Reader::origin(const Whole &fact) const {
    return fact.origin == Origin::ClassDefault ? "default of this model type (" + m_part.type + ")" : at(fact.key);
}

void Reader::addFact(Role role, const Whole &fact, std::string trap) {
    if (fact.origin == Origin::ClassDefault)
        m_filled += (m_filled.empty() ? "" : ", ") + std::string(fact.key) + " " + writeNumber(fact.value);
    m_spec.facts.push_back({role, fact.value, fact.origin, origin(fact), std::move(trap)});
}

void Reader::addDerived(Role role, std::int64_t value, std::string from, std::string trap) {
    m_spec.facts.push_back({role, value, Origin::Derived, std::move(from), std::move(trap)});
}

void Reader::addAssumed(Role role, std::int64_t value, std::string from, std::string sentence) {
    m_spec.facts.push_back({role, value, Origin::Assumed, std::move(from), {}});
    warn("assumption", {}, std::move(sentence));
}

void Reader::noteFilled() {
    if (!m_filled.empty())
        warn("class-default", m_part.path.empty() ? std::string() : m_part.path.substr(0, m_part.path.size() - 1),
             "left out in the file, taken from the defaults of model type " + m_part.type + ": " + m_filled);
}

std::string counted(std::int64_t n, std::string_view noun) {
    return writeNumber(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

} // namespace kv
