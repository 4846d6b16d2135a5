// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The distribution of a sum of N draws on a grid, exactly: the transform of one draw, raised to the N-th power, transformed back.

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kv {

struct SizeBin;

/// Sizes as whole steps above the least one: size = base + step × unit. A step of 1 where all sizes are alike.
struct SizeGrid {
    std::int64_t base = 0, unit = 1, most = 0; ///< most: steps of the largest
    std::vector<std::int64_t> steps;           ///< of each bin
    std::vector<double> shares;                ///< of each bin, together 1
};
std::optional<SizeGrid> gridOf(std::span<const SizeBin> bins); ///< nothing without bins of weight

/// Cells that a sum of N draws needs; nothing when they are beyond any count.
std::optional<std::int64_t> cellsOf(const SizeGrid &grid, std::int64_t sequences);

/// The probability of each number of steps, 0 to sequences × most.
std::vector<double> sumOfDraws(const SizeGrid &grid, std::int64_t sequences);

} // namespace kv
