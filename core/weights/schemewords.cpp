// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/schemewords.h"

#include "core/model/wholevalue.h"

#include <algorithm>
#include <cctype>

namespace kv {

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view wordOf(const Json &config, std::string_view key) {
    const Json *value = config.find(key);
    return value && value->isString() ? std::string_view(value->text()) : std::string_view();
}

bool flagOf(const Json &config, std::string_view key, bool otherwise) {
    const Json *value = config.find(key);
    return value && value->isBool() ? value->boolean() : otherwise;
}

std::int64_t numberOf(const Json &config, std::string_view key, std::int64_t otherwise) {
    const Json *value = config.find(key);
    return value ? wholeValue(*value).value_or(otherwise) : otherwise;
}

std::string groupLabel(std::string_view name, std::int64_t bits, std::int64_t group) {
    return std::string(name) + " " + std::to_string(bits) + " bit, " +
           (group > 0 ? "group " + std::to_string(group) : std::string("one group a row"));
}

bool plausibleBits(std::int64_t bits) { return bits >= 1 && bits <= 16; }

SchemeReading unknownScheme(std::string_view name) { return {false, std::string(name.empty() ? "unnamed" : name)}; }

void joinLabel(std::string &label, std::string_view more) {
    if (label.find(more) == std::string::npos)
        label.append(label.empty() ? "" : " + ").append(more);
}

} // namespace kv
