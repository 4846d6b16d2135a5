// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/percentiles.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr double rarest = 1e-6;
constexpr int slices = 2000;

double shareBelow(double score) { return 0.5 * std::erfc(-score / std::sqrt(2.0)); }

} // namespace

double normalScore(double share) {
    // Bisection: this is asked a few times a distribution, and shareBelow is exact to the last bits.
    double low = -10, high = 10;
    for (int i = 0; i < 80; ++i) {
        const double middle = (low + high) / 2;
        (shareBelow(middle) < share ? low : high) = middle;
    }
    return (low + high) / 2;
}

Lengths lengthsThrough(std::int64_t p50, std::int64_t p90, std::int64_t p99) {
    const double median = std::log(static_cast<double>(p50)), ninety = std::log(static_cast<double>(p90)), most = std::log(static_cast<double>(p99));
    const double z90 = normalScore(0.90), z99 = normalScore(0.99);
    const double body = (ninety - median) / z90, tail = (most - ninety) / (z99 - z90);
    const auto length = [&](double score) { return std::exp(score <= z90 ? median + body * score : ninety + tail * (score - z90)); };
    const double last = normalScore(1 - rarest), step = 2 * last / slices;
    std::vector<LengthBin> bins;
    double before = 0;
    for (int i = 0; i < slices; ++i) {
        const double to = -last + step * (i + 1);
        const double upTo = i + 1 == slices ? 1.0 : shareBelow(to);
        const double tokens = std::min(length(to - step / 2), 9e18);
        bins.push_back({std::max<std::int64_t>(std::llround(tokens), 1), upTo - before});
        before = upTo;
    }
    Lengths lengths = lengthsOfBins(Lengths::Kind::Percentiles, std::move(bins));
    lengths.p50 = p50;
    lengths.p90 = p90;
    lengths.p99 = p99;
    return lengths;
}

Lengths lengthsOf(const std::vector<RequestClass> &classes) {
    std::vector<LengthBin> bins;
    bins.reserve(classes.size());
    for (const RequestClass &one : classes)
        bins.push_back({checked::add(one.input, one.output), one.share});
    return lengthsOfBins(Lengths::Kind::Classes, std::move(bins));
}

} // namespace kv
