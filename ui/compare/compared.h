// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A document's scenarios side by side, as values: of each its users, its GPUs, the difference to the baseline and how the memory of its
// fullest GPU is filled; and the table of core/report/comparison.h. Plans are kept by the value of their scenario, so that a slider in one
// costs nothing for the others.

#include "core/report/comparison.h"
#include "ui/charts/gpubars.h"
#include "ui/document.h"

#include <QCoreApplication>

namespace kv {

struct ComparedScenario {
    Q_DECLARE_TR_FUNCTIONS(kv::ComparedScenario)

public:
    QString name;
    bool baseline = false, current = false;
    bool counted = false; ///< false: its plan is still being made
    QString refusal;      ///< set: it cannot be planned
    std::optional<std::int64_t> users; ///< absent: no limit
    std::int64_t gpus = 0;
    std::optional<std::int64_t> more; ///< users beside the baseline's
    std::optional<GpuBar> bar;        ///< of the fullest GPU

    QString figures() const;   ///< "10 users · 8 GPUs"
    QString deltaText() const; ///< "+11", "−3", "±0"; empty in the baseline
    QString sentence() const;
};

struct Compared {
    std::vector<ComparedScenario> scenarios;
    Comparison table; ///< of those that are counted; empty while one is not
    std::size_t baseline = 0;
    SizeUnit unit = SizeUnit::Decimal;

    bool isWhole() const { return !table.names.empty(); }
    /// What the bars' scale reaches to: the longest bar, but not beyond twice the largest card.
    Bytes longest() const;
};

/// Plans by the value of their scenario, as many as were asked for last.
class PlanCache {
public:
    const Plan *find(const Scenario &scenario) const;
    void put(const Scenario &scenario, Plan plan);
    void keepOnly(const std::vector<Scenario> &scenarios);

private:
    std::vector<std::pair<Scenario, Plan>> m_plans;
};

/// `plans`: null where one is not made yet.
Compared compared(const ScenarioDocument &document, const std::vector<const Plan *> &plans, std::size_t baseline, SizeUnit unit);

} // namespace kv
