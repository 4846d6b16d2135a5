// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far an answer is from the right one, in words: "8 times too much", "half of it", "7 % too little".

#include <QString>

#include <cstdint>

namespace kv {

/// Both above 0; an answer within half a percent is "right".
QString timesOff(std::int64_t answer, std::int64_t right);

} // namespace kv
