// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launchvalues.h"

#include "core/base/units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace kv {

namespace {

std::optional<double> real(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> whole(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

std::int64_t scaleOf(char suffix) {
    constexpr std::string_view letters = "kmgtKMGT";
    constexpr std::int64_t scales[]{1'000,           1'000'000,       1'000'000'000,   1'000'000'000'000,
                                    std::int64_t{1} << 10, std::int64_t{1} << 20, std::int64_t{1} << 30, std::int64_t{1} << 40};
    const std::size_t at = letters.find(suffix);
    return at == std::string_view::npos ? 0 : scales[at];
}

/// Shares as whole numbers: "3,1", "0.6/0.4".
std::optional<Json> shares(std::string text) {
    std::ranges::replace(text, '/', ',');
    std::ranges::replace(text, ';', ',');
    std::vector<double> list;
    bool fraction = false;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::optional<double> one = real(rest.substr(0, end));
        if (!one || *one < 0 || *one > 1e9)
            return std::nullopt;
        fraction = fraction || *one != std::floor(*one);
        list.push_back(*one);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    Json out = Json::array();
    constexpr double fine = 1e9; // as the option takes fractions
    for (const double one : list)
        out.push(static_cast<std::int64_t>(std::llround(one * (fraction ? fine : 1))));
    return out;
}

} // namespace

std::optional<std::int64_t> launchNumber(std::string_view engine, std::string_view text) {
    if (const auto plain = whole(text))
        return plain;
    if (text.empty() || engine != "vllm")
        return std::nullopt;
    const bool binary = text.size() > 1 && text.back() == 'i'; // "25Gi", as people write what vLLM calls 25G
    const char letter = text[text.size() - (binary ? 2 : 1)];
    const std::int64_t scale = scaleOf(binary ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter);
    const auto value = scale > 0 ? real(text.substr(0, text.size() - (binary ? 2 : 1))) : std::nullopt;
    if (!value || std::abs(*value) * static_cast<double>(scale) > 9e18)
        return std::nullopt;
    return std::llround(*value * static_cast<double>(scale));
}

std::optional<Json> launchValue(std::string_view engine, const Flag &flag, const EngineOption &option, const std::string &text) {
    if (text == "auto" && option.kind != OptionKind::Word)
        return Json();
    if (flag.option == "n_gpu_layers" && text == "all")
        return Json();
    if (flag.option == "tensor_split")
        return shares(text);
    if (flag.option == "flash_attn")
        return Json(text == "1" ? "on" : text == "0" ? "off" : text.c_str());
    if (flag.option == "fit_margin_bytes") {
        const auto mib = whole(std::string_view(text).substr(0, text.find(',')));
        return mib && *mib >= 0 && *mib < (std::int64_t{1} << 40) ? std::optional<Json>(*mib * mebibyte) : std::nullopt;
    }
    if (option.kind == OptionKind::Whole || option.kind == OptionKind::Size) {
        const auto number = launchNumber(engine, text);
        if (!number)
            return std::nullopt;
        // -1 is "not set" to all four; a chunk of −1 turns chunks off, for which the engine has no default here either.
        return *number < 0 ? std::optional<Json>(Json()) : std::optional<Json>(*number);
    }
    if ((option.kind == OptionKind::Fraction || option.kind == OptionKind::Ratio) && !real(text))
        return std::nullopt;
    return Json(text);
}

std::string expectedValue(const EngineOption &option) {
    switch (option.kind) {
    case OptionKind::Whole:
    case OptionKind::Size:
        return "a whole number";
    case OptionKind::Fraction:
    case OptionKind::Ratio:
        return "a fraction such as 0.9";
    case OptionKind::Type:
        return "a type such as float32";
    case OptionKind::List:
    case OptionKind::Shares:
        return "a list of numbers";
    default:
        return option.words.empty() ? "a word" : std::string(option.words);
    }
}

} // namespace kv
