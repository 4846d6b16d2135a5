// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// `kvplanner render`: the window's inside, or one of its views, as a picture of a fixed size, drawn without a display.

#include "core/base/note.h"
#include "core/base/quantity.h"
#include "core/scenario/scenariofile.h"

#include <optional>
#include <string>
#include <vector>

namespace kv {

struct RenderOptions {
    std::string output; ///< .png, .svg or .pdf
    int width = 1440, height = 900; ///< points
    double scale = 1;   ///< pixels a point, in a PNG
    bool dark = false;
    std::string view = "all"; ///< of renderViews()
    SizeUnit unit = SizeUnit::Decimal;
    std::string language = "en"; ///< of ui/language/language.h
    std::vector<Scenario> beside{}; ///< further scenarios of the plan, for "compare"
};

/// The caller has checked the options against these.
inline constexpr int leastRenderSize = 200, mostRenderSize = 16'384;
inline constexpr double leastRenderScale = 0.25, mostRenderScale = 8;
inline constexpr double mostRenderPixels = 200e6; ///< of a PNG: 800 MB while it is painted

/// "all", "gpus", "growth", "settingsMap" and the pages of ui/views.h.
std::vector<std::string> renderViews();

/// Draws on the offscreen platform whatever the desktop is. `argc` and `argv` are the program's own. Nothing: it was written.
std::optional<Note> runRender(int argc, char **argv, const Scenario &scenario, const RenderOptions &options);

} // namespace kv
