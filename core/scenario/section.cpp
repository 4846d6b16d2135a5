// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/section.h"

#include "core/base/plaintext.h"
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kv {

namespace {

constexpr std::string_view tokensExpected = "a whole number of tokens, or text such as \"128k\" (k = 1,024)";
constexpr std::string_view countExpected = "a whole number, 1 or more";
constexpr std::string_view bytesExpected = "a whole number of bytes";

/// A Real as it was written, else as short as it reads back equal.
std::string writtenReal(const Json &value) {
    if (!value.text().empty())
        return value.text();
    std::array<char, 40> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value.real(), std::chars_format::fixed).ptr;
    return std::string(digits.data(), end);
}

} // namespace

Section::Section(const Json &parent, std::string_view name, std::string_view prefix, std::span<const std::string_view> known, Notes &notes)
    : m_name(name), m_prefix(prefix), m_known(known), m_notes(notes) {
    const Json *object = name.empty() ? &parent : parent.find(name);
    if (!object || object->isNull())
        return;
    if (object->isObject()) {
        m_object = object;
        return;
    }
    const std::string at = std::string(prefix) + std::string(name);
    m_notes.push_back(errorNote("bad-value", at, at + ": expected an object, found " + describe(*object)));
}

const Json *Section::find(std::string_view key) const {
    const Json *value = m_object ? m_object->find(key) : nullptr;
    return value && !value->isNull() ? value : nullptr;
}

std::string Section::place(std::string_view key) const {
    std::string at(m_prefix);
    at += m_name;
    if (!m_name.empty() && !key.empty())
        at += '.';
    return at += key;
}

void Section::refuse(std::string_view code, std::string_view key, std::string_view reason) const {
    std::string at = place(key);
    std::string text = at + ": " + std::string(reason);
    m_notes.push_back(errorNote(std::string(code), std::move(at), std::move(text)));
}

void Section::refuseKind(std::string_view key, std::string_view expected, const Json &found) const {
    refuse("bad-value", key, "expected " + std::string(expected) + ", found " + describe(found));
}

std::optional<std::int64_t> Section::whole(std::string_view key, std::int64_t least, std::string_view expected) const {
    const Json *value = find(key);
    if (!value)
        return std::nullopt;
    std::int64_t number = 0;
    if (value->kind() == Json::Kind::Integer) {
        number = value->integer();
    } else if (value->kind() == Json::Kind::Real && std::trunc(value->real()) == value->real()) {
        // 131072.0 is a whole number; 9223372036854775808 is one too, but none that can be counted with.
        constexpr double limit = 9223372036854774784.0; // the largest double below 2^63
        if (std::abs(value->real()) > limit) {
            refuse("out-of-range", key, describe(*value) + " is out of range (at most 2^63 − 1)");
            return std::nullopt;
        }
        number = static_cast<std::int64_t>(value->real());
    } else {
        refuseKind(key, expected, *value);
        return std::nullopt;
    }
    if (number < least) {
        const bool says = expected.find("or more") != std::string_view::npos;
        refuse("out-of-range", key, "expected " + std::string(expected) + (says ? std::string() : ", at least " + std::to_string(least)) + ", found " + std::to_string(number));
        return std::nullopt;
    }
    return number;
}

std::optional<Tokens> Section::tokens(std::string_view key) const {
    if (const Json *value = find(key); value && value->isString()) {
        Parsed<Tokens> read = readTokens(value->text(), place(key));
        m_notes.insert(m_notes.end(), read.notes.begin(), read.notes.end());
        return read.value;
    }
    const std::optional<std::int64_t> number = whole(key, 0, tokensExpected);
    return number ? std::optional(Tokens(*number)) : std::nullopt;
}

