// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What can stand beside a plan when it was asked for: how unlike lengths add up, the levers, the bound of decoding. In the report's text
// and Markdown as sections of their own, in JSON under "lengths.in_flight", "levers" and "decode_floor".

#include "core/base/jsonwriter.h"
#include "core/plan/decodefloor.h"
#include "core/plan/inflight.h"
#include "core/plan/levers.h"
#include "core/report/digest.h"

#include <optional>

namespace kv {

struct PlanExtras {
    std::optional<InFlight> inFlight;
    std::optional<Levers> levers;
    std::optional<DecodeFloor> floor;
};

/// Appends their sections; nullptr: none.
void addExtras(Digest &digest, const PlanExtras *extras, SizeUnit unit);

void writeInFlight(JsonWriter &out, const InFlight &inFlight); ///< "in_flight": {…}
void writeExtras(JsonWriter &out, const Scenario &scenario, const PlanExtras &extras);

} // namespace kv
