// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/draftshape.h"

#include <algorithm>
#include <iterator>

namespace kv {

namespace {

bool has(const LayerShape &shape, CacheKind kind) {
    return std::ranges::any_of(shape.parts, [kind](const CachePart &part) { return kindOf(part) == kind; });
}

/// A layer that uses the index of another has no keys of its own; the drafter is always one with them.
void addIndexKeys(const ModelSpec &model, LayerShape &draft) {
    const auto sparse = std::ranges::find_if(model.shapes, [](const LayerShape &shape) { return has(shape, CacheKind::Index); });
    if (sparse != model.shapes.end() && has(draft, CacheKind::Latent) && !has(draft, CacheKind::Index))
        std::ranges::copy_if(sparse->parts, std::back_inserter(draft.parts), [](const CachePart &part) { return kindOf(part) == CacheKind::Index; });
}

} // namespace

LayerShape draftShape(const ModelSpec &model) {
    const auto attendsToAll = [](const CachePart &part) { return kindOf(part) == CacheKind::Full || kindOf(part) == CacheKind::Latent; };
    LayerShape draft;
    for (auto layer = model.layers.rbegin(); layer != model.layers.rend() && draft.parts.empty(); ++layer) {
        const std::vector<CachePart> &parts = model.shapes[*layer].parts;
        if (std::ranges::any_of(parts, attendsToAll))
            std::ranges::copy_if(parts, std::back_inserter(draft.parts), [&](const CachePart &part) { return attendsToAll(part) || kindOf(part) == CacheKind::Index; });
    }
    addIndexKeys(model, draft);
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
