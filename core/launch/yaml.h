// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The part of YAML (1.2) that settings of servers are written in: maps and lists by indentation or in brackets on one line, plain and
// quoted scalars, comments. A scalar stays the text that it is written as; ~, null and nothing are null, True and False in lower case.
// Refused ("bad-launch-line", with the line): what is none of that, such as anchors, tags, texts over several lines and tabs as indentation.

#include "core/base/json.h"

#include <string_view>

namespace kv {

Parsed<Json> readYaml(std::string_view text, std::string_view name);

} // namespace kv
