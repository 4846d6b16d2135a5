// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is done to the scenarios of a document as a whole: one is pinned, moved, removed, named. Each is a change for Document::editAll;
// the present scenario stays the present one, wherever it comes to stand. Nothing happens where there is no such scenario.

#include "core/plan/plan.h"
#include "core/scenario/scenariofile.h"

#include <QString>

namespace kv {

/// What a pinned copy is called: by what is chosen in it, and with a number where that name is taken.
QString pinName(const ScenarioDocument &document, const Scenario &scenario, const Plan &plan);
/// A named copy behind the others.
void pinPresent(ScenarioDocument &document, const QString &name);
void moveScenario(ScenarioDocument &document, std::size_t from, std::size_t to);
/// The last one stays.
void removeScenario(ScenarioDocument &document, std::size_t index);
void nameScenario(ScenarioDocument &document, std::size_t index, const QString &name);

} // namespace kv
