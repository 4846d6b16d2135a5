// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The distribution of a sum of N draws, one draw after the other, each size added to each sum there is: slow, and nothing but addition and
// multiplication. Stands against the transform in core/workload/convolution.cpp.

#include "core/workload/mix.h"

#include <map>

namespace kv::test {

inline std::map<std::int64_t, double> sumsSlowly(const std::vector<SizeBin> &bins, std::int64_t draws) {
    double all = 0;
    for (const SizeBin &bin : bins)
        all += bin.weight;
    std::map<std::int64_t, double> sums{{0, 1.0}};
    for (std::int64_t i = 0; i < draws; ++i) {
        std::map<std::int64_t, double> next;
        for (const auto &[sum, chance] : sums)
            for (const SizeBin &bin : bins)
                next[sum + bin.bytes] += chance * bin.weight / all;
        sums = std::move(next);
    }
    return sums;
}

/// The least sum that at least this share does not exceed; `slack` for shares that meet a step exactly.
inline std::int64_t sumAt(const std::map<std::int64_t, double> &sums, double share, double slack = 1e-9) {
    double below = 0;
    for (const auto &[sum, chance] : sums)
        if ((below += chance) >= share - slack)
            return sum;
    return sums.rbegin()->first;
}

inline double shareAbove(const std::map<std::int64_t, double> &sums, std::int64_t budget) {
    double above = 0;
    for (const auto &[sum, chance] : sums)
        above += sum > budget ? chance : 0;
    return above;
}

} // namespace kv::test
