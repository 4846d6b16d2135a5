// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/querygroup.h"

namespace kv {

namespace {

std::int64_t kvHeadsOf(const LayerShape &shape) {
    for (const CachePart &part : shape.parts) {
        const std::int64_t heads = std::visit([](const auto &kind) -> std::int64_t {
            if constexpr (requires { kind.heads.kvHeads; })
                return kind.heads.kvHeads;
            else
                return 0;
        }, part);
        if (heads > 0)
            return heads;
    }
    return 0;
}

} // namespace

std::int64_t queryGroup(const ModelSpec &model, bool oneNumber) {
    if (model.layers.empty())
        return 0;
    std::int64_t heads = kvHeadsOf(model.layer(0));
    for (std::size_t shape = 0; oneNumber && heads == 0 && shape < model.shapes.size(); ++shape)
        heads = kvHeadsOf(model.shapes[shape]);
    return heads > 0 ? model.queryHeads / heads : 0;
}

} // namespace kv
