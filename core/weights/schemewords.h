// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the readers of quantisation blocks share: the values of a block, and the labels of schemes.

#include "core/weights/schemes.h"

namespace kv {

struct Scheme {
    StoredAs as;
    std::string label; ///< empty: not known
};

std::string lower(std::string_view text);
std::string_view wordOf(const Json &config, std::string_view key);
bool flagOf(const Json &config, std::string_view key, bool otherwise = false);
/// A whole number, −1 included ("one group a row"), else `otherwise`.
std::int64_t numberOf(const Json &config, std::string_view key, std::int64_t otherwise);

std::string groupLabel(std::string_view name, std::int64_t bits, std::int64_t group);
bool plausibleBits(std::int64_t bits);
/// A label for all of several schemes.
void joinLabel(std::string &label, std::string_view more);
SchemeReading unknownScheme(std::string_view name);

} // namespace kv