std::optional<Count> Section::count(std::string_view key) const {
    if (const Json *value = find(key); value && value->isString()) {
        Parsed<Count> read = readCount(value->text(), place(key));
        m_notes.insert(m_notes.end(), read.notes.begin(), read.notes.end());
        if (read.value && read.value->value < 1) {
            refuseKind(key, countExpected, *value);
            return std::nullopt;
        }
        return read.value;
    }
    const std::optional<std::int64_t> number = whole(key, 1, countExpected);
    return number ? std::optional(Count(*number)) : std::nullopt;
}

std::optional<Bytes> Section::bytes(std::string_view key, std::int64_t least) const {
    // The file holds bytes, as its key says; a text with a unit belongs to the command line. What it would be is said.
    if (const Json *value = find(key); value && value->isString()) {
        const Parsed<Bytes> meant = readBytes(value->text(), place(key));
        refuse("bad-value", key, "expected " + std::string(bytesExpected) + ", found " + describe(*value) +
                                     (meant ? "; write " + std::to_string(meant->value) : std::string()));
        return std::nullopt;
    }
    const std::optional<std::int64_t> number = whole(key, least, bytesExpected);
    return number ? std::optional(Bytes(*number)) : std::nullopt;
}

std::optional<std::int64_t> Section::number(std::string_view key) const { return whole(key, 0, "a whole number, 0 or more"); }

std::optional<std::int64_t> Section::fraction(std::string_view key) const {
    static constexpr std::string_view expected = "a fraction from 0 up to, but not, 1 (0.1 for 10 %)";
    constexpr std::int64_t one = 1'000'000'000;
    const Json *value = find(key);
    if (!value)
        return std::nullopt;
    std::optional<std::int64_t> read;
    if (value->isString()) {
        read = readFraction(value->text(), place(key)).value;
    } else if (value->kind() == Json::Kind::Integer) {
        read = checked::mul(value->integer(), one);
    } else if (value->kind() == Json::Kind::Real) {
        // As the decimal it is written as; only what has an exponent goes by its double.
        read = readFraction(writtenReal(*value), place(key)).value;
        if (!read && std::abs(value->real()) < 1)
            read = std::llround(value->real() * static_cast<double>(one));
    }
    if (!read || *read < 0 || *read >= one) {
        refuseKind(key, expected, *value);
        return std::nullopt;
    }
    return read;
}

std::optional<std::string> Section::text(std::string_view key) const {
    const Json *value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->isString()) {
        refuseKind(key, "a text in quotes", *value);
        return std::nullopt;
    }
    return value->text();
}

std::optional<bool> Section::boolean(std::string_view key) const {
    const Json *value = find(key);
    if (!value)
        return std::nullopt;
    if (!value->isBool()) {
        refuseKind(key, "true or false", *value);
        return std::nullopt;
    }
    return value->boolean();
}

std::optional<double> Section::amount(std::string_view key) const {
    const Json *value = find(key);
    if (!value)
        return std::nullopt;
    const bool usable = value->kind() == Json::Kind::Integer || value->kind() == Json::Kind::Real;
    if (!usable || value->real() < 0) {
        refuseKind(key, "a number, 0 or more", *value);
        return std::nullopt;
    }
    return value->real();
}

const Json *Section::object(std::string_view key) const {
    const Json *value = find(key);
    if (value && !value->isObject()) {
        refuseKind(key, "an object", *value);
        return nullptr;
    }
    return value;
}

void Section::keepUnknown(Json &unknown, std::string &places) const {
    if (!m_object)
        return;
    for (const auto &[key, value] : m_object->members()) {
        if (std::ranges::find(m_known, std::string_view(key)) != m_known.end())
            continue;
        if (!unknown.find(m_name))
            unknown.set(std::string(m_name), Json::object());
        unknown.find(m_name)->set(key, value);
        places += places.empty() ? "" : ", ";
        places += place(oneLine(key, 80));
        if (const std::string_view near = nearestName(key, m_known); !near.empty())
            places.append(" (did you mean ").append(near).append("?)");
    }
}

} // namespace kv
