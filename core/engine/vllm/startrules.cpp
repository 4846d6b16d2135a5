// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/startrules.h"

#include "core/base/quantity.h"
#include "core/engine/stages.h"
#include "core/engine/vllm/pages.h"

#include <algorithm>
#include <array>

namespace kv::vllm {

namespace {

using enum ElementType;

template <typename Each>
bool everyPart(const ModelSpec &model, Each &&each) {
    return std::ranges::all_of(model.shapes,
                               [&](const LayerShape &shape) { return std::ranges::all_of(shape.parts, each); });
}

const HeadShape *headsOf(const CachePart &part) {
    if (const auto *full = std::get_if<FullAttention>(&part))
        return &full->heads;
    if (const auto *window = std::get_if<SlidingWindow>(&part))
        return &window->heads;
    if (const auto *chunked = std::get_if<ChunkedAttention>(&part))
        return &chunked->heads;
    if (const auto *cross = std::get_if<CrossAttention>(&part))
        return &cross->heads;
    return nullptr;
}

bool dividesState(const RecurrentState &state, std::int64_t tp) {
    switch (state.family) {
    case StateFamily::Mamba1:
        return state.headRows % tp == 0;
    case StateFamily::ShortConvolution:
        return state.convChannels % tp == 0;
    case StateFamily::GatedDeltaNet:
        return state.heads % tp == 0 && state.groups % tp == 0;
    default:
        return state.heads % tp == 0;
    }
}

bool takesHeads(const CachePart &part, std::int64_t tp) {
    if (const auto *state = std::get_if<RecurrentState>(&part))
        return dividesState(*state, tp);
    const HeadShape *heads = headsOf(part);
    return !heads || heads->kvHeads <= 0 ||
           (heads->kvHeads >= tp ? heads->kvHeads % tp == 0 : tp % heads->kvHeads == 0);
}

std::string orList(const std::vector<std::int64_t> &numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + writeNumber(numbers[i]);
    return text;
}

std::optional<Note> checkKinds(const Deployment &d, const Settings &settings) {
    const ModelSpec &model = *d.model;
    const auto unknown = [](const CachePart &part) {
        const auto *state = std::get_if<RecurrentState>(&part);
        return !state || (state->family != StateFamily::Rwkv && state->family != StateFamily::RgLru);
    };
    if (!everyPart(model, unknown))
        return errorNote("kind-not-known", "engine.id",
                         "engine.id: vLLM has no layer for the states of this model (" + model.modelType +
                             "); count like textbook or llama-cpp");
    constexpr int removedIn = 11; // models/registry.py, after 0.10.2
    if (model.modelType.starts_with("mllama") && settings.rules().minor >= removedIn)
        return errorNote("kind-not-known", "engine.options.version",
                         "engine.options.version: vLLM dropped this model (" + model.modelType +
                             ") after 0.10.2; count like 0.8, or like textbook");
    return std::nullopt;
}

std::optional<Note> checkType(const Deployment &d, const Settings &settings, const ModelTraits &traits) {
    constexpr std::array types{
        Bf16,     Fp16,  Fp32,      Fp8,         Fp8E5m2,     Int8PerTokenHead, Fp8PerTokenHead, Int4PerTokenHead,
        Fp8DsMla, Nvfp4, TurboK8v4, Turbo4bitNc, TurboK3v4Nc, Turbo3bitNc};
    if (traits.encoder || takesType(*d.model, traits, settings.rules(), d.types.key))
        return std::nullopt;
    std::string text = "kv.dtype: vLLM " + settings.release.written + " does not keep the cache of this model in " +
                       std::string(info(d.types.key).name) + "; it takes auto";
    for (const ElementType type : types)
        if (takesType(*d.model, traits, settings.rules(), type))
            text += ", " + std::string(info(type).name);
    return errorNote("type-not-taken", "kv.dtype", std::move(text));
}

std::optional<Note> checkTensorParallel(const Deployment &d) {
    const ModelSpec &model = *d.model;
    if (takesTensorParallel(model, d.tp))
        return std::nullopt;
    std::vector<std::int64_t> near;
    for (std::int64_t tp = d.tp - 1; tp >= 1 && near.empty(); --tp)
        if (takesTensorParallel(model, tp))
            near.push_back(tp);
    for (std::int64_t tp = d.tp + 1; tp <= std::max(model.queryHeads, d.tp * 2) && near.size() < 2; ++tp)
        if (takesTensorParallel(model, tp))
            near.push_back(tp);
    const bool queries = model.queryHeads > 0 && model.queryHeads % d.tp != 0;
    return errorNote("tp-does-not-divide", "parallel.tp",
                     "parallel.tp: vLLM splits a model only over a number of GPUs that divides its " +
                         (queries ? writeNumber(model.queryHeads) + " query heads"
                                  : std::string("KV heads (or that they divide) and the heads of its states")) +
                         "; " + writeNumber(d.tp) + " does not. Next to it: " + orList(near) +
                         "; more GPUs can be pipeline stages (pp) or replicas (dp)");
}

std::optional<Note> checkStages(const Deployment &d, const Settings &settings) {
    const std::int64_t layers = d.model->layerCount();
    if (!settings.partition.empty())
        return checkPartition(settings.partition, layers, d.pp);
    if (d.pp <= std::max<std::int64_t>(1, layers))
        return std::nullopt;
    return errorNote("more-stages-than-layers", "parallel.pp",
                     "parallel.pp: " + writeNumber(d.pp) + " pipeline stages are more than the model's " +
                         writeNumber(layers) + " layers; at most " + writeNumber(layers));
}

bool takesContextParallel(const ModelSpec &model, const ModelTraits &traits, std::int64_t tp, std::int64_t ranks) {
    if (tp % ranks != 0)
        return false;
    if (ranks == 1 || (traits.latent && !traits.expandsLatent))
        return true;
    const std::int64_t kvHeads = std::max<std::int64_t>(1, model.kvHeads);
    return tp > kvHeads && ranks <= tp / kvHeads && model.queryHeads / kvHeads % ranks == 0;
}

std::optional<Note> checkContextParallel(const Deployment &d, const Settings &settings, const ModelTraits &traits) {
    const std::int64_t ranks = settings.contextParallel;
    if (ranks == 1)
        return std::nullopt;
    constexpr const char *where = "engine.options.decode_context_parallel";
    if (traits.windows || traits.chunks || traits.states || traits.cross || traits.compressed)
        return errorNote("context-parallel-needs-one-group", where,
                         std::string(where) + ": vLLM shares the tokens of a sequence between ranks only where every "
                                              "layer keeps all tokens; this model has windows, "
                                              "states or cross-attention: leave it at 1");
    if (takesContextParallel(*d.model, traits, d.tp, ranks))
        return std::nullopt;
    std::vector<std::int64_t> taken;
    for (std::int64_t n = 1; n <= d.tp; ++n)
        if (takesContextParallel(*d.model, traits, d.tp, n))
            taken.push_back(n);
    return errorNote("bad-context-parallel", where,
                     std::string(where) + ": " + writeNumber(ranks) + " ranks are not taken with tp " +
                         writeNumber(d.tp) +
                         (traits.latent ? std::string(": they must divide it")
                                        : " and " + writeNumber(d.model->kvHeads) +
                                              " KV heads: they must divide tp and fit into the copies of a KV head") +
                         ". Taken: " + orList(taken));
}

std::optional<Note> checkBlock(const Settings &settings, const ModelTraits &traits) {
    constexpr std::int64_t step = 16;
    const bool attention =
        traits.full || traits.windows || traits.chunks || traits.cross || traits.latent || traits.indexed;
    if (!attention || settings.blockSize % step == 0)
        return std::nullopt;
    constexpr const char *where = "engine.options.block_size";
    const std::int64_t below = settings.blockSize / step * step;
    return errorNote("bad-block-size", where,
                     std::string(where) + ": vLLM's attention kernels take multiples of 16, found " +
                         writeNumber(settings.blockSize) + "; next to it: " +
                         (below > 0 ? writeNumber(below) + " or " : std::string()) + writeNumber(below + step));
}

/// FlashMLA, CUTLASS and FlashInfer's latent kernels run on Hopper's and Blackwell's server cards; others take Triton's, whose blocks are free.
bool hasLatentKernels(const Deployment &d) {
    constexpr std::array<std::string_view, 10> cards{"h100", "h200", "h800", "h20",   "gh200",
                                                     "b100", "b200", "b300", "gb200", "gb300"};
    return !d.gpu || std::ranges::any_of(
                         cards, [&](std::string_view card) { return std::string_view(d.gpu->id).starts_with(card); });
}

} // namespace

bool takesTensorParallel(const ModelSpec &model, std::int64_t tp) {
    return (model.queryHeads <= 0 || model.queryHeads % tp == 0) &&
           everyPart(model, [&](const CachePart &part) { return takesHeads(part, tp); });
}

bool takesType(const ModelSpec &model, const ModelTraits &traits, const Release &release, ElementType type) {
    if (type == Fp8DsMla)
        return traits.compressed || (traits.latent && traits.indexed);
    if (traits.compressed)
        return type == Fp8;
    if (type == Int4PerTokenHead && !release.int4PerTokenHead)
        return false;
    const bool sixteen = type == Bf16 || type == Fp16 || type == Fp32;
    if (traits.latent && !traits.expandsLatent)
        return sixteen || type == Fp8;
    if (isTurboQuant(type))
        return traits.full && !traits.windows && !traits.chunks && !traits.cross && !traits.indexed;
    const std::int64_t step = type == Nvfp4 ? 16 : type == Int4PerTokenHead ? 2 : 1;
    return everyPart(model, [&](const CachePart &part) {
        const HeadShape *heads = headsOf(part);
        return !heads || (heads->keySize % step == 0 && heads->valueSize % step == 0);
    });
}

std::vector<std::int64_t> stagesOf(const Deployment &d, const Settings &settings) {
    if (static_cast<std::int64_t>(settings.partition.size()) == d.pp)
        return settings.partition;
    std::vector<std::int64_t> stages = stageLayers(d.model->layerCount(), d.pp, StageRule::RestBeforeLast);
    if (stages.empty())
        stages.assign(static_cast<std::size_t>(d.pp), 0);
    return stages;
}

std::int64_t forcedBlock(const Deployment &d, const Settings &settings, const ModelTraits &traits) {
    constexpr std::int64_t latentBlock = 64, compressedBlock = 256;
    if (traits.compressed)
        return compressedBlock;
    if (!traits.latent || traits.expandsLatent)
        return settings.blockSize;
    if (traits.indexed)
        return latentBlock;
    return settings.blockSize % latentBlock == 0 || !hasLatentKernels(d) ? settings.blockSize : latentBlock;
}

std::optional<Note> startRefusal(const Deployment &d, const Settings &settings, const ModelTraits &traits) {
    if (std::optional<Note> refusal = checkKinds(d, settings))
        return refusal;
    if (std::optional<Note> refusal = checkType(d, settings, traits))
        return refusal;
    if (std::optional<Note> refusal = checkTensorParallel(d))
        return refusal;
    if (std::optional<Note> refusal = checkStages(d, settings))
        return refusal;
    if (std::optional<Note> refusal = checkContextParallel(d, settings, traits))
        return refusal;
    return checkBlock(settings, traits);
}

} // namespace kv::vllm
