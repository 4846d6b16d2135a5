// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/states.h"

#include <numeric>

namespace kv::vllm {

namespace {

constexpr std::int64_t leastKernelBlock = 16, leastLatentBlock = 128; // with the decode kernels of TensorRT-LLM and FlashInfer

// Where tp does not divide the groups, every rank keeps one of its own (extra_groups_for_head_shards).
std::int64_t mamba2Channels(const RecurrentState &state, std::int64_t tp) {
    const std::int64_t inner = checked::sub(state.convChannels, checked::mul(2 * state.groups, state.groupSize));
    const std::int64_t groups = state.groups % tp == 0 ? state.groups : tp;
    return checked::add(inner, checked::mul(2 * groups, state.groupSize));
}

std::int64_t convElements(const RecurrentState &state, std::int64_t speculative, std::int64_t tp) {
    if (state.kernel <= 0)
        return 0;
    const bool drafts = state.family == StateFamily::Mamba2 || state.family == StateFamily::GatedDeltaNet;
    const std::int64_t channels = state.family == StateFamily::Mamba2 ? mamba2Channels(state, tp) : state.convChannels;
    return checked::mul(channels / tp, state.kernel - 1 + (drafts ? speculative : 0));
}

std::int64_t matrixElements(const RecurrentState &state, std::int64_t tp) {
    if (state.family == StateFamily::Mamba1) // has no heads: its inner width is split
        return checked::mul(state.headRows / tp, state.headColumns);
    return checked::mul(state.heads / tp, checked::mul(state.headRows, state.headColumns));
}

/// What the configuration classes fill in (transformers models/*/configuration_*.py).
constexpr std::pair<std::string_view, std::int64_t> classChunks[]{
    {"bamba", 256},  {"falcon_h1", 256},  {"granitemoehybrid", 256},
    {"mamba2", 256}, {"nemotron_h", 128}, {"zamba2", 256}};

/// The chunk that a config names, of its own or of its language model's block.
const Json *chunkIn(const Json &config) {
    if (!config.isObject())
        return nullptr;
    for (const std::string_view key : {"mamba_chunk_size", "chunk_size"})
        if (const Json *found = config.find(key); found && found->kind() == Json::Kind::Integer && found->integer() > 0)
            return found;
    for (const std::string_view block : {"text_config", "llm_config", "language_config"})
        if (const Json *inner = config.find(block))
            if (const Json *found = chunkIn(*inner))
                return found;
    return nullptr;
}

} // namespace

ElementType stateTypeOf(const RecurrentState &state, const ModelSpec &model, const CacheTypes &types,
                        const Settings &settings) {
    if (state.family == StateFamily::Kda)
        return ElementType::Fp32;
    if (state.family ==
        StateFamily::Lightning) // MambaStateDtypeCalculator.linear_attention_state_dtype: follows the model alone
        return types.model;
    if (settings.stateType)
        return *settings.stateType;
    const bool nemotron = model.modelType.starts_with("nemotron_h");
    if (nemotron || model.modelType.starts_with("qwen3_5"))
        return state.stateType != ElementType::Auto ? state.stateType : nemotron ? ElementType::Fp32 : types.model;
    return types.model;
}

std::int64_t stateBytes(const RecurrentState &state, const ModelSpec &model, const CacheTypes &types,
                        const Settings &settings, std::int64_t tp) {
    const Bytes conv = bytesFor(convElements(state, settings.speculativeTokens, tp), types.model);
    return (conv + bytesFor(matrixElements(state, tp), stateTypeOf(state, model, types, settings))).value;
}

std::int64_t grownBlock(std::int64_t state, std::int64_t tokenBytes, const Settings &settings, std::int64_t chunk, bool latent) {
    const std::int64_t least = latent && settings.rules().latentStateBlocks ? leastLatentBlock : leastKernelBlock;
    const std::int64_t step = std::max(least, settings.blockSize);
    if (settings.stateMode != StateMode::All)
        return checked::mul(step, checked::ceilDiv(state, checked::mul(step, tokenBytes)));
    const std::int64_t each = std::lcm(chunk, step);
    return checked::mul(each, checked::ceilDiv(checked::ceilDiv(state, tokenBytes), each));
}

std::int64_t stateChunk(const ModelSpec &model) {
    if (const Json *found = model.source ? chunkIn(*model.source) : nullptr)
        return found->integer();
    for (const auto &[type, chunk] : classChunks)
        if (model.modelType == type)
            return chunk;
    constexpr std::int64_t unnamed = 2048; // Mamba 1 has no chunks of its own
    return unnamed;
}

} // namespace kv::vllm
