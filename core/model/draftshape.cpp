// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/draftshape.h"

#include <algorithm>
#include <iterator>

namespace kv {

LayerShape draftShape(const ModelSpec &model) {
    const auto attendsToAll = [](const CachePart &part) { return kindOf(part) == CacheKind::Full || kindOf(part) == CacheKind::Latent; };
    LayerShape draft;
    for (auto layer = model.layers.rbegin(); layer != model.layers.rend() && draft.parts.empty(); ++layer) {
        const std::vector<CachePart> &parts = model.shapes[*layer].parts;
        if (std::ranges::any_of(parts, attendsToAll))
            std::ranges::copy_if(parts, std::back_inserter(draft.parts), [&](const CachePart &part) { return attendsToAll(part) || kindOf(part) == CacheKind::Index; });
    }
    for (auto layer = model.layers.rbegin(); layer != model.layers.rend() && draft.parts.empty(); ++layer)
        for (const CachePart &part : model.shapes[*layer].parts) {
            if (const auto *window = std::get_if<SlidingWindow>(&part))
                draft.parts = {FullAttention{window->heads}};
            else if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
                draft.parts = {FullAttention{chunked->heads}};
            else if (const auto *compressed = std::get_if<CompressedAttention>(&part))
                draft.parts = {CompressedAttention{0, compressed->headDim, compressed->ropeSize, compressed->window, 0}};
        }
    return draft;
}

} // namespace kv
