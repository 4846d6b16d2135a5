// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tensorrtllm/cells.h"

#include "core/engine/options.h"
#include "core/engine/stages.h"
#include "core/model/contextlimit.h"
#include "core/model/draftshape.h"

#include <algorithm>

namespace kv::tensorrtllm {

namespace {

struct Context {
    const Deployment &d;
    OptionReader options;
    std::int64_t headWays;               ///< tp, or 1 with attention DP
    std::vector<std::int64_t> windows;   ///< max_attention_window, repeated over the layers
    bool ownWindows;                     ///< the model's sliding layers have their windows
    std::int64_t longest;                ///< tokens of the longest sequence; 0: not known
    ElementType indexerType, stateType;
    std::optional<ElementType> stateHint; ///< of the config's keys
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

bool slides(const LayerShape &shape) {
    return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::Window; });
}

bool chunks(const LayerShape &shape) {
    return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::Chunked; });
}

/// Sliding layers stand beside others.
bool slidesInPart(const ModelSpec &model) { return std::ranges::any_of(model.shapes, slides) && !std::ranges::all_of(model.shapes, slides); }

/// The window that a part is kept by; 0: every token.
std::int64_t windowOf(const CachePart &part, std::size_t layer, const Context &c) {
    const auto *sliding = c.ownWindows ? std::get_if<SlidingWindow>(&part) : nullptr;
    const std::int64_t window = !c.windows.empty() ? c.windows[layer % c.windows.size()] : sliding ? sliding->window.value : 0;
    return c.longest > 0 && window >= c.longest ? 0 : window;
}

/// What the config's keys say of the states' type; nothing: it has none, and what the family fixes counts. mamba_ssm_dtype is the type that
/// states are computed in, not kept in (_torch/pyexecutor/config_utils.py resolve_ssm_cache_dtype).
std::optional<ElementType> stateHint(const ModelSpec &model) {
    if (!model.source || model.sourceIsGguf)
        return std::nullopt;
    std::optional<ElementType> hint;
    for (const Json *block : {model.source.get(), model.source->find("text_config")})
        for (const std::string_view key : {"mamba_ssm_cache_dtype", "mamba_ssm_dtype", "ssm_state_dtype"}) {
            const Json *value = block && block->isObject() ? block->find(key) : nullptr;
            if (!value || !value->isString())
                continue;
            const std::string &name = value->text();
            const auto type = key == "mamba_ssm_cache_dtype" ? elementTypeFromName(name.starts_with("torch.") ? name.substr(6) : name) : std::nullopt;
            hint = type.value_or(hint.value_or(ElementType::Auto));
        }
    return hint;
}

Bytes slotOf(const CachePart &part, const Context &c) {
    if (const auto *state = std::get_if<RecurrentState>(&part)) {
        const ElementType hint = c.stateHint.value_or(state->stateType);
        const ElementType standard = hint == ElementType::Auto ? c.d.types.model : hint;
        const ElementType own = c.stateType == ElementType::Auto ? standard : c.stateType;
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
        addToken(stage, windowOf(part, layer, c), tokenOf(part, c));
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
    const std::optional<Tokens> limit = contextLimit("tensorrt-llm", *d.model);
    const Context c{.d = d,
                    .options = options,
                    .headWays = attentionDp ? 1 : d.tp,
                    .windows = options.list("max_attention_window"),
                    .ownWindows = slidesInPart(*d.model),
                    .longest = limit ? std::max(*limit, d.context).value : 0,
                    .indexerType = options.type("indexer_dtype").value_or(ElementType::Fp8),
                    .stateType = options.type("ssm_dtype").value_or(ElementType::Auto),
                    .stateHint = stateHint(*d.model)};
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
    cells.windowsInFull = c.windows.empty() && (std::ranges::any_of(d.model->shapes, chunks) || (!c.ownWindows && std::ranges::any_of(d.model->shapes, slides)));
    return cells;
}

} // namespace kv::tensorrtllm
