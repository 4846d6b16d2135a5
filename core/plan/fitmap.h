// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two maps of what fits. The first over context and sequences, both logarithmic: a column is one evaluation, and where it ends is solved,
// not sampled, so that the boundary is exact and every cell of the column is arithmetic. The second over GPUs, cache types and types of
// weights: which settings hold the load, and the cheapest of them.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kv {

class Engine;

struct FitMapAxes {
    Tokens fromContext{1024}, toContext{1 << 20};
    Count fromSequences{1}, toSequences{1024};
    std::size_t columns = 256, rows = 256; ///< 2 to 4,096 each
    std::vector<Tokens> contexts{};        ///< rising: these columns instead, and the ends of the axis with them
};

struct FitMapColumn {
    Tokens context;
    bool refused = false;             ///< the engine does not take this context
    std::optional<std::int64_t> most; ///< the boundary: most sequences that fit; absent: no limit
    Bytes perSequence;                ///< on the fullest GPU, with the engine's rounding
};

struct FitMap {
    FitMapAxes axes;
    std::vector<FitMapColumn> columns;    ///< by context
    std::vector<std::int64_t> sequences;  ///< of each row, ascending; several rows are alike where the axis is finer than whole sequences
    bool complete = false;                ///< false: cancelled on the way

    bool fits(std::size_t column, std::size_t row) const;
    /// What part of the sequences that fit is left: 1 nothing used, 0 full, below 0 too many (−1 and less: twice as many); 1 without a limit.
    double headroom(std::size_t column, std::size_t row) const;
};

FitMap fitMap(const Scenario &scenario, const FitMapAxes &axes, const std::function<bool()> &goOn = {});

struct SettingsCell {
    std::int64_t gpus = 0;
    ElementType cache{};
    std::string weights;              ///< a type's name; empty: as the checkpoint stores them
    bool fits = false, taken = true;  ///< taken: the engine starts so
    std::optional<std::int64_t> users;
    std::string why;                  ///< where it is not taken: the engine's reason
    Scenario scenario;
};

struct SettingsMap {
    std::vector<std::int64_t> gpus;
    std::vector<ElementType> caches;
    std::vector<std::string> weights;
    std::vector<SettingsCell> cells;   ///< gpus outermost, then caches, then weights
    std::optional<std::size_t> cheapest; ///< fewest GPUs, then most bits of weights, then of cache

    const SettingsCell &at(std::size_t gpu, std::size_t cache, std::size_t weight) const {
        return cells[(gpu * caches.size() + cache) * weights.size() + weight];
    }
};

/// One cache type each of about 16, 8 and 4 bits that the engine takes, in this order.
std::vector<ElementType> usualCaches(const Engine &engine);

/// GPU counts of 1, 2, 4 … up to `mostGpus` (dp kept) and the scenario's own, its cache type with the usual ones, and the types of weights
/// that are usual for the engine. On as many GPUs as the scenario has a cell keeps its split where that fits; any other holds the most
/// users of all splits into tensor parallel and stages that the engine takes.
SettingsMap settingsMap(const Scenario &scenario, std::int64_t mostGpus, const std::function<bool()> &goOn = {});

std::string fitMapCsv(const FitMap &map);           ///< context,sequences,fits,headroom,max_sequences: a line a cell
std::string settingsMapCsv(const SettingsMap &map); ///< gpus,kv,weights,taken,fits,max_sequences,cheapest,split

} // namespace kv
