// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/rankweights.h"

namespace kv::vllm {

std::vector<Bytes> rankWeights(const Deployment &d, const std::vector<std::int64_t> &stages) {
    std::vector<Bytes> weights;
    const std::int64_t all = std::max<std::int64_t>(1, d.model->layerCount());
    for (const std::int64_t layers : stages)
        weights.push_back(Bytes(checked::ceilDiv(checked::mulDiv(d.weights.value, layers, all), d.tp)));
    return weights;
}

} // namespace kv::vllm
