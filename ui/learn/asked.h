// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Nothing in the window answers a lesson before the person has: figures and sentences that say what is asked are left out.

#include "core/plan/plan.h"
#include "ui/panels/tile.h"
#include "ui/view.h"

#include <array>
#include <string>

namespace kv {

/// The figures of the tiles (figuresOf) with those that are the answer hidden.
void hideAnswer(std::array<Figure, 6> &figures, const Plan &plan, const Asked &asked);
/// The text without the sentences that say the number asked for.
std::string withoutAnswer(const std::string &text, const Asked &asked);

} // namespace kv
