// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the map of settings shows, as values: a row a number of GPUs, a column a type of weights with a type of cache, and in each cell how
// many sequences fit, or why none do. No painting here.

#include "core/base/quantity.h"
#include "core/plan/fitmap.h"
#include "ui/charts/bubble.h"
#include "ui/charts/charttables.h"

#include <QCoreApplication>
#include <QString>

#include <memory>

namespace kv {

struct SettingsPicture {
    Q_DECLARE_TR_FUNCTIONS(kv::SettingsPicture)

public:
    std::shared_ptr<const SettingsMap> map; ///< null: not counted yet
    std::vector<QString> caches, weights;   ///< names of the columns
    std::int64_t sequences = 1, context = 1;
    std::optional<std::size_t> present;     ///< the cell of the scenario itself
    QString message;                        ///< instead of cells

    bool isEmpty() const { return !map || map->cells.empty(); }
    std::size_t rows() const { return isEmpty() ? 0 : map->gpus.size(); }
    std::size_t columns() const { return isEmpty() ? 0 : map->caches.size() * map->weights.size(); }
    const SettingsCell &cell(std::size_t index) const { return map->cells[index]; }
    /// "✓ 20 users", or what room there is for: "✓ 20".
    QString cellText(std::size_t index, bool brief) const;
    QString gpusText(std::int64_t gpus) const;
    QString cellName(std::size_t index) const; ///< "4 GPUs · FP8 cache · BF16 weights"
    QString loadText() const; ///< "10 × 131,072 tokens"
    QString cheapestText() const;
    QString description() const;
    /// What taking a cell's settings is called: "Take 4 GPUs, FP8 cache".
    QString takeText(std::size_t index) const;
    Hover hoverAt(std::size_t index) const; ///< without its anchor
    ChartTable::Content table() const;
};

/// GPU counts that the map reaches to: sixteen, or twice the present number.
std::int64_t mostGpusFor(const Scenario &scenario);
SettingsPicture settingsPicture(const Scenario &scenario, const Plan &plan, std::shared_ptr<const SettingsMap> map);
/// Puts a cell's settings into a scenario and leaves the rest of it as it is.
void takeSettings(Scenario &scenario, const SettingsCell &cell);

} // namespace kv
