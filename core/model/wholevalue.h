// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A whole number as configs write it: 8, 8.0 and "8" say the same (the reading decisions of the textbook page).

#include "core/base/json.h"

#include <cstdint>
#include <optional>

namespace kv {

/// How a value says a whole number in 64 bits, or why it does not.
enum class Reading : std::uint8_t { Fine, FromText, NoWhole, TooLarge };

/// `result` is set for Fine and FromText.
Reading readWhole(const Json &value, std::int64_t &result);

/// The number, where the value says one of any sign.
std::optional<std::int64_t> wholeValue(const Json &value);

} // namespace kv
