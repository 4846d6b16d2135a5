// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensorrtllm/cells.h"

#include "core/engine/options.h"
#include "core/engine/stages.h"
#include "core/model/draftshape.h"

#include <algorithm>

namespace kv::tensorrtllm {

namespace {

struct Context {
    const Deployment &d;
    OptionReader options;
    std::int64_t headWays;               ///< tp, or 1 with attention DP
    std::vector<std::int64_t> windows;   ///< max_attention_window, repeated over the layers
    ElementType indexerType, stateType;
};

Bytes indexerBytes(std::int64_t size, ElementType type) {
    if (type == ElementType::Fp4)
        return Bytes(checked::add(checked::ceilDiv(size, 2), 4));
    return Bytes(checked::add(size, checked::mul(size / 128, 4)));
}

Bytes headBytes(const HeadShape &heads, const Context &c) {
    const std::int64_t size = std::max(heads.keySize, heads.valueSize); // K and V share one head_dim (KVCacheManager)
    const HeadShape own{checked::ceilDiv(heads.kvHeads, c.headWays), size, size};
    return tokenBytes(own, c.d.types);
}

/// What a part adds to a token; fixed parts add nothing.
Bytes tokenOf(const CachePart &part, const Context &c) {
    if (const auto *full = std::get_if<FullAttention>(&part))
        return headBytes(full->heads, c);
    if (const auto *window = std::get_if<SlidingWindow>(&part))
        return headBytes(window->heads, c);
    if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
        return headBytes(chunked->heads, c);
    if (const auto *latent = std::get_if<LatentAttention>(&part))
        return bytesFor(latent->rank + latent->ropeSize, c.d.types.key);
    if (const auto *index = std::get_if<IndexKeys>(&part))
        return indexerBytes(index->size, c.indexerType);
    return Bytes(0);
}

std::int64_t ownWindow(const CachePart &part) {
    if (const auto *window = std::get_if<SlidingWindow>(&part))
        return window->window.value;
    if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
        return chunked->chunk.value;
    return 0;
}

Bytes slotOf(const CachePart &part, const Context &c) {
    if (const auto *state = std::get_if<RecurrentState>(&part)) {
        const ElementType hint = state->stateType == ElementType::Auto ? c.d.types.model : state->stateType;
        const ElementType own = c.stateType == ElementType::Auto ? hint : c.stateType;
        return bytesFor(checked::ceilDiv(state->convElements(), c.headWays), c.d.types.model) +
               bytesFor(checked::ceilDiv(state->stateElements(), c.headWays), own);
    }
    if (const auto *cross = std::get_if<CrossAttention>(&part))
        return headBytes(cross->heads, c) * cross->encoderTokens.value;
    return Bytes(0);
}

void addToken(StageCells &stage, std::int64_t window, Bytes bytes) {
    if (bytes == Bytes(0))
        return;
    const auto there = std::ranges::find(stage.pools, window, &PoolCell::window);
    if (there != stage.pools.end())
        there->perToken += bytes;
    else
        stage.pools.push_back({window, bytes});
}

void addLayer(StageCells &stage, const LayerShape &shape, std::size_t layer, const Context &c) {
    for (const CachePart &part : shape.parts) {
        const std::int64_t window = c.windows.empty() ? ownWindow(part) : c.windows[layer % c.windows.size()];
        addToken(stage, window, tokenOf(part, c));
        stage.slot += slotOf(part, c);
    }
}

void addDrafts(StageCells &last, const Context &c) {
    const std::int64_t drafts = c.options.whole("draft_layers").value_or(0);
    if (drafts > 0)
        for (const CachePart &part : draftShape(*c.d.model).parts)
            addToken(last, 0, tokenOf(part, c) * drafts);
}

/// Every stage has every pool, the full one first, so that pools can be walked side by side.
void alignPools(std::vector<StageCells> &stages) {
    std::vector<std::int64_t> windows;
    for (const StageCells &stage : stages)
        for (const PoolCell &pool : stage.pools)
            if (std::ranges::find(windows, pool.window) == windows.end())
                windows.push_back(pool.window);
    std::ranges::sort(windows, [](std::int64_t a, std::int64_t b) { return a == 0 || b == 0 ? a == 0 && b != 0 : a > b; });
    for (StageCells &stage : stages) {
        std::vector<PoolCell> ordered;
        for (const std::int64_t window : windows) {
            const auto there = std::ranges::find(stage.pools, window, &PoolCell::window);
            ordered.push_back(there == stage.pools.end() ? PoolCell{window, Bytes(0)} : *there);
        }
        stage.pools = std::move(ordered);
    }
}

std::optional<Note> refuse(const Context &c, const std::vector<std::int64_t> &partition) {
    const Deployment &d = c.d;
    if (d.model->queryHeads > 0 && d.model->queryHeads % c.headWays != 0)
        return errorNote("tp-does-not-divide", "parallel.tp",
                         "parallel.tp: TensorRT-LLM needs a tensor parallel degree that divides the " + std::to_string(d.model->queryHeads) +
                             " query heads; " + std::to_string(c.headWays) + " does not");
    if (!partition.empty())
        return checkPartition(partition, d.model->layerCount(), d.pp);
    if (d.pp > d.model->layerCount())
        return errorNote("more-stages-than-layers", "parallel.pp",
                         "parallel.pp: " + std::to_string(d.pp) + " pipeline stages are more than the " + std::to_string(d.model->layerCount()) + " layers");
    for (const LayerShape &shape : d.model->shapes)
        for (const CachePart &part : shape.parts)
            if (kindOf(part) == CacheKind::Compressed)
                return errorNote("kind-not-known", "engine.id",
                                 "engine.id: how tensorrt-llm keeps compressed attention (" + d.model->modelType + ") is not known; count like textbook or vllm");
    for (const std::int64_t window : c.windows)
        if (window < 0)
            return errorNote("bad-value", "engine.options.max_attention_window", "engine.options.max_attention_window: a window of " + std::to_string(window) + " tokens is none");
    return std::nullopt;
}

} // namespace

Cells cellsOf(const Deployment &d) {
    const OptionReader options(d.scenario->engine.options);
    const bool attentionDp = options.boolean("enable_attention_dp").value_or(false);
    const Context c{d, options, attentionDp ? 1 : d.tp, options.list("max_attention_window"), options.type("indexer_dtype").value_or(ElementType::Fp8),
                    options.type("ssm_dtype").value_or(ElementType::Auto)};
    std::vector<std::int64_t> partition = options.list("layer_partition");
    Cells cells;
    cells.refusal = refuse(c, partition);
    if (cells.refusal)
        return cells;
    cells.stageLayerCounts = partition.empty() ? stageLayers(d.model->layerCount(), d.pp, StageRule::RestFirst) : std::move(partition);
    std::size_t layer = 0;
    for (const std::int64_t count : cells.stageLayerCounts) {
        StageCells &stage = cells.stages.emplace_back();
        for (std::int64_t i = 0; i < count; ++i, ++layer)
            addLayer(stage, d.model->layer(layer), layer, c);
    }
    if (!cells.stages.empty())
        addDrafts(cells.stages.back(), c);
    alignPools(cells.stages);
    return cells;
}

} // namespace kv::tensorrtllm
