// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How one scenario of a comparison looks: its name and what it gives, the difference to the baseline, and a bar of how the memory of its
// fullest GPU is filled, all bars on one scale. Painted alike in the list and in pictures.

#include "ui/charts/chartlegend.h"
#include "ui/compare/compared.h"

namespace kv {

double pinnedHeight(const ChartStyle &style);
void paintPinned(QPainter &painter, const QRectF &rect, const ComparedScenario &scenario, Bytes longest, const ChartStyle &style);
/// What occurs in the bars.
QList<LegendEntry> pinnedLegend(const Compared &all, const ChartStyle &style);
/// What paintComparison() needs at this width, so that nothing is left out.
double comparisonHeight(double width, const Compared &all, bool allRows, const ChartStyle &style);
/// The whole comparison: the scenarios with their bars, and the rows of the table (`allRows`: also those that are alike). Where
/// the room is less than comparisonHeight(), the last line says how many rows are missing.
void paintComparison(QPainter &painter, const QRectF &target, const Compared &all, bool allRows, const ChartStyle &style);

} // namespace kv
