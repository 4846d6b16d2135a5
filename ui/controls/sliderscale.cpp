// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "ui/controls/logslider.h"
#include "ui/language/translate.h"
#include "ui/words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kv {

namespace {

constexpr std::int64_t k = 1024, m = k * k;

std::int64_t held(std::int64_t value, std::int64_t low, std::int64_t high) { return std::clamp(value, low, high); }

/// `by` further, not beyond the ends; nothing leaves 64 bits on the way.
std::int64_t further(std::int64_t value, std::int64_t by, std::int64_t low, std::int64_t high) {
    const std::int64_t from = held(value, low, high);
    return from > high - by ? high : from + by;
}

std::int64_t back(std::int64_t value, std::int64_t by, std::int64_t low, std::int64_t high) {
    const std::int64_t from = held(value, low, high);
    return from - low < by ? low : from - by;
}

int log2Floor(std::int64_t value) {
    int n = 0;
    while (value > 1) {
        value >>= 1;
        ++n;
    }
    return n;
}

std::int64_t power10Floor(std::int64_t value) {
    std::int64_t p = 1;
    while (p <= value / 10)
        p *= 10;
    return p;
}

/// A 32nd of the power of two below: 4,096 at 131,072.
std::int64_t tokenStep(std::int64_t value) { return std::int64_t{1} << std::max(0, log2Floor(std::max<std::int64_t>(value, 1)) - 5); }

/// 1 below 100, 10 below 1,000: two digits.
std::int64_t countStep(std::int64_t value) { return std::max<std::int64_t>(1, power10Floor(std::max<std::int64_t>(value, 1)) / 10); }

/// One step, landing on the grid; going down from a power the finer grid below it counts.
std::int64_t stepped(std::int64_t value, int direction, std::int64_t (*stepOf)(std::int64_t)) {
    if (direction > 0) {
        const std::int64_t step = stepOf(value);
        const std::int64_t up = checked::mul(value / step + 1, step);
        return up == outOfRangeValue ? value : up;
    }
    if (value <= 1)
        return value;
    const std::int64_t step = stepOf(value - 1);
    return std::max<std::int64_t>(1, (value - 1) / step * step);
}

std::int64_t onGrid(double exact, std::int64_t (*stepOf)(std::int64_t)) {
    const auto near = static_cast<std::int64_t>(std::llround(exact));
    const std::int64_t step = stepOf(near);
    return std::max<std::int64_t>(1, (near + step / 2) / step * step);
}

} // namespace

double SliderScale::fraction(std::int64_t value) const {
    if (high <= low)
        return 0;
    const std::int64_t v = held(value, low, high);
    if (!logarithmic)
        return static_cast<double>(v - low) / static_cast<double>(high - low);
    const double span = std::log(static_cast<double>(high)) - std::log(static_cast<double>(low));
    return (std::log(static_cast<double>(v)) - std::log(static_cast<double>(low))) / span;
}

std::int64_t SliderScale::valueAt(double f, double reach) const {
    const double at = std::clamp(f, 0.0, 1.0);
    double nearest = reach;
    std::optional<std::int64_t> snapped;
    const auto consider = [&](std::int64_t candidate) {
        const double distance = std::abs(fraction(candidate) - at);
        if (candidate >= low && candidate <= high && distance <= nearest) {
            nearest = distance;
            snapped = candidate;
        }
    };
    std::for_each(snaps.begin(), snaps.end(), consider);
    if (limit)
        consider(*limit);
    if (snapped)
        return *snapped;
    const double l = static_cast<double>(low), h = static_cast<double>(high);
    const double exact = logarithmic ? l * std::pow(h / l, at) : l + (h - l) * at;
    return held(grid ? grid(exact) : static_cast<std::int64_t>(std::llround(exact)), low, high);
}

std::int64_t SliderScale::doubled(std::int64_t value) const {
    if (!logarithmic)
        return further(value, (high - low) / 10, low, high);
    return value > high / 2 ? std::max(value, high) : held(value * 2, low, high);
}

std::int64_t SliderScale::halved(std::int64_t value) const {
    if (!logarithmic)
        return back(value, (high - low) / 10, low, high);
    return held(value / 2, low, high);
}

SliderScale contextScale(std::int64_t value, std::optional<std::int64_t> modelLimit) {
    // Five labels a decade and a half apart; wider when the model or the value lies outside.
    const std::int64_t most = std::max(value, modelLimit.value_or(0) > 2 * m ? std::min(*modelLimit, std::numeric_limits<std::int64_t>::max() / 2) * 2 : 0);
    SliderScale s;
    std::int64_t factor = 8;
    if (value < k) {
        s.low = 1;
        s.high = 16 * m;
        factor = 64;
    } else {
        s.low = k;
        s.high = 4 * m;
    }
    while (s.high < most && s.high < (std::int64_t{1} << 40)) {
        factor *= 2;
        s.high = s.low * factor * factor * factor * factor;
    }
    for (std::int64_t tick = s.low, i = 0; i < 5; tick *= factor, ++i)
        s.ticks.push_back({tick, translated(writeTokensShort(Tokens(tick)))});
    for (std::int64_t p = s.low; p <= s.high; p *= 2)
        s.snaps.push_back(p);
    s.limit = modelLimit;
    s.step = [](std::int64_t v, int direction) { return stepped(v, direction, tokenStep); };
    s.grid = [](double exact) { return onGrid(exact, tokenStep); };
    return s;
}

SliderScale sequencesScale(std::int64_t value) {
    SliderScale s;
    s.high = 1000;
    while (s.high < value && s.high < 1'000'000'000)
        s.high *= 1000;
    std::int64_t factor = 10;
    while (factor * factor * factor < s.high)
        factor *= 10;
    for (std::int64_t tick = 1; tick <= s.high; tick *= factor)
        s.ticks.push_back({tick, tick >= 1'000'000'000 ? QStringLiteral("%1G").arg(tick / 1'000'000'000)
                                 : tick >= 1'000'000   ? QStringLiteral("%1M").arg(tick / 1'000'000)
                                 : tick >= 1000        ? QStringLiteral("%1k").arg(tick / 1000)
                                                       : QString::number(tick)});
    for (std::int64_t p = 1; p <= s.high; p *= 2)
        s.snaps.push_back(p);
    for (std::int64_t p = 1; p <= s.high; p *= 10)
        s.snaps.push_back(p);
    s.step = [](std::int64_t v, int direction) { return stepped(v, direction, countStep); };
    s.grid = [](double exact) { return onGrid(exact, countStep); };
    return s;
}

SliderScale prefixScale(std::int64_t context) {
    SliderScale s;
    s.logarithmic = false;
    s.low = 0;
    s.high = std::max<std::int64_t>(context, 1);
    for (int i = 0; i <= 4; ++i) {
        const std::int64_t at = i == 4 ? s.high : checked::mulDiv(s.high, i, 4);
        s.ticks.push_back({at, i == 0 ? QStringLiteral("0") : QStringLiteral("%1 %").arg(25 * i)});
        s.snaps.push_back(at);
    }
    const std::int64_t percent = std::max<std::int64_t>(1, s.high / 100), high = s.high;
    s.step = [percent, high](std::int64_t v, int direction) { return direction > 0 ? further(v, percent, 0, high) : back(v, percent, 0, high); };
    // Whole blocks of 16 tokens where the prefix has room for them: what engines share is whole blocks.
    s.grid = [high](double exact) {
        const auto near = static_cast<std::int64_t>(std::llround(exact));
        return high < 1024 ? near : held(further(near, 8, 0, high) / 16 * 16, 0, high);
    };
    return s;
}

} // namespace kv
