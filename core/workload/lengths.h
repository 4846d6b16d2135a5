// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long requests are: a distribution of tokens a sequence holds at its end (input and output together), from a trace, from three
// percentiles or from a mix of classes. One value for all three, so that whoever adds up sequences need not know where it came from.
//
// Percentiles are by nearest rank: the least length that at least that share of the requests does not exceed. Those of a trace are
// exact, also where its bins are merged: a trace of millions of rows has at most `mostBins` of them, each standing at its own mean.

#include "core/base/units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kv {

struct LengthBin {
    std::int64_t tokens = 0;
    double weight = 0; ///< requests of a trace, else a share; only the proportions count

    bool operator==(const LengthBin &) const = default;
};

/// The columns of a trace that were read, by their names, or by their places from 1 where it has no header.
struct LengthColumns {
    std::string input, output, total;

    bool given() const { return !input.empty() || !output.empty() || !total.empty(); }
    bool operator==(const LengthColumns &) const = default;
};

struct Lengths {
    enum class Kind : std::uint8_t { Trace, Percentiles, Classes };

    Kind kind = Kind::Trace;
    std::vector<LengthBin> bins; ///< by tokens, none twice, none without weight
    std::int64_t count = 0;      ///< requests of a trace; 0: no trace
    std::int64_t p50 = 0, p90 = 0, p99 = 0, most = 0;
    double mean = 0;
    LengthColumns columns;             ///< of a trace
    std::vector<std::string> found{};  ///< all columns of the trace
    bool operator==(const Lengths &) const = default;

    static constexpr std::size_t mostBins = 4096;
};

/// The least length that at least this share of the weight does not exceed; 0 where there are no bins.
std::int64_t lengthAt(const std::vector<LengthBin> &bins, double share);

/// Sorts, joins and measures the bins: everything but kind, count, columns.
Lengths lengthsOfBins(Lengths::Kind kind, std::vector<LengthBin> bins);

/// Counts lengths one by one in bounded memory: up to 2^20 tokens each for itself, beyond that while there are not too many of them;
/// then rounded up to one part in a thousand, which `rounded` tells.
class LengthCounter {
public:
    LengthCounter();
    void add(std::int64_t tokens);
    std::int64_t count() const { return m_count; }
    bool rounded() const { return m_rounded; }
    Lengths lengths() const;

private:
    void addLong(std::int64_t tokens);

    std::vector<std::int64_t> m_short; ///< how many requests have this length
    std::vector<std::pair<std::int64_t, std::int64_t>> m_long; ///< length and requests, by length
    std::int64_t m_count = 0;
    bool m_rounded = false;
};

/// A distribution that is part of a value: two are equal when they say the same, whether or not they are the same object.
struct SharedLengths {
    std::shared_ptr<const Lengths> value;

    explicit operator bool() const { return value != nullptr; }
    const Lengths *operator->() const { return value.get(); }
    const Lengths &operator*() const { return *value; }
    bool operator==(const SharedLengths &other) const {
        return value == other.value || (value && other.value && *value == *other.value);
    }
};

} // namespace kv
