// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/rankweights.h"

namespace kv::vllm {

std::vector<RankWeights> weightsOfStages(const Deployment &d, const Settings &settings,
                                   const std::vector<std::int64_t> &stages) {
    const WeightsChoice &choice = d.scenario->weights;
    const bool drafts = choice.bytes || settings.draftLayers > 0 || settings.speculativeTokens > 0;
    std::vector<RankWeights> weights = rankWeights(d, stages, {.drafts = drafts, .expertsOverReplicas = true});
    const bool halved =
        d.model->dtype == ElementType::Fp32 && d.model->quantMethod.empty() && !choice.bytes && choice.dtype.empty();
    if (halved)
        for (RankWeights &rank : weights)
            for (Bytes *bytes : {&rank.all, &rank.experts, &rank.resting})
                *bytes = Bytes(checked::ceilDiv(bytes->value, 2));
    return weights;
}

} // namespace kv::vllm
