// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which values of a scenario were measured on a real server, and where: {"from": "start-up log of vLLM 0.9.1", "values":
// {"weights.bytes": 16394212291}}. A mark holds while the value is still the measured one; whoever changes it by hand unmarks it.

#include "core/base/note.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string_view>

namespace kv {

/// The size at "weights.bytes", "hardware.memory_bytes" or "engine.options.NAME"; absent where nothing is set by hand.
std::optional<std::int64_t> valueByHand(const Scenario &scenario, std::string_view place);

/// The places whose mark still holds.
std::vector<std::string> measuredPlaces(const Scenario &scenario);
/// What reports say of them; absent when there is none. Code "measured".
std::optional<Note> measuredNote(const Scenario &scenario);

Json writeMeasured(const Measured &measured);
/// What is not understood is left out: a mark is a remark, nothing is planned by it.
Measured readMeasured(const Json &section);

} // namespace kv
