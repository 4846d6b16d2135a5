// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

namespace kv {

namespace {

struct Suffix {
    std::string_view name; ///< in lower case
    std::int64_t factor;
};

constexpr std::int64_t ki = 1024, mi = ki * ki, gi = mi * ki, ti = gi * ki;
constexpr std::int64_t kilo = 1000, mega = kilo * kilo, giga = mega * kilo, tera = giga * kilo;

constexpr std::array tokenSuffixes{Suffix{"", 1}, Suffix{"k", ki}, Suffix{"ki", ki}, Suffix{"m", mi}, Suffix{"mi", mi}};
constexpr std::array countSuffixes{Suffix{"", 1}, Suffix{"k", kilo}, Suffix{"ki", ki}, Suffix{"m", mega}, Suffix{"mi", mi}};
constexpr std::array sizeSuffixes{Suffix{"", 1},    Suffix{"b", 1},    Suffix{"kb", kilo}, Suffix{"mb", mega}, Suffix{"gb", giga},
                                  Suffix{"tb", tera}, Suffix{"kib", ki}, Suffix{"mib", mi},  Suffix{"gib", gi},  Suffix{"tib", ti}};

/// A decimal as its digits and the number of them after the point, so that 0.5M and 42.9GB are exact.
struct Decimal {
    std::int64_t digits = 0;
    std::int64_t scale = 1; ///< 10 to the number of digits after the point
    std::string suffix;     ///< what follows, in lower case, without spaces
    bool negative = false;
};

std::optional<Decimal> readDecimal(std::string_view text) {
    Decimal d;
    std::size_t i = 0;
    const auto skipSpace = [&] {
        while (i < text.size() && (text[i] == ' ' || text[i] == '\t'))
            ++i;
    };
    skipSpace();
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
        d.negative = text[i++] == '-';
    bool any = false, point = false;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '.' && !point) {
            point = true;
        } else if ((c == ',' || c == '_' || c == '\'') && any && !point) {
            // thousands, as people copy them: "131,072"; three digits must follow
            const auto digit = [&](std::size_t at) { return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); };
            if (!digit(i + 1) || !digit(i + 2) || !digit(i + 3) || digit(i + 4))
                return std::nullopt;
        } else if (std::isdigit(static_cast<unsigned char>(c))) {
            any = true;
            d.digits = checked::add(checked::mul(d.digits, 10), c - '0');
            if (point)
                d.scale = checked::mul(d.scale, 10);
        } else {
            break;
        }
    }
    if (!any)
        return std::nullopt;
    for (skipSpace(); i < text.size(); ++i)
        if (text[i] != ' ' && text[i] != '\t')
            d.suffix += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    return d;
}

Note unreadable(std::string_view where, std::string_view text, std::string_view expected) {
    std::string shown(text.substr(0, 60));
    return errorNote("bad-value", std::string(where), std::string(where) + ": expected " + std::string(expected) + ", found \"" + shown + "\"");
}

enum class Parts { Refused, OfAUnit }; ///< what becomes of a part of one: refused, or, of a unit with a name, rounded to the nearest one

template <typename Q, std::size_t N>
Parsed<Q> readQuantity(std::string_view text, std::string_view where, const std::array<Suffix, N> &suffixes, std::string_view expected, Parts parts = Parts::Refused) {
    const std::optional<Decimal> d = readDecimal(text);
    if (!d || d->negative)
        return {std::nullopt, {unreadable(where, text, expected)}};
    const auto suffix = std::ranges::find(suffixes, std::string_view(d->suffix), &Suffix::name);
    if (suffix == suffixes.end())
        return {std::nullopt, {unreadable(where, text, expected)}};
    // digits × factor ÷ scale, which must come out whole, or is a size as people and logs print it, with two decimals of a GiB.
    std::int64_t value = checked::mulDiv(d->digits, suffix->factor, d->scale);
    if (value == outOfRangeValue)
        return {std::nullopt,
                {errorNote("out-of-range", std::string(where), std::string(where) + ": \"" + std::string(text.substr(0, 60)) + "\" is out of range (at most 2^63 − 1)")}};
    __extension__ using Wide = __int128;
    if (const Wide rest = static_cast<Wide>(d->digits) * suffix->factor % d->scale; rest != 0) {
        if (parts == Parts::Refused || suffix->factor == 1)
            return {std::nullopt, {unreadable(where, text, expected)}};
        value = checked::add(value, 2 * rest >= d->scale ? 1 : 0);
    }
    return {Q(value), {}};
}

} // namespace

