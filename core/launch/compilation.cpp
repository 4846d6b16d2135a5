// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/compilation.h"

#include "core/base/json.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace kv {

namespace {

std::string wordOf(const Json &value) {
    std::string text = value.isString() ? value.text() : writeJson(value);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

} // namespace

GraphsSaid graphsSaid(std::string_view value) {
    GraphsSaid said;
    if (value.size() == 1 && value[0] >= '0' && value[0] <= '9') {
        said.none = value[0] == '0';
        return said;
    }
    const Parsed<Json> config = parseJson(value, "--compilation-config");
    if (!config || !config->isObject()) {
        said.bad = true;
        return said;
    }
    const auto is = [&](std::string_view key, std::string_view word) {
        const Json *there = config->find(key);
        return there && wordOf(*there) == word;
    };
    said.none = is("cudagraph_mode", "NONE") || is("cudagraph_mode", "0") || is("use_cudagraph", "FALSE");
    for (const std::string_view key : {"cudagraph_capture_sizes", "max_cudagraph_capture_size"})
        if (const Json *there = config->find(key); there && !there->isNull())
            said.sizes = true;
    return said;
}

} // namespace kv
