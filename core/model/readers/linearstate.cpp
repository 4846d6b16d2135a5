// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/quantity.h"
#include "core/base/scaled.h"
#include "core/model/readers/states.h"

#include <algorithm>
#include <cmath>

namespace kv {

namespace {

constexpr Range kernelRange{1, 1024};

std::string columns(const RecurrentState &state, const std::string &channels) {
    return "(kernel " + writeNumber(state.kernel) + " − 1) × " + channels;
}

std::string matrix(const RecurrentState &state) {
    return counted(state.heads, "head") + " × " + writeNumber(state.headRows) + " × " + writeNumber(state.headColumns);
}

} // namespace

std::optional<RecurrentState> readDeltaNet(Reader &reader, const ModelShape &shape) {
    RecurrentState state;
    state.family = StateFamily::GatedDeltaNet;
    const Whole keyHeads = reader.whole({"linear_num_key_heads"}, headRange);
    const Whole valueHeads = reader.whole({"linear_num_value_heads"}, headRange);
    const Whole keySize = reader.whole({"linear_key_head_dim"});
    const Whole valueSize = reader.whole({"linear_value_head_dim"});
    const Whole kernel = reader.whole({"linear_conv_kernel_dim"}, kernelRange);
    // OLMo Hybrid leaves them null: as many heads as attention has, keys of three quarters of the width, values twice as wide.
    const bool derives = reader.type() == "olmo_hybrid";
    if (!derives) {
        reader.need(keyHeads, "linear_num_key_heads");
        reader.need(valueHeads, "linear_num_value_heads");
        reader.need(keySize, "linear_key_head_dim");
        reader.need(valueSize, "linear_value_head_dim");
    }
    reader.need(kernel, "linear_conv_kernel_dim");
    if (reader.refuseMissing())
        return std::nullopt;
    state.kernel = kernel.value;
    state.groups = keyHeads ? keyHeads.value : shape.queryHeads;
    state.heads = valueHeads ? valueHeads.value : shape.queryHeads;
    state.groupSize = keySize ? keySize.value : 3 * shape.hidden / (4 * state.groups);
    state.headColumns = state.groupSize;
    state.headRows = valueSize ? valueSize.value : 2 * state.groupSize;
    state.convChannels = checked::add(checked::mul(2 * state.groups, state.groupSize), checked::mul(state.heads, state.headRows));
    state.stateType = readStateType(reader);
    addStateFacts(reader, state,
                  columns(state, "(2 × " + writeNumber(state.groups) + " key heads × " + writeNumber(state.groupSize) + " + " + writeNumber(state.heads)
                              + " value heads × " + writeNumber(state.headRows) + ")"),
                  matrix(state));
    return reader.failed() ? std::nullopt : std::optional(state);
}

std::optional<RecurrentState> readKimiDelta(Reader &reader) {
    RecurrentState state;
    state.family = StateFamily::Kda;
    const Whole heads = reader.whole({"linear_attn_config.num_heads"}, headRange, Fill::Never);
    const Whole size = reader.whole({"linear_attn_config.head_dim"}, sizeRange, Fill::Never);
    const Whole kernel = reader.whole({"linear_attn_config.short_conv_kernel_size"}, kernelRange, Fill::Never);
    reader.need(heads, "linear_attn_config.num_heads");
    reader.need(size, "linear_attn_config.head_dim");
    reader.need(kernel, "linear_attn_config.short_conv_kernel_size");
    if (reader.refuseMissing())
        return std::nullopt;
    state.kernel = kernel.value;
    state.heads = heads.value;
    state.headRows = size.value;
    state.headColumns = size.value;
    state.groups = heads.value;
    state.groupSize = size.value;
    state.convChannels = checked::mul(3, checked::mul(heads.value, size.value)); // one each for query, key and value
    state.stateType = ElementType::Fp32;
    addStateFacts(reader, state, columns(state, "3 × " + counted(heads.value, "head") + " × " + writeNumber(size.value)), matrix(state));
    return state;
}

std::optional<RecurrentState> readShortConvolution(Reader &reader, std::int64_t hidden) {
    RecurrentState state;
    state.family = StateFamily::ShortConvolution;
    const Whole kernel = reader.whole({"conv_L_cache"}, kernelRange);
    const Whole channels = reader.whole({"conv_dim"});
    reader.need(kernel, "conv_L_cache");
    if (reader.refuseMissing())
        return std::nullopt;
    state.kernel = kernel.value;
    state.convChannels = channels ? channels.value : hidden;
    addStateFacts(reader, state, columns(state, "width " + writeNumber(state.convChannels)), {});
    return state;
}

std::optional<RecurrentState> readLightning(Reader &reader, const ModelShape &shape) {
    RecurrentState state;
    state.family = StateFamily::Lightning;
    state.heads = shape.queryHeads;
    const Whole size = reader.whole({"head_dim"}, optionalSizeRange); // of a latent model, whose shape holds none
    state.headRows = shape.heads.keySize > 0 ? shape.heads.keySize : size && size.value > 0 ? size.value : shape.hidden / shape.queryHeads;
    state.headColumns = state.headRows;
    state.stateType = readStateType(reader);
    addStateFacts(reader, state, {}, matrix(state));
    return reader.failed() ? std::nullopt : std::optional(state);
}

// Jet-Nemotron: matrices of head size × expanded value size, and a dynamic convolution over the values.
// Source: NVlabs/Jet-Nemotron jetai/modeling/hf (JetBlock), efficient_attention_config.jet.
std::optional<RecurrentState> readJetBlock(Reader &reader) {
    RecurrentState state;
    state.family = StateFamily::GatedDeltaNet;
    const Whole heads = reader.whole({"efficient_attention_config.jet.num_heads"}, headRange, Fill::Never);
    const Whole size = reader.whole({"efficient_attention_config.jet.head_dim"}, sizeRange, Fill::Never);
    const Whole kernel = reader.whole({"efficient_attention_config.jet.conv_size"}, kernelRange, Fill::Never);
    reader.need(heads, "efficient_attention_config.jet.num_heads");
    reader.need(size, "efficient_attention_config.jet.head_dim");
    reader.need(kernel, "efficient_attention_config.jet.conv_size");
    const Json *expand = reader.find("efficient_attention_config.jet.expand_v");
    if (!expand || !expand->isNumber() || expand->kind() == Json::Kind::NotFinite || expand->real() <= 0 || expand->real() > 64)
        reader.needAlso(reader.at("efficient_attention_config.jet.expand_v"));
    if (reader.refuseMissing())
        return std::nullopt;
    state.heads = heads.value;
    state.headColumns = size.value;
    state.headRows = checked::scaled(size.value, expand->real()); // written rounded: 96 × 2.6666666667 is 256
    state.kernel = kernel.value;
    state.groups = state.heads;
    state.groupSize = state.headColumns;
    state.convChannels = checked::mul(state.heads, state.headRows);
    state.stateType = readStateType(reader);
    reader.warn("assumption", reader.at("efficient_attention_config.jet"), "the state of this block is counted as heads × head size × value size and a convolution over the values");
    addStateFacts(reader, state, columns(state, counted(state.heads, "head") + " × " + writeNumber(state.headRows)), matrix(state));
    return reader.failed() ? std::nullopt : std::optional(state);
}

std::optional<RecurrentState> readState(Reader &reader, const ModelShape &shape) {
    const auto known = [&](std::string_view key) { return reader.has(key) || reader.defaultOf(key) != nullptr; };
    if (reader.has("linear_attn_config"))
        return readKimiDelta(reader);
    if (known("linear_num_value_heads"))
        return readDeltaNet(reader, shape);
    if (reader.has("efficient_attention_config"))
        return readJetBlock(reader);
    if (known("conv_L_cache"))
        return readShortConvolution(reader, shape.hidden);
    if (reader.type() == "zamba")
        return readMamba1(reader, shape.hidden);
    if (known("mamba_num_heads") || known("mamba_n_heads") || known("n_mamba_heads"))
        return readMamba2(reader, shape.hidden);
    if (known("mamba_d_state"))
        return readMamba1(reader, shape.hidden);
    if (known("conv1d_width"))
        return readRgLru(reader, shape.hidden);
    if (reader.type().starts_with("minimax") || reader.type().starts_with("bailing"))
        return readLightning(reader, shape);
    reader.refuse("unknown-layer-kind", reader.at("layer_types"),
                  "some layers keep a recurrent state, but no key that is known here says its size");
    return std::nullopt;
}

} // namespace kv
