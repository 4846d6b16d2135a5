// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/rankweights.h"

namespace kv::vllm {

std::vector<RankWeights> weightsOfStages(const Deployment &d, const Settings &settings,
                                   const std::vector<std::int64_t> &stages) {
    const WeightsChoice &choice = d.scenario->weights;
    const bool drafts = choice.bytes || settings.draftLayers > 0 || settings.speculativeTokens > 0;
    std::vector<RankWeights> weights = rankWeights(d, stages, {.drafts = drafts, .expertsOverReplicas = true});
    if (runsIn16Bit(d))
        halve(weights);
    return weights;
}

} // namespace kv::vllm
