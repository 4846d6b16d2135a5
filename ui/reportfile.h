// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plan as a file that explains itself: the report in Markdown or HTML (with the charts inside), its numbers as CSV or JSON, its derivation
// as LaTeX. What the window saves and `kvplanner render` writes; without the charts, `kvplanner plan` prints the same.

#include "ui/picture.h"

#include "core/base/quantity.h"
#include "core/plan/plan.h"
#include "core/scenario/scenariofile.h"

#include <QString>

#include <utility>
#include <vector>

namespace kv {

/// Charts with their titles.
using ReportFigures = std::vector<std::pair<QString, Recording>>;

/// Whether a file with this suffix is one of these.
bool isReportSuffix(const QString &suffix);

/// The memory of each GPU and the growth with context, recorded on the GUI thread: English with plain numbers, as all files are.
ReportFigures reportFigures(const ScenarioDocument &document, SizeUnit unit);

/// By the suffix "md", "html", "csv", "json" or "tex"; on any thread. Unlike lengths and the bound of decoding are counted first. Of a plan that was made.
QByteArray reportFile(const QString &suffix, const Scenario &scenario, const Plan &plan, SizeUnit unit, const ReportFigures &figures);

} // namespace kv
