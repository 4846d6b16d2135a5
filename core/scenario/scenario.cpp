// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.h"

#include "core/model/catalogue.h"

namespace kv {

bool takesUnlikeCards(std::string_view engine) { return engine == "llama-cpp"; }

Scenario firstScenario() {
    static constexpr std::int64_t context = 131'072, sequences = 10, cards = 8;
    Scenario scenario;
    scenario.model.preset = "llama-3.1-70b";
    if (const auto model = presetModel(scenario.model.preset))
        scenario.model.spec = *model;
    scenario.workload.context = Tokens(context);
    scenario.workload.sequences = Count(sequences);
    scenario.hardware.gpu = "h100-sxm-80gb";
    scenario.hardware.count = Count(cards);
    return scenario;
}

} // namespace kv
