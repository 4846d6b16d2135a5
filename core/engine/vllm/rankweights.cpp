// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/rankweights.h"

#include "core/engine/rankweights.h"

namespace kv::vllm {

std::vector<Bytes> rankWeights(const Deployment &d, const std::vector<std::int64_t> &stages) {
    return kv::rankWeights(d, stages);
}

} // namespace kv::vllm
