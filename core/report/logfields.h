// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The fields of a ServerLog in the order they are shown, each with its key, its name for people and its kind.

#include "core/log/serverlog.h"

#include <span>
#include <string_view>
#include <variant>

namespace kv {

struct LogField {
    using Text = std::optional<std::string> ServerLog::*;
    using Number = std::optional<std::int64_t> ServerLog::*;
    using Size = std::optional<Bytes> ServerLog::*;
    using Length = std::optional<Tokens> ServerLog::*;
    using Real = std::optional<double> ServerLog::*;

    std::string_view key;  ///< of the JSON object
    std::string_view name; ///< "Weights of one GPU"
    std::variant<Text, Number, Size, Length, Real> field;
    bool fraction = false; ///< a Number in units of 10^-9
};

std::span<const LogField> logFields();

} // namespace kv
