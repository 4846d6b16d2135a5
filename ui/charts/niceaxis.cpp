// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/niceaxis.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace kv {

namespace {

/// The least 1, 2 or 5 × 10^n that is not below `raw`.
double decimalStep(double raw) {
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - 1e-12))
            return factor * power;
    return 10 * power;
}

double binaryStep(double raw) { return std::exp2(std::ceil(std::log2(raw) - 1e-12)); }

std::string withSeparators(double value, int decimals) {
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::fixed, decimals);
    std::string text(buffer, end.ptr);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    const std::size_t point = std::min(text.find('.'), text.size());
    for (std::size_t at = point; at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return (value < 0 && !zero ? "−" : "") + text;
}

int decimalsOf(double step) {
    int decimals = 0;
    for (double s = step; decimals < 6 && std::abs(s - std::round(s)) > 1e-9 * s; s *= 10)
        ++decimals;
    return decimals;
}

} // namespace

std::string SizeAxis::label(int tick) const { return tick == 0 ? "0" : withSeparators(step * tick, decimalsOf(step)); }

std::string SizeAxis::labelWithUnit(int tick) const { return label(tick) + " " + std::string(unit.name); }

bool SizeAxis::operator==(const SizeAxis &other) const {
    return unit.divisor == other.unit.divisor && unit.name == other.unit.name && step == other.step && intervals == other.intervals;
}

SizeAxis sizeAxis(Bytes largest, SizeUnit unit, int maxIntervals, Bytes named) {
    SizeAxis axis;
    if (largest.value <= 0 || maxIntervals < 1)
        return axis;
    axis.unit = unitFor(named.value > 0 ? std::min(named, largest) : largest, unit);
    const double wanted = axis.inUnit(largest);
    const double raw = wanted / maxIntervals;
    axis.step = unit == SizeUnit::Binary ? binaryStep(raw) : decimalStep(raw);
    if (axis.unit.divisor == 1)
        axis.step = std::max(1.0, axis.step);
    axis.intervals = std::max(1, static_cast<int>(std::ceil(wanted / axis.step * (1 - 1e-12))));
    return axis;
}

const SizeAxis &SteadyAxis::update(Bytes largest, SizeUnit unit, int maxIntervals, Bytes named) {
    const bool same = unit == m_unit && maxIntervals == m_intervals;
    if (same && m_axis.holds(largest) && m_axis.inUnit(largest) >= 0.4 * m_axis.max())
        return m_axis;
    m_unit = unit;
    m_intervals = maxIntervals;
    return m_axis = sizeAxis(largest, unit, maxIntervals, named);
}

std::string writeBytesShort(Bytes bytes, SizeUnit unit) {
    if (!bytes.inRange())
        return writeBytes(bytes, unit);
    const ScaledUnit scaled = unitFor(bytes, unit);
    const double value = static_cast<double>(bytes.value) / static_cast<double>(scaled.divisor);
    const bool whole = scaled.divisor == 1 || bytes.value % scaled.divisor == 0;
    return withSeparators(value, whole || std::abs(value) >= 99.95 ? 0 : 1) + " " + std::string(scaled.name);
}

std::string writeInUnit(Bytes bytes, const ScaledUnit &unit) {
    return withSeparators(static_cast<double>(bytes.value) / static_cast<double>(unit.divisor), unit.divisor == 1 ? 0 : 1);
}

std::vector<Tokens> tokenTicks(Tokens from, Tokens to, int most) {
    std::vector<Tokens> ticks;
    const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(1, from.value));
    if (to.value < 1 || static_cast<std::uint64_t>(to.value) < low || most < 1)
        return ticks;
    const int first = static_cast<int>(std::bit_width(low - 1)); // the least power of two that is not below `low`
    const int last = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(to.value))) - 1;
    const int stride = std::max(1, (last - first + most) / most);
    constexpr int oneK = 10;
    const int offset = ((oneK - first) % stride + stride) % stride;
    for (int power = first + offset; power <= last; power += stride)
        ticks.push_back(Tokens(std::int64_t{1} << power));
    return ticks;
}

} // namespace kv
