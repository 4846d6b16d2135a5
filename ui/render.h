// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// `kvplanner render`: the window's inside, or one of its pages, as a picture of a fixed size, drawn without a display; or its numbers, or
// the plan's report, as the window writes them.

#include "core/base/note.h"
#include "core/base/quantity.h"
#include "core/lesson/lesson.h"
#include "core/scenario/scenariofile.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kv {

struct RenderOptions {
    std::string output; ///< .png, .svg or .pdf; .csv or .md for the numbers of a page; of "all" also .html, .json and .tex
    std::optional<std::pair<int, int>> size{}; ///< points, refused where the page would be cut; none: its usual size, and higher where it would be cut
    double scale = 1;   ///< pixels a point, in a PNG
    bool dark = false;
    std::string view = "all"; ///< of renderViews()
    SizeUnit unit = SizeUnit::Decimal;
    std::string language = "en"; ///< of ui/language/language.h
    std::vector<Scenario> beside{}; ///< further scenarios of the plan, for "compare"
    std::size_t place = 0;          ///< where among them the scenario itself stands
    std::shared_ptr<const Lesson> lesson{}; ///< for "lesson"
    std::optional<std::int64_t> guess{};    ///< which reveals its answer
};

/// The caller has checked the options against these.
inline constexpr int leastRenderSize = 200, mostRenderSize = 16'384;
inline constexpr double leastRenderScale = 0.25, mostRenderScale = 8;
inline constexpr double mostRenderPixels = 200e6; ///< of a PNG: 800 MB while it is painted

/// The pages of ui/paper.h, as they are written on the command line: "fit-map".
std::vector<std::string> renderViews();

/// Draws on the offscreen platform whatever the desktop is. `argc` and `argv` are the program's own. Nothing: it was written.
std::optional<Note> runRender(int argc, char **argv, const Scenario &scenario, const RenderOptions &options);

} // namespace kv
