// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/lengths.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kv {

namespace {

constexpr std::size_t shortLengths = std::size_t(1) << 20;
constexpr std::size_t mostLong = std::size_t(1) << 16;
constexpr std::int64_t parts = 1024; // to which a long length is rounded once there are too many of them

double weightOf(const std::vector<LengthBin> &bins) {
    double sum = 0;
    for (const LengthBin &bin : bins)
        sum += bin.weight;
    return sum;
}

std::int64_t roundedUp(std::int64_t tokens) {
    std::int64_t step = 1;
    while (tokens / step >= 2 * parts)
        step *= 2;
    return checked::roundUp(tokens, step);
}

/// Joins neighbours until there are few enough: each bin spans as many of the sorted bins' widths, on a logarithmic scale, as needed.
std::vector<LengthBin> condensed(const std::vector<LengthBin> &bins) {
    if (bins.size() <= Lengths::mostBins)
        return bins;
    const double low = std::log(static_cast<double>(std::max<std::int64_t>(bins.front().tokens, 1)));
    const double high = std::log(static_cast<double>(bins.back().tokens));
    // Half of the bins for the lengths, half for the ranks: neither the tail nor the crowd is coarse.
    const double width = (high - low) / (Lengths::mostBins / 2.0 - 2), all = weightOf(bins), share = all / (Lengths::mostBins / 2.0 - 2);
    std::vector<LengthBin> out;
    double sum = 0, weight = 0, before = 0;
    const auto cell = [&](const LengthBin &bin, double at) {
        return std::pair(std::floor((std::log(static_cast<double>(std::max<std::int64_t>(bin.tokens, 1))) - low) / width), std::floor(at / share));
    };
    auto current = cell(bins.front(), 0);
    for (const LengthBin &bin : bins) {
        if (const auto next = cell(bin, before); next != current && weight > 0) {
            out.push_back({std::llround(sum / weight), weight});
            sum = weight = 0;
            current = next;
        }
        sum += static_cast<double>(bin.tokens) * bin.weight;
        weight += bin.weight;
        before += bin.weight;
    }
    out.push_back({std::llround(sum / weight), weight});
    return out;
}

} // namespace

std::int64_t lengthAt(const std::vector<LengthBin> &bins, double share) {
    if (bins.empty())
        return 0;
    const double all = weightOf(bins);
    // Of whole requests the rank is whole: 0.9 × 10 must not ask for the tenth because of the last bit of a double.
    const double rank = share * all * (1 - 1e-14);
    double sum = 0;
    for (const LengthBin &bin : bins)
        if ((sum += bin.weight) >= rank)
            return bin.tokens;
    return bins.back().tokens;
}

Lengths lengthsOfBins(Lengths::Kind kind, std::vector<LengthBin> bins) {
    Lengths lengths;
    lengths.kind = kind;
    std::erase_if(bins, [](const LengthBin &bin) { return !(bin.weight > 0); });
    std::ranges::sort(bins, {}, &LengthBin::tokens);
    std::size_t last = 0;
    for (std::size_t i = 1; i < bins.size(); ++i) {
        if (bins[i].tokens == bins[last].tokens)
            bins[last].weight += bins[i].weight;
        else
            bins[++last] = bins[i];
    }
    if (bins.empty())
        return lengths;
    bins.resize(last + 1);
    double sum = 0;
    for (const LengthBin &bin : bins)
        sum += static_cast<double>(bin.tokens) * bin.weight;
    lengths.mean = sum / weightOf(bins);
    lengths.p50 = lengthAt(bins, 0.50);
    lengths.p90 = lengthAt(bins, 0.90);
    lengths.p99 = lengthAt(bins, 0.99);
    lengths.most = bins.back().tokens;
    lengths.bins = condensed(bins);
    return lengths;
}

LengthCounter::LengthCounter() = default;

void LengthCounter::add(std::int64_t tokens) {
    ++m_count;
    const auto length = static_cast<std::uint64_t>(tokens);
    if (length >= shortLengths) {
        addLong(tokens);
        return;
    }
    if (length >= m_short.size()) // most traces need a few kilobytes of it
        m_short.resize(std::bit_ceil(length + 1), 0);
    ++m_short[length];
}

void LengthCounter::addLong(std::int64_t tokens) {
    const auto place = [this](std::int64_t length) { return std::ranges::lower_bound(m_long, length, {}, [](const auto &entry) { return entry.first; }); };
    if (m_rounded)
        tokens = roundedUp(tokens);
    if (const auto at = place(tokens); at != m_long.end() && at->first == tokens) {
        ++at->second;
        return;
    } else {
        m_long.insert(at, {tokens, 1});
    }
    if (m_long.size() < mostLong || m_rounded)
        return;
    m_rounded = true;
    std::vector<std::pair<std::int64_t, std::int64_t>> merged;
    for (const auto &[length, requests] : m_long) {
        const std::int64_t up = roundedUp(length);
        if (!merged.empty() && merged.back().first == up)
            merged.back().second += requests;
        else
            merged.push_back({up, requests});
    }
    m_long = std::move(merged);
}

Lengths LengthCounter::lengths() const {
    std::vector<LengthBin> bins;
    for (std::size_t length = 0; length < m_short.size(); ++length)
        if (m_short[length] > 0)
            bins.push_back({static_cast<std::int64_t>(length), static_cast<double>(m_short[length])});
    for (const auto &[length, requests] : m_long)
        bins.push_back({length, static_cast<double>(requests)});
    Lengths lengths = lengthsOfBins(Lengths::Kind::Trace, std::move(bins));
    lengths.count = m_count;
    return lengths;
}

} // namespace kv
