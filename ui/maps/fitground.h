// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What lies under the fit map's present point: for every context that a slider can give, the most sequences that fit; of the scenario and
// of the ghost beside it. It takes milliseconds and is made off the GUI thread; nothing here knows a widget.
//
// The contexts are those of the slider's grid (32 to an octave, fewer on a very long axis), with the present one, the model's limit and
// the one behind it, so that the cell under the pointer is the scenario that a click gives.

#include "core/plan/fitmap.h"

#include <functional>
#include <optional>
#include <vector>

namespace kv {

struct FitRange {
    Tokens from, to;
    std::int64_t top = 0; ///< of the sequences; 0: chosen with the boundary

    bool operator==(const FitRange &) const = default;
};

struct FitGround {
    FitRange range;
    std::vector<FitMapColumn> columns;
    std::vector<FitMapColumn> ghost; ///< empty: none
    std::string refusal;             ///< why the engine takes no context as long as the last

    bool isEmpty() const { return columns.empty(); }
    /// The column of a context, or the nearest one to it.
    const FitMapColumn &nearest(Tokens context) const;
};

FitGround fitGround(const Scenario &scenario, const Scenario *ghost, const FitRange &range, const std::function<bool()> &goOn = {});

/// A map at round contexts and counts and at the present ones: what is copied and saved.
FitMap roundFitMap(const Scenario &scenario, const FitRange &range);

} // namespace kv
