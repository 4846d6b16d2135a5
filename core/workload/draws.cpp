// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/draws.h"

#include "core/workload/mix.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv {

namespace {
// A slot that spans more than this part of the mean is drawn within.
constexpr double alike = 1.0 / 64;
} // namespace

SizeDraws::SizeDraws(std::span<const SizeBin> bins) : m_held(slots) {
    std::vector<SizeBin> sorted(bins.begin(), bins.end());
    std::ranges::sort(sorted, {}, &SizeBin::bytes);
    double all = 0, mean = 0;
    for (const SizeBin &bin : sorted) {
        all += bin.weight;
        mean += static_cast<double>(bin.bytes) * bin.weight;
    }
    mean /= all;
    // Sizes as 31-bit numbers; what is lost is less than a billionth of the largest.
    while (sorted.back().bytes / m_unit >= (std::int64_t(1) << 31))
        m_unit *= 2;
    double below = 0;
    for (const SizeBin &bin : sorted) {
        below += bin.weight / all;
        m_below.push_back(below);
        m_sizes.push_back((bin.bytes + m_unit / 2) / m_unit);
    }
    m_below.back() = 1;
    std::size_t at = 0;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        const double from = static_cast<double>(slot) / slots, to = static_cast<double>(slot + 1) / slots;
        double sum = 0, reached = from;
        while (at + 1 < m_below.size() && m_below[at] <= from)
            ++at;
        std::size_t last = at;
        for (; reached < to; ++last) {
            const double upTo = std::min(to, m_below[last]);
            sum += (upTo - reached) * static_cast<double>(m_sizes[last]);
            reached = upTo;
            if (reached >= to || last + 1 == m_below.size())
                break;
        }
        if (static_cast<double>(m_sizes[last] - m_sizes[at]) * static_cast<double>(m_unit) <= alike * mean)
            m_held[slot] = static_cast<std::uint32_t>(std::llround(sum * slots));
        else
            m_held[slot] = again | static_cast<std::uint32_t>(at);
    }
}

std::int64_t SizeDraws::drawWithin(Xoshiro &random, std::uint32_t held, std::size_t slot) const {
    const double share = (static_cast<double>(slot) + random.share()) / slots;
    std::size_t at = held - again; // few bins share a slot
    while (m_below[at] <= share && at + 1 < m_below.size())
        ++at;
    return m_sizes[at];
}

std::int64_t SizeDraws::sum(Xoshiro &random, std::int64_t count) const {
    constexpr std::uint64_t mask = slots - 1;
    std::int64_t total = 0;
    std::int64_t left = count;
    for (; left >= 4; left -= 4) {
        const std::uint64_t word = random.next();
        const std::size_t a = word >> (64 - slotBits), b = (word >> (64 - 2 * slotBits)) & mask, c = (word >> (64 - 3 * slotBits)) & mask, d = (word >> (64 - 4 * slotBits)) & mask;
        const std::uint32_t ha = m_held[a], hb = m_held[b], hc = m_held[c], hd = m_held[d];
        if ((ha | hb | hc | hd) < again) [[likely]]
            total += static_cast<std::int64_t>(ha) + hb + hc + hd;
        else
            for (const auto &[held, slot] : {std::pair(ha, a), {hb, b}, {hc, c}, {hd, d}}) // in this order, with any compiler
                total += steps(random, held, slot);
    }
    for (; left > 0; --left) {
        const std::size_t slot = random.next() >> (64 - slotBits);
        total += steps(random, m_held[slot], slot);
    }
    return total * m_unit;
}

std::int64_t SizeDraws::countWithin(Xoshiro &random, std::int64_t budget, std::int64_t limit) const {
    constexpr std::uint64_t mask = slots - 1;
    const std::int64_t room = budget / m_unit;
    std::int64_t total = 0, count = 0;
    // Four at a time; the four that leave the room are gone through one by one.
    while (count + 4 <= limit) {
        const std::uint64_t word = random.next();
        const std::size_t a = word >> (64 - slotBits), b = (word >> (64 - 2 * slotBits)) & mask, c = (word >> (64 - 3 * slotBits)) & mask, d = (word >> (64 - 4 * slotBits)) & mask;
        const std::uint32_t ha = m_held[a], hb = m_held[b], hc = m_held[c], hd = m_held[d];
        std::array<std::int64_t, 4> sizes{ha, hb, hc, hd};
        if ((ha | hb | hc | hd) >= again) [[unlikely]]
            sizes = {steps(random, ha, a), steps(random, hb, b), steps(random, hc, c), steps(random, hd, d)};
        const std::int64_t four = sizes[0] + sizes[1] + sizes[2] + sizes[3];
        if (total + four <= room) {
            total += four;
            count += 4;
            continue;
        }
        for (const std::int64_t size : sizes) {
            total += size;
            if (total > room)
                return count;
            ++count;
        }
    }
    for (; count < limit; ++count) {
        const std::size_t slot = random.next() >> (64 - slotBits);
        total += steps(random, m_held[slot], slot);
        if (total > room)
            return count;
    }
    return limit;
}

} // namespace kv
