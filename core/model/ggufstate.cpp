// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recurrent states from GGUF metadata. Sizes: llama.cpp v0.5.0, src/llama-hparams.cpp, n_embd_r (convolution or token shift) and n_embd_s.
#include "core/model/gguflayers.h"

namespace kv {

namespace {

/// Mamba and the gated delta net share their keys: the convolution runs over the inner width and, by group, over B and C (query and key).
RecurrentState stateSpace(GgufKeys &keys, StateFamily family) {
    RecurrentState state;
    state.family = family;
    const std::int64_t inner = keys.needed("ssm.inner_size");
    const std::int64_t size = keys.needed("ssm.state_size");
    const std::int64_t groups = keys.numberOr("ssm.group_count", 0);
    const std::int64_t heads = keys.numberOr("ssm.time_step_rank", 0);
    state.kernel = keys.needed("ssm.conv_kernel");
    state.convChannels = checked::add(inner, checked::mul(2, checked::mul(groups, size)));
    state.groups = groups;
    state.groupSize = size;
    state.headColumns = size;
    // Mamba 1 uses time_step_rank for something else: its state has no heads.
    const bool divided = family != StateFamily::Mamba1 && heads > 0 && inner % heads == 0;
    state.heads = divided ? heads : 1;
    state.headRows = divided ? inner / heads : inner;
    return state;
}

RecurrentState deltaAttention(GgufKeys &keys, std::int64_t queryHeads) {
    RecurrentState state;
    state.family = StateFamily::Kda;
    const std::int64_t size = keys.needed("kda.head_dim");
    state.kernel = keys.needed("ssm.conv_kernel");
    state.convChannels =
        checked::mul(3, checked::mul(queryHeads, size)); // query, key and value each have a convolution
    state.heads = queryHeads;
    state.headRows = state.headColumns = size;
    state.groups = queryHeads;
    state.groupSize = size;
    return state;
}

RecurrentState shortConvolution(GgufKeys &keys) {
    RecurrentState state;
    state.family = StateFamily::ShortConvolution;
    state.kernel = keys.needed("shortconv.l_cache");
    state.convChannels = keys.numberOr("embedding_length", 0);
    return state;
}

RecurrentState rwkv(GgufKeys &keys) {
    RecurrentState state;
    state.family = StateFamily::Rwkv;
    const std::int64_t hidden = keys.numberOr("embedding_length", 0);
    const std::int64_t size = keys.needed("wkv.head_size");
    // The last token's activations: before the time mix and before the channel mix; the two built on Qwen layers have only the first.
    const bool onQwen = keys.architecture() == "rwkv6qwen2" || keys.architecture() == "arwkv7";
    state.extraElements = checked::mul(keys.numberOr("token_shift_count", onQwen ? 1 : 2), hidden);
    if (size > 0 && hidden % size != 0)
        keys.refuse("bad-value", "wkv.head_size", "does not divide embedding_length " + std::to_string(hidden));
    state.heads = size > 0 ? hidden / size : 0;
    state.headRows = state.headColumns = size;
    return state;
}

RecurrentState lightning(std::int64_t queryHeads, std::int64_t keySize) {
    RecurrentState state;
    state.family = StateFamily::Lightning;
    state.heads = queryHeads;
    state.headRows = state.headColumns = keySize;
    return state;
}

} // namespace

RecurrentState ggufState(GgufKeys &keys, StateFamily family, std::int64_t queryHeads, std::int64_t keySize) {
    switch (family) {
    case StateFamily::Kda:
        return deltaAttention(keys, queryHeads);
    case StateFamily::ShortConvolution:
        return shortConvolution(keys);
    case StateFamily::Rwkv:
        return rwkv(keys);
    case StateFamily::Lightning:
        return lightning(queryHeads, keySize);
    default:
        return stateSpace(keys, family);
    }
}

} // namespace kv
