#pragma once
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Axes that people can read: a range from 0 to a round number, few ticks at round steps, one unit for the whole axis, and
// ranges that stay while the data moves inside them, so that a picture does not breathe while a slider is dragged.
// Decimal units step by 1, 2 or 5 times a power of ten; binary units (KiB to TiB) by powers of two.

#include "core/base/quantity.h"

#include <string>
#include <vector>

namespace kv {

struct SizeAxis {
    ScaledUnit unit;
    double step = 1; ///< in `unit`
    int intervals = 1;

    double max() const { return step * intervals; }
    double inUnit(Bytes bytes) const { return static_cast<double>(bytes.value) / static_cast<double>(unit.divisor); }
    bool holds(Bytes bytes) const { return inUnit(bytes) <= max(); }
    /// "0", "2.5", "1,000": as many decimals as the step has.
    std::string label(int tick) const;
    std::string labelWithUnit(int tick) const;

    bool operator==(const SizeAxis &other) const;
};

/// The axis that just holds `largest` in at most `maxIntervals` steps; a largest of 0 or less gives one step of one byte.
/// Its unit is that of `named`, a size written in the picture, so that the axis and the text agree.
SizeAxis sizeAxis(Bytes largest, SizeUnit unit, int maxIntervals, Bytes named);
inline SizeAxis sizeAxis(Bytes largest, SizeUnit unit, int maxIntervals) {
    return sizeAxis(largest, unit, maxIntervals, largest);
}

/// Keeps its axis until the data leaves it or fills less than two fifths of it.
class SteadyAxis {
public:
    const SizeAxis &update(Bytes largest, SizeUnit unit, int maxIntervals, Bytes named);
    const SizeAxis &update(Bytes largest, SizeUnit unit, int maxIntervals) {
        return update(largest, unit, maxIntervals, largest);
    }
    const SizeAxis &axis() const { return m_axis; }
    void forget() { m_intervals = 0; }

private:
    SizeAxis m_axis;
    SizeUnit m_unit = SizeUnit::Decimal;
    int m_intervals = 0;
};

/// Three significant digits: "561 GB", "53.7 GB", "1,031 GB", "−4.4 GiB".
std::string writeBytesShort(Bytes bytes, SizeUnit unit);
/// A size in a given unit with one decimal and no name: "17.6".
std::string writeInUnit(Bytes bytes, const ScaledUnit &unit);

/// Powers of two in [from, to], at most `most` of them, evenly spread and with 1k among them where it can be.
std::vector<Tokens> tokenTicks(Tokens from, Tokens to, int most);

} // namespace kv