Parsed<Tokens> readTokens(std::string_view text, std::string_view where) {
    return readQuantity<Tokens>(text, where, tokenSuffixes, "a whole number of tokens such as 131072, 128k (k = 1,024) or 0.5M");
}

Parsed<Count> readCount(std::string_view text, std::string_view where) {
    return readQuantity<Count>(text, where, countSuffixes, "a whole number such as 10 or 2k (k = 1,000)");
}

Parsed<Bytes> readBytes(std::string_view text, std::string_view where) {
    return readQuantity<Bytes>(text, where, sizeSuffixes, "a size such as 80GB, 80GiB, 81559MiB or a number of bytes", Parts::OfAUnit);
}

Parsed<std::int64_t> readFraction(std::string_view text, std::string_view where) {
    constexpr std::int64_t one = 1'000'000'000;
    constexpr std::string_view expected = "a fraction such as 0.1 or 10 %";
    const std::optional<Decimal> d = readDecimal(text);
    if (!d || d->negative || (!d->suffix.empty() && d->suffix != "%"))
        return {std::nullopt, {unreadable(where, text, expected)}};
    const std::int64_t value = checked::mulDiv(d->digits, d->suffix.empty() ? one : one / 100, d->scale);
    if (value == outOfRangeValue)
        return {std::nullopt, {errorNote("out-of-range", std::string(where), std::string(where) + ": \"" + std::string(text.substr(0, 60)) + "\" is out of range")}};
    return {value, {}};
}

std::string writeNumber(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string writeTokensShort(Tokens tokens) {
    if (tokens.value >= mi && tokens.value % mi == 0)
        return writeNumber(tokens.value / mi) + "M";
    if (tokens.value >= ki && tokens.value % ki == 0)
        return writeNumber(tokens.value / ki) + "k";
    return writeNumber(tokens.value);
}

ScaledUnit unitFor(Bytes largest, SizeUnit unit) {
    static constexpr std::array<ScaledUnit, 4> decimal{{{tera, "TB"}, {giga, "GB"}, {mega, "MB"}, {kilo, "kB"}}};
    static constexpr std::array<ScaledUnit, 4> binary{{{ti, "TiB"}, {gi, "GiB"}, {mi, "MiB"}, {ki, "KiB"}}};
    const std::int64_t size = largest.value < 0 ? checked::sub(0, largest.value) : largest.value;
    for (const ScaledUnit &candidate : unit == SizeUnit::Decimal ? decimal : binary)
        // 1,030.8 GB reads better than 1.0 TB: a unit is taken from ten thousand of the smaller on.
        if (size >= candidate.divisor && (candidate.name.front() != 'T' || size >= 10 * candidate.divisor))
            return candidate;
    return {};
}

std::string writeBytes(Bytes bytes, SizeUnit unit) {
    if (!bytes.inRange())
        return "out of range";
    const ScaledUnit scaled = unitFor(bytes, unit);
    if (scaled.divisor == 1)
        return writeNumber(bytes.value) + " B";
    // Tenths, half up; whole numbers of a binary unit lose their ".0" ("320 KiB"), decimal ones keep it ("80.0 GB" only where not whole).
    const bool negative = bytes.value < 0;
    const std::int64_t size = negative ? -bytes.value : bytes.value;
    std::int64_t whole = size / scaled.divisor;
    const std::int64_t rest = size % scaled.divisor;
    __extension__ using Wide = __int128;
    std::int64_t tenths = static_cast<std::int64_t>((static_cast<Wide>(rest) * 20 + scaled.divisor) / (2 * static_cast<Wide>(scaled.divisor)));
    if (tenths == 10) {
        ++whole;
        tenths = 0;
    }
    std::string text = (negative ? "−" : "") + writeNumber(whole);
    if (rest != 0)
        text += "." + std::to_string(tenths);
    return text + " " + std::string(scaled.name);
}

} // namespace kv
