// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/sglang/cells.h"

#include "core/base/rounding.h"
#include "core/engine/options.h"
#include "core/engine/stages.h"
#include "core/hardware/generation.h"
#include "core/model/defaults.h"
#include "core/model/wholevalue.h"

#include <algorithm>
#include <array>
#include <span>

namespace kv::sglang {

namespace {

// Architectures whose windows get a pool of their own (is_hybrid_swa_model); a name stands for all that begin with it.
constexpr std::array<std::string_view, 11> twoPoolArchitectures{
    "Llama4ForConditionalGeneration", "GptOss", "MiMoV2", "Step3p5", "Step3p7", "Gemma4", "Laguna", "Mellum", "MuseGlimmer", "Inkling", "UnlimitedOCR",
};
// Of these the ones whose window is said without the token itself (models/gpt_oss.py, gemma4_causal.py: get_attention_sliding_window_size).
constexpr std::array<std::string_view, 2> exclusiveWindows{"GptOss", "Gemma4"};

bool isOneOf(std::span<const std::string_view> names, const ModelSpec &model) {
    return std::ranges::any_of(names, [&](std::string_view name) { return std::string_view(model.architecture).starts_with(name); });
}

bool hasTwoPools(const ModelSpec &model) {
    return (model.source && model.source->find("hybrid_layer_pattern")) || isOneOf(twoPoolArchitectures, model);
}

bool hasKind(const ModelSpec &model, CacheKind kind) {
    return std::ranges::any_of(model.shapes, [&](const LayerShape &shape) { return std::ranges::any_of(shape.parts, [&](const CachePart &part) { return kindOf(part) == kind; }); });
}

constexpr std::int64_t mostEncoderLayers = 1024;

bool isFp4(ElementType type) { return type == ElementType::Nvfp4 || type == ElementType::Fp4MxBlock16; }

/// Elements of attention and of latents, summed apart: their small types cost differently.
struct Elements {
    std::int64_t heads = 0;     ///< KV heads × (K size + V size), over the layers
    std::int64_t headRow = 0;   ///< of one layer: the FP8 row that fp4 shares
    std::int64_t latent = 0;
    std::int64_t latentScale = 0; ///< (rank + rope) ÷ 16 of each layer, whole numbers
    Bytes sparse;                 ///< latents in the layout of sparse attention
    Bytes index;
};

struct Context {
    const Deployment &d;
    OptionReader options;
    Cells &cells;
    bool twoPools;
};

std::int64_t ownHeads(std::int64_t kvHeads, const Cells &cells) {
    return std::max<std::int64_t>(1, kvHeads / std::max<std::int64_t>(1, cells.attentionTp / cells.dcp));
}

void addHeads(Elements &sum, const HeadShape &heads, const Cells &cells) {
    const std::int64_t row = checked::mul(ownHeads(heads.kvHeads, cells), checked::add(heads.keySize, heads.valueSize));
    sum.heads = checked::add(sum.heads, row);
    sum.headRow = std::max(sum.headRow, row);
}

/// Sparse FP8 latents without scales beside them: TensorRT-LLM's kernels on Blackwell (GLM-5 takes FlashInfer's outside of the servers), raw
/// layouts on AMD (calculate_mla_kv_cache_dim; arg_groups/overrides.py).
bool hasRawLatents(const Deployment &d) {
    if (!d.gpu)
        return false;
    return d.gpu->vendor == "AMD" || isServerBlackwell(*d.gpu) || (generationOf(*d.gpu) == Generation::Blackwell && d.model->modelType != "glm_moe_dsa");
}

void addLatent(Elements &sum, const LatentAttention &latent, const Context &c) {
    const std::int64_t width = checked::add(latent.rank, latent.ropeSize);
    if (c.cells.sparse && c.d.types.key == ElementType::Fp8 && !hasRawLatents(c.d)) {
        sum.sparse += Bytes(latent.rank + latent.rank / 128 * 4 + 2 * latent.ropeSize);
    } else {
        sum.latent = checked::add(sum.latent, width);
        sum.latentScale = checked::add(sum.latentScale, width / 16);
    }
}

Bytes cellBytes(const Elements &sum, ElementType type) {
    const std::int64_t bytes = checked::add(sum.heads, sum.latent);
    if (isFp4(type))
        return Bytes(checked::add(sum.heads / 2 + sum.heads / 16 + sum.headRow, sum.latent / 2 + sum.latentScale)) + sum.index;
    if (type == ElementType::Mxfp8)
        return Bytes(checked::add(bytes, sum.heads / 32)) + sum.index;
    return bytesFor(bytes, type) + sum.sparse + sum.index;
}

/// Bytes of a state on one rank. Mamba 2 repeats its groups where they do not divide by the ranks.
Bytes stateBytes(const RecurrentState &state, const Context &c) {
    const std::int64_t ways = c.cells.attentionTp;
    std::int64_t channels = state.convChannels;
    if (state.family == StateFamily::Mamba2 && state.groups > 0 && state.groups % ways != 0)
        channels = checked::add(channels, checked::mul(2 * (ways - state.groups % ways), state.groupSize));
    const ElementType hint = state.stateType == ElementType::Auto ? ElementType::Fp32 : state.stateType;
    const std::int64_t columns = state.kernel > 0 ? state.kernel - 1 : 0;
    return bytesFor(checked::mul(checked::ceilDiv(channels, ways), columns), c.options.type("conv_dtype").value_or(ElementType::Bf16)) +
           bytesFor(checked::ceilDiv(state.stateElements(), ways), c.options.type("ssm_dtype").value_or(hint));
}

void addPart(const CachePart &part, Elements &full, Elements &window, StageCell &cell, const Context &c) {
    if (const auto *attention = std::get_if<FullAttention>(&part))
        addHeads(full, attention->heads, c.cells);
    else if (const auto *sliding = std::get_if<SlidingWindow>(&part))
        addHeads(c.twoPools ? window : full, sliding->heads, c.cells);
    else if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
        addHeads(c.twoPools ? window : full, chunked->heads, c.cells);
    else if (const auto *latent = std::get_if<LatentAttention>(&part))
        addLatent(full, *latent, c);
    else if (const auto *index = std::get_if<IndexKeys>(&part); index && !c.cells.latent) // beside whole heads: not known for certain, never left out
        full.index += bytesFor(index->size, ElementType::Bf16);
    else if (const auto *state = std::get_if<RecurrentState>(&part))
        cell.state += stateBytes(*state, c);
    else if (const auto *cross = std::get_if<CrossAttention>(&part))
        addHeads(full, cross->heads, c.cells);
}

/// Whisper's encoder layers: buffers of the decoder's shape on the first stage.
void addEncoderBuffers(Elements &full, const Context &c) {
    const ModelSpec &model = *c.d.model;
    if (model.architecture != "WhisperForConditionalGeneration" || !model.source || model.sourceIsGguf)
        return;
    const ClassDefaults *defaults = classDefaults(model.modelType);
    const Json *named = model.source->find("encoder_layers");
    if (!named && defaults && defaults->values)
        named = defaults->values->find("encoder_layers");
    const std::int64_t layers = named ? wholeValue(*named).value_or(0) : 0;
    for (const CachePart &part : model.layer(0).parts)
        if (const auto *attention = std::get_if<FullAttention>(&part))
            for (std::int64_t layer = 0; layer < std::min(layers, mostEncoderLayers); ++layer)
                addHeads(full, attention->heads, c.cells);
}

/// Index keys are made for every latent layer of a sparse model, in bytes whatever the KV type.
Bytes indexBytes(const ModelSpec &model) {
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const auto *index = std::get_if<IndexKeys>(&part))
                return Bytes(index->size + index->size / 128 * 4);
    return Bytes(0);
}

/// What a layer's buffers hold. One that reads another's cache has buffers like that one's, and one that does not attend like the first that
/// does; they stay empty (get_hybrid_layer_ids lists every layer, and num_effective_layers counts each, but where the model has states).
const LayerShape &buffersOf(const ModelSpec &model, std::size_t layer) {
    const bool shares = layer < model.sharedFrom.size() && model.sharedFrom[layer] >= 0;
    const LayerShape &own = model.layer(shares ? static_cast<std::size_t>(model.sharedFrom[layer]) : layer);
    if (!own.parts.empty() || hasKind(model, CacheKind::State))
        return own;
    const auto attends = std::ranges::find_if(model.layers, [&](const auto shape) { return !model.shapes[shape].parts.empty(); });
    return attends == model.layers.end() ? own : model.shapes[*attends];
}

/// Layers of a stage that the draft layers are one more of: those in the full pool; of models with states those that attend; else all.
std::int64_t layersInFullPool(std::size_t first, std::int64_t count, const Context &c) {
    if (!hasKind(*c.d.model, CacheKind::State) && !c.twoPools)
        return count;
    std::int64_t layers = 0;
    for (std::size_t layer = first; layer < first + static_cast<std::size_t>(count); ++layer)
        layers += std::ranges::any_of(buffersOf(*c.d.model, layer).parts, [&](const CachePart &part) {
            const CacheKind kind = kindOf(part);
            return kind == CacheKind::Full || kind == CacheKind::Latent || (!c.twoPools && (kind == CacheKind::Window || kind == CacheKind::Chunked));
        });
    return layers;
}

/// The cell with draft layers. One pool: int(cell * (1 + draft_layers / layers)), in the binary floating point of the engine's language, whose
/// cut may lose a byte; two pools: so many layers more in the full one.
Bytes withDrafts(Bytes cell, std::int64_t drafts, std::int64_t layers, bool twoPools) {
    if (layers <= 0)
        return cell;
    if (twoPools)
        return Bytes(checked::mulDiv(cell.value, checked::add(layers, drafts), layers));
    return Bytes(checked::truncated(static_cast<double>(cell.value) * (1.0 + static_cast<double>(drafts) / static_cast<double>(layers))));
}

StageCell stageCell(std::size_t first, std::int64_t count, Bytes index, const Context &c) {
    StageCell cell;
    Elements full, window;
    for (std::size_t layer = first; layer < first + static_cast<std::size_t>(count); ++layer)
        for (const CachePart &part : buffersOf(*c.d.model, layer).parts) {
            addPart(part, full, window, cell, c);
            if (kindOf(part) == CacheKind::Latent)
                full.index += index;
        }
    if (first == 0)
        addEncoderBuffers(full, c);
    const ElementType type = c.twoPools && isFp4(c.d.types.key) ? ElementType::Fp8 : c.d.types.key;
    cell.full = cellBytes(full, type);
    cell.window = cellBytes(window, type);
    const std::int64_t own = c.d.draft ? c.d.draft->layerCount() : 0; // STANDALONE: as so many layers more of this shape
    if (const std::int64_t drafts = checked::add(c.options.whole("draft_layers").value_or(0), own); drafts > 0)
        cell.full = withDrafts(cell.full, drafts, layersInFullPool(first, count, c), c.twoPools);
    return cell;
}

/// KV heads that the layer's class deals out by ranks (models/llama.py LlamaAttention: one number must divide the other); 0: none.
std::int64_t dividedHeads(const CachePart &part) {
    if (const auto *full = std::get_if<FullAttention>(&part))
        return full->heads.kvHeads;
    if (const auto *window = std::get_if<SlidingWindow>(&part))
        return window->heads.kvHeads;
    if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
        return chunked->heads.kvHeads;
    return 0;
}

/// configs/model_config.py get_total_num_kv_heads: "Variable GQA (VGQA) is not yet supported for nemotron-nas".
std::optional<Note> refuseUnlikeHeads(const ModelSpec &model) {
    std::optional<std::int64_t> heads;
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            if (const std::int64_t own = dividedHeads(part); own > 0 && model.modelType == "nemotron-nas" && heads.value_or(own) != own)
                return errorNote("kind-not-known", "engine.id", "engine.id: SGLang does not take a nemotron-nas model whose layers have unlike numbers of KV heads; count it like another engine");
            else if (own > 0)
                heads = own;
    return std::nullopt;
}

/// Settings that SGLang does not start with.
std::optional<Note> refuseSettings(const Context &c) {
    const ElementType type = c.d.types.key;
    if (c.cells.sparse && c.cells.latent && type != ElementType::Bf16 && type != ElementType::Fp8) // arg_groups/overrides.py _dsa_kv_cache_dtype_default
        return errorNote("type-not-taken", "kv.dtype",
                         "kv.dtype: for sparse attention over latents sglang does not take " + std::string(info(type).name) + " for the cache; it takes auto, bf16, fp8");
    // arg_groups/speculative_hook.py _handle_eagle_family: STANDALONE; one replica alone has none (server_args.py _handle_data_parallelism)
    if (c.d.draft && c.d.dp > 1 && c.options.boolean("enable_dp_attention").value_or(false))
        return errorNote("impossible-parallel", "engine.options.enable_dp_attention",
                         "engine.options.enable_dp_attention: SGLang does not draft with a model of its own under DP attention; leave out draft_model, or DP attention");
    return std::nullopt;
}

std::optional<Note> refuse(const Context &c) {
    if (std::optional<Note> note = refuseSettings(c))
        return note;
    if (std::optional<Note> note = refuseUnlikeHeads(*c.d.model))
        return note;
    const Deployment &d = c.d;
    const auto bad = [](const char *where, const std::string &what) { return errorNote("impossible-parallel", where, std::string(where) + ": " + what); };
    if (d.tp % c.cells.dcp != 0)
        return bad("engine.options.decode_context_parallel", "decode context parallel " + std::to_string(c.cells.dcp) + " must divide tp " + std::to_string(d.tp));
    if (c.options.boolean("enable_dp_attention").value_or(false) && d.tp % d.dp != 0)
        return bad("parallel.dp", "with DP attention dp must divide tp; " + std::to_string(d.dp) + " does not divide " + std::to_string(d.tp));
    if (d.model->queryHeads > 0 && d.model->queryHeads % c.cells.attentionTp != 0)
        return bad("parallel.tp", "SGLang needs a tensor parallel degree that divides the " + std::to_string(d.model->queryHeads) + " query heads; " +
                                      std::to_string(c.cells.attentionTp) + " does not");
    for (const LayerShape &shape : d.model->shapes)
        for (const CachePart &part : shape.parts)
            if (const std::int64_t heads = dividedHeads(part); heads > 0 && heads % c.cells.attentionTp != 0 && c.cells.attentionTp % heads != 0)
                return bad("parallel.tp", "SGLang deals the " + std::to_string(heads) + " KV heads evenly over the GPUs, or copies each evenly; " + std::to_string(c.cells.attentionTp) +
                                              " GPUs neither divide them nor are a multiple");
    if (d.pp > d.model->layerCount())
        return bad("parallel.pp", std::to_string(d.pp) + " pipeline stages are more than the " + std::to_string(d.model->layerCount()) + " layers");
    for (const LayerShape &shape : d.model->shapes)
        for (const CachePart &part : shape.parts)
            if (kindOf(part) == CacheKind::Compressed)
                return errorNote("kind-not-known", "engine.id",
                                 "engine.id: how sglang sizes the pools of compressed attention (" + d.model->modelType + ") is not known whole; count like textbook or vllm");
    return std::nullopt;
}

void lookAtKinds(const Context &c) {
    for (const LayerShape &shape : c.d.model->shapes)
        for (const CachePart &part : shape.parts) {
            const CacheKind kind = kindOf(part);
            c.cells.sparse = c.cells.sparse || kind == CacheKind::Index;
            c.cells.latent = c.cells.latent || kind == CacheKind::Latent;
            c.cells.fullLayers = c.cells.fullLayers || kind == CacheKind::Full || kind == CacheKind::Latent || (!c.twoPools && (kind == CacheKind::Window || kind == CacheKind::Chunked));
            if (const auto *sliding = std::get_if<SlidingWindow>(&part); sliding && c.twoPools)
                c.cells.window = std::max(c.cells.window, sliding->window.value);
            if (const auto *chunked = std::get_if<ChunkedAttention>(&part); chunked && c.twoPools)
                c.cells.window = std::max(c.cells.window, chunked->chunk.value);
            if (const auto *cross = std::get_if<CrossAttention>(&part))
                c.cells.encoder = std::max(c.cells.encoder, cross->encoderTokens.value);
        }
    c.cells.windowBefore = std::max<std::int64_t>(0, c.cells.window - (isOneOf(exclusiveWindows, *c.d.model) ? 1 : 0));
}

} // namespace

bool hasSparseLatents(const ModelSpec &model) { return hasKind(model, CacheKind::Latent) && hasKind(model, CacheKind::Index); }

Cells cellsOf(const Deployment &d) {
    Cells cells;
    const OptionReader options(d.scenario->engine.options);
    const Context c{d, options, cells, hasTwoPools(*d.model)};
    cells.dcp = std::max<std::int64_t>(1, options.whole("decode_context_parallel").value_or(1));
    cells.attentionTp = options.boolean("enable_dp_attention").value_or(false) ? std::max<std::int64_t>(1, d.tp / d.dp) : d.tp;
    lookAtKinds(c);
    cells.refusal = refuse(c);
    if (cells.refusal)
        return cells;
    cells.stageLayerCounts = stageLayers(d.model->layerCount(), d.pp, StageRule::RestLast);
    const Bytes index = indexBytes(*d.model);
    std::size_t first = 0;
    for (const std::int64_t count : cells.stageLayerCounts) {
        cells.stages.push_back(stageCell(first, count, index, c));
        first += static_cast<std::size_t>(count);
    }
    return cells;
}

} // namespace kv::sglang
