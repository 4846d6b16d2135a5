// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What N sequences take together when their lengths differ: the distribution of a sum of N independent draws from one distribution of
// sizes. Planning with the mean is right on average and wrong half of the time; this says how often, and what to plan with instead.
//
// Exact where it can be: sizes of one grid (blocks, tokens of a linear cache) are convolved N times by a discrete Fourier transform, whose
// error stays below 10^-9 of probability; the limit is `mostCells` cells for the sum. Beyond it the sum is drawn at random, with a seed
// that is fixed, so that the same question has the same answer; the error of what comes out is said with it. Of very many sequences, beyond
// `mostDrawn` single draws in all, the sum is taken as normal with its skewness (Cornish and Fisher, 1938, first term) where that is small;
// where it is not, fewer runs are drawn.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace kv {

/// What one sequence can take, and how often.
struct SizeBin {
    std::int64_t bytes = 0;
    double weight = 0;
};

struct MixOptions {
    std::int64_t draws = 100'000;
    std::uint64_t seed = 20'260'801;
    bool simulate = false;            ///< even where it could be exact
    std::function<bool()> goOn{};     ///< asked now and then; false cancels
};

/// Points of a cumulative distribution: this share of the time the sum is at most `bytes`.
struct SumPoint {
    std::int64_t bytes = 0;
    double share = 0;
};

struct MixTotal {
    std::int64_t sequences = 0;
    bool exact = false;
    bool normal = false;                  ///< neither exact nor drawn: of so many sequences that the sum is as good as normal
    std::int64_t draws = 0;               ///< runs, where it was drawn
    double mean = 0;
    std::int64_t p50 = 0, p95 = 0, p99 = 0;
    std::int64_t p99Low = 0, p99High = 0; ///< 95 % band of a simulated p99; p99 itself where exact
    std::vector<SumPoint> curve;          ///< ascending, at most some 200 points, for charts
    std::optional<double> above;          ///< chance that the sum exceeds the budget asked about
    double aboveError = 0;                ///< standard error of it; 0 where exact
};

/// Nothing when cancelled, or when there are no bins. `budget`: what `above` is about.
std::optional<MixTotal> totalOf(std::span<const SizeBin> bins, std::int64_t sequences, std::optional<std::int64_t> budget, const MixOptions &options = {});

/// The most sequences of which the sum stays within the budget in at least this share of the time; 0: not even one. At most `limit`.
std::optional<std::int64_t> mostWithin(std::span<const SizeBin> bins, std::int64_t budget, double share, std::int64_t limit, const MixOptions &options = {});

/// Cells of a sum that are convolved exactly.
inline constexpr std::int64_t mostCells = std::int64_t(1) << 19;
/// Draws of single sequences for one answer: a few tenths of a second.
inline constexpr std::int64_t mostDrawn = 200'000'000;

} // namespace kv
