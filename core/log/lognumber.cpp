// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/log/lognumber.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace kv {

namespace {

constexpr int mostDigits = 18;
__extension__ using Wide = __int128;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSeparator(char c) { return c == ',' || c == '_'; }

/// Digits before the point, without separators; false where the groups are not of three.
bool takeWhole(std::string_view text, std::int64_t &digits, int &count) {
    const bool grouped = text.find_first_of(",_") != std::string_view::npos;
    std::size_t group = 0;
    bool first = true;
    for (const char c : text) {
        if (isSeparator(c)) {
            if (group == 0 || group > 3 || (!first && group != 3))
                return false;
            first = false;
            group = 0;
            continue;
        }
        ++group;
        if (count == 0 && c == '0') // leading zeros say nothing
            continue;
        if (++count > mostDigits)
            return false;
        digits = digits * 10 + (c - '0');
    }
    return group > 0 && (!grouped || group == 3);
}

std::optional<Decimal> decimalOf(std::string_view text) {
    Decimal number;
    int count = 0;
    const bool negative = !text.empty() && text.front() == '-';
    if (negative || (!text.empty() && text.front() == '+'))
        text.remove_prefix(1);
    const std::size_t point = text.find('.');
    if (!takeWhole(text.substr(0, point), number.digits, count))
        return std::nullopt;
    if (point != std::string_view::npos)
        for (const char c : text.substr(point + 1)) {
            if (!isDigit(c))
                return std::nullopt;
            if (count >= mostDigits || number.decimals >= mostDigits)
                continue;
            number.digits = number.digits * 10 + (c - '0');
            ++number.decimals;
            count += count > 0 || c != '0' ? 1 : 0;
        }
    if (negative)
        number.digits = -number.digits;
    return number;
}

Wide powerOfTen(int exponent) {
    Wide power = 1;
    for (int i = 0; i < exponent; ++i)
        power *= 10;
    return power;
}

} // namespace

std::optional<std::int64_t> Decimal::whole() const {
    const Wide power = powerOfTen(decimals);
    return digits % power == 0 ? std::optional(static_cast<std::int64_t>(digits / power)) : std::nullopt;
}

double Decimal::real() const { return static_cast<double>(digits) / static_cast<double>(powerOfTen(decimals)); }

std::optional<std::int64_t> Decimal::times(std::int64_t unit) const {
    const Wide power = powerOfTen(decimals), product = static_cast<Wide>(digits < 0 ? -digits : digits) * unit;
    const Wide rounded = product / power + (product % power * 2 >= power ? 1 : 0);
    if (rounded > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    return static_cast<std::int64_t>(digits < 0 ? -rounded : rounded);
}

FoundNumber numberAt(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t=:(\"'");
    if (begin == std::string_view::npos)
        return {};
    text.remove_prefix(begin);
    std::size_t end = text.front() == '-' || text.front() == '+' ? 1 : 0;
    const std::size_t sign = end;
    while (end < text.size() && (isDigit(text[end]) || isSeparator(text[end]) || text[end] == '.'))
        ++end;
    while (end > sign && !isDigit(text[end - 1])) // a comma or a full stop of the sentence
        --end;
    const bool word = end == sign || (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E') &&
                                      (isDigit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+'));
    if (word) {
        constexpr std::size_t longest = 24;
        const std::size_t stop = std::min({text.find_first_of(" \t,;)"), text.size(), longest});
        return {text.substr(0, stop), std::nullopt, text.substr(stop)};
    }
    return {text.substr(0, end), decimalOf(text.substr(0, end)), text.substr(end)};
}

std::optional<std::int64_t> unitAt(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(begin);
    constexpr std::string_view letters = "KMGT";
    const auto upper = [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); };
    const std::size_t power = letters.find(upper(text.front()));
    std::size_t end = 1;
    if (power != std::string_view::npos) {
        if (end < text.size() && text[end] == 'i')
            ++end;
        if (end < text.size() && upper(text[end]) == 'B')
            ++end;
    } else if (text.starts_with("bytes")) {
        end = 5;
    } else if (text.front() != 'B') {
        return std::nullopt;
    }
    if (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])))
        return std::nullopt;
    return power == std::string_view::npos ? 1 : std::int64_t{1} << (10 * (power + 1));
}

} // namespace kv
