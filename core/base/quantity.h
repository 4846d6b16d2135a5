// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Quantities as people write and read them: "128k", "80 GiB", "42.9 GB". GB (10^9) against GiB (2^30) is decided here alone.
//
// In a token count k and M are 1,024 and 1,048,576 ("128k" is 131,072, as people mean it for contexts), in a count of sequences they
// are 1,000 and 1,000,000; Ki and Mi are binary in both. Sizes take B, kB, MB, GB, TB and KiB, MiB, GiB, TiB; a bare number is bytes.
// Reading refuses parts of one, but rounds a size's decimals ("58.11GiB") to the byte, negatives and beyond 64 bits; writing rounds half up.

#include "core/base/note.h"
#include "core/base/units.h"

#include <string>
#include <string_view>

namespace kv {

enum class SizeUnit { Decimal, Binary }; ///< GB = 10^9, or GiB = 2^30

Parsed<Tokens> readTokens(std::string_view text, std::string_view where);
Parsed<Count> readCount(std::string_view text, std::string_view where);
Parsed<Bytes> readBytes(std::string_view text, std::string_view where);
/// A fraction such as "0.10" or "10 %", in units of 10^-9, so that it is kept as the decimal it is written as.
Parsed<std::int64_t> readFraction(std::string_view text, std::string_view where);

/// "42.9 GB", "327.7 kB", "320 KiB", "512 B"; about three significant digits: one decimal from kilo up, none where it is whole in binary units.
std::string writeBytes(Bytes bytes, SizeUnit unit);
/// With a thousands separator: "131,072".
std::string writeNumber(std::int64_t number);
/// "128k", "1M", "100": the short form of round token counts, else the number with separators.
std::string writeTokensShort(Tokens tokens);

/// The divisor and name that fit a value ("GB", 10^9), for axes that show many values in one unit.
struct ScaledUnit {
    std::int64_t divisor = 1;
    std::string_view name = "B";
};
ScaledUnit unitFor(Bytes largest, SizeUnit unit);

} // namespace kv
