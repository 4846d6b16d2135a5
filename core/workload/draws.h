// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Random sizes from a distribution, quickly: 2^16 slots of equal probability, four of which one 64-bit random number picks. A slot whose
// sizes are nearly alike holds their mean; one that spans more (the tail) is drawn again within itself. The random numbers are
// xoshiro256+ (Blackman and Vigna, https://prng.di.unimi.it), begun by splitmix64 from the seed.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kv {

struct SizeBin;

class Xoshiro {
public:
    explicit Xoshiro(std::uint64_t seed) {
        for (std::uint64_t &word : m_state) {
            seed += 0x9E3779B97F4A7C15;
            std::uint64_t z = (seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
            word = z ^ (z >> 31);
        }
    }
    std::uint64_t next() {
        const std::uint64_t result = m_state[0] + m_state[3], t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = (m_state[3] << 45) | (m_state[3] >> 19);
        return result;
    }
    double share() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::array<std::uint64_t, 4> m_state{};
};

class SizeDraws {
public:
    explicit SizeDraws(std::span<const SizeBin> bins);

    /// The sum of `count` draws, in bytes.
    std::int64_t sum(Xoshiro &random, std::int64_t count) const;
    /// One after the other until the sum exceeds the budget: how many stayed within it, at most `limit`.
    std::int64_t countWithin(Xoshiro &random, std::int64_t budget, std::int64_t limit) const;

private:
    static constexpr int slotBits = 16;
    static constexpr std::size_t slots = std::size_t(1) << slotBits;
    static constexpr std::uint32_t again = 0x8000'0000; ///< beside it the first bin of a slot that is drawn again

    std::int64_t steps(Xoshiro &random, std::uint32_t held, std::size_t slot) const {
        return held < again ? static_cast<std::int64_t>(held) : drawWithin(random, held, slot);
    }
    std::int64_t drawWithin(Xoshiro &random, std::uint32_t held, std::size_t slot) const;

    std::vector<std::uint32_t> m_held; ///< size of each slot, in units: 31 bits
    std::vector<double> m_below;       ///< share of the bins up to each one
    std::vector<std::int64_t> m_sizes; ///< of each bin, in units
    std::int64_t m_unit = 1;
};

} // namespace kv
