// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/options.h"

#include "core/base/quantity.h"
#include "core/engine/ranges.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace kv {

namespace {

std::string where(std::string_view option) { return "engine.options." + std::string(option); }

std::optional<std::int64_t> asWhole(const Json &value) {
    if (value.kind() == Json::Kind::Integer)
        return value.integer();
    if (value.isString()) {
        if (const std::string &text = value.text(); !text.empty() && text.front() == '-') {
            const auto positive = readTokens(std::string_view(text).substr(1), {});
            return positive ? std::optional(-positive->value) : std::nullopt;
        }
        const auto tokens = readTokens(value.text(), {});
        return tokens ? std::optional(tokens->value) : std::nullopt;
    }
    // Bounded before it is converted: a conversion that leaves 64 bits is undefined.
    if (value.kind() == Json::Kind::Real && value.real() > -1e15 && value.real() < 1e15 &&
        value.real() == static_cast<double>(static_cast<std::int64_t>(value.real())))
        return static_cast<std::int64_t>(value.real());
    return std::nullopt;
}

std::optional<Bytes> asSize(const Json &value) {
    if (value.isString()) {
        const auto bytes = readBytes(value.text(), {});
        return bytes ? std::optional(*bytes) : std::nullopt;
    }
    const std::optional<std::int64_t> whole = asWhole(value);
    return whole && *whole >= 0 ? std::optional(Bytes(*whole)) : std::nullopt;
}

std::optional<std::int64_t> asFraction(const Json &value) {
    const std::string text = value.isString() ? value.text() : value.isNumber() ? writeJson(value) : std::string();
    const auto fraction = readFraction(text, {});
    return fraction ? std::optional(*fraction) : std::nullopt;
}

std::optional<bool> asBool(const Json &value) {
    if (value.isBool())
        return value.boolean();
    if (value.isString() && (value.text() == "true" || value.text() == "on" || value.text() == "1"))
        return true;
    if (value.isString() && (value.text() == "false" || value.text() == "off" || value.text() == "0"))
        return false;
    return std::nullopt;
}

/// The word as the table spells it; true and false stand for on and off where those are words.
std::optional<std::string_view> asWord(const Json &value, std::string_view words) {
    std::string_view text = value.isString() ? std::string_view(value.text()) : std::string_view();
    if (value.isBool())
        text = value.boolean() ? "on" : "off";
    for (std::string_view rest = words; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == text)
            return rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::nullopt;
}

/// The items of an array, of a text between its commas, or one alone.
std::vector<Json> itemsOf(const Json &value) {
    if (value.isArray())
        return {value.items().begin(), value.items().end()};
    if (!value.isString())
        return {value};
    std::vector<Json> items;
    for (std::string_view rest = value.text(); !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        items.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return items;
}

std::optional<std::vector<std::int64_t>> readEach(const Json &value, std::optional<std::int64_t> (*read)(const Json &)) {
    std::vector<std::int64_t> list;
    for (const Json &item : itemsOf(value)) {
        const std::optional<std::int64_t> one = read(item);
        if (!one)
            return std::nullopt;
        list.push_back(*one);
    }
    return list;
}

std::optional<std::vector<std::int64_t>> asList(const Json &value) { return readEach(value, asWhole); }

/// Whole numbers as they stand; where one is a fraction all are read as such, and made whole in the same proportions.
std::optional<std::vector<std::int64_t>> asShares(const Json &value) {
    if (auto whole = asList(value))
        return whole;
    auto shares = readEach(value, asFraction);
    std::int64_t common = 0;
    for (const std::int64_t share : shares.value_or(std::vector<std::int64_t>{}))
        common = std::gcd(common, share);
    if (common > 0)
        for (std::int64_t &share : *shares)
            share /= common;
    return shares;
}

std::string_view expected(const EngineOption &option) {
    switch (option.kind) {
    case OptionKind::Whole:
        return "a whole number";
    case OptionKind::Size:
        return "a size such as 80GiB or a number of bytes";
    case OptionKind::Fraction:
        return "a fraction from 0 to 1 such as 0.92";
    case OptionKind::Ratio:
        return "a ratio of 0 or more such as 0.8";
    case OptionKind::Bool:
        return "true or false";
    case OptionKind::Word:
        return option.words.empty() ? std::string_view("a text") : option.words;
    case OptionKind::Type:
        return "a type such as fp32, bf16, fp16, fp8 or fp4";
    case OptionKind::List:
        return "a list of whole numbers";
    case OptionKind::Shares:
        return "a list of shares such as 3,1 or 0.75,0.25";
    }
    return {};
}

bool isOfKind(const Json &value, const EngineOption &option) {
    switch (option.kind) {
    case OptionKind::Whole:
        return asWhole(value).has_value();
    case OptionKind::Size:
        return asSize(value).has_value();
    case OptionKind::Fraction:
        return asFraction(value).value_or(-1) >= 0 && *asFraction(value) <= fractionOne;
    case OptionKind::Ratio:
        return asFraction(value).value_or(-1) >= 0;
    case OptionKind::Bool:
        return asBool(value).has_value();
    case OptionKind::Word:
        // A release such as 0.24 may stand there as a number; it counts as it is written.
        return option.words.empty() ? value.isString() || value.kind() == Json::Kind::Real : asWord(value, option.words).has_value();
    case OptionKind::Type:
        return value.isString() && elementTypeFromName(value.text()).has_value();
    case OptionKind::List:
        return asList(value).has_value();
    case OptionKind::Shares:
        return asShares(value).has_value();
    }
    return false;
}

} // namespace

std::optional<Note> checkOptions(const Engine &engine, const Json &options) {
    if (!options.isNull() && !options.isObject())
        return errorNote("bad-value", "engine.options", "engine.options: expected an object, found " + describe(options));
    for (const auto &[name, value] : options.members()) {
        const auto known = std::ranges::find(engine.options(), std::string_view(name), &EngineOption::name);
        if (known == engine.options().end()) {
            std::vector<std::string_view> names;
            for (const EngineOption &option : engine.options())
                names.push_back(option.name);
            std::string text = where(name) + ": " + std::string(engine.id()) + " has no option of this name";
            if (const std::string_view nearest = nearestName(name, names); !nearest.empty()) {
                text += "; did you mean " + std::string(nearest) + "?";
            } else {
                text += "; it has";
                for (std::size_t i = 0; i < names.size(); ++i)
                    text += (i == 0 ? " " : ", ") + std::string(names[i]);
            }
            return errorNote("unknown-option", where(name), std::move(text));
        }
        if (!value.isNull() && !isOfKind(value, *known))
            return errorNote("bad-value", where(name),
                             where(name) + ": expected " + std::string(expected(*known)) + ", found " + describe(value));
    }
    return checkRanges(engine, options);
}

bool OptionReader::has(std::string_view name) const {
    const Json *value = m_options->find(name);
    return value && !value->isNull();
}

std::optional<std::int64_t> OptionReader::whole(std::string_view name) const {
    return has(name) ? asWhole(*m_options->find(name)) : std::nullopt;
}
std::optional<Bytes> OptionReader::size(std::string_view name) const {
    return has(name) ? asSize(*m_options->find(name)) : std::nullopt;
}
std::optional<std::int64_t> OptionReader::fraction(std::string_view name) const {
    return has(name) ? asFraction(*m_options->find(name)) : std::nullopt;
}
std::optional<bool> OptionReader::boolean(std::string_view name) const {
    return has(name) ? asBool(*m_options->find(name)) : std::nullopt;
}
std::optional<std::string_view> OptionReader::word(std::string_view name) const {
    if (!has(name))
        return std::nullopt;
    const Json &value = *m_options->find(name);
    if (value.isBool())
        return value.boolean() ? "on" : "off";
    return std::string_view(value.text());
}
std::optional<ElementType> OptionReader::type(std::string_view name) const {
    return has(name) ? elementTypeFromName(m_options->find(name)->text()) : std::nullopt;
}
std::vector<std::int64_t> OptionReader::list(std::string_view name) const {
    return has(name) ? asList(*m_options->find(name)).value_or(std::vector<std::int64_t>{}) : std::vector<std::int64_t>{};
}
std::vector<std::int64_t> OptionReader::shares(std::string_view name) const {
    return has(name) ? asShares(*m_options->find(name)).value_or(std::vector<std::int64_t>{}) : std::vector<std::int64_t>{};
}

} // namespace kv
