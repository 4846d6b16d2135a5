// SPDX-License-Identifier: GPL-3.0-or-later
//
// Recurrent blocks, which stand in place of attention in their layers (or beside it, Falcon H1). The large projections follow the
// quantisation of the checkpoint; convolutions, decay vectors and the small projections of gates stay 16 bit.
// Sources: transformers/models/{mamba2,nemotron_h,bamba}/modeling_*.py (Mamba 2), qwen3_next/modeling_qwen3_next.py Qwen3NextGatedDeltaNet,
// mamba/modeling_mamba.py and jamba/modeling_jamba.py (Mamba 1), lfm2/modeling_lfm2.py Lfm2ShortConv, MiniMax-M1 modeling_minimax_m1.py
// (lightning attention), fla/layers/kda.py (KDA).
#include "core/weights/counting.h"

namespace kv {

using namespace checked;

namespace {

constexpr WeightPartKind kind = WeightPartKind::Recurrent;

std::int64_t sum(std::initializer_list<std::int64_t> terms) {
    std::int64_t all = 0;
    for (const std::int64_t term : terms)
        all = add(all, term);
    return all;
}

std::string_view mambaBlock(const Counting &c) { return c.family.attentionBlock == "mixer" ? "mixer" : "mamba"; }

void addMamba2(TensorList &list, const Counting &c, const RecurrentState &s) {
    const std::int64_t inner = mul(s.heads, s.headRows);
    const std::int64_t channels = add(inner, mul(2, mul(s.groups, s.groupSize)));
    const bool convBias = c.fields.flag("use_conv_bias", c.fields.flag("mamba_conv_bias", true));
    const bool bias = c.fields.flag("mamba_proj_bias", c.fields.flag("use_bias", false));
    const std::int64_t inputs = sum({inner, channels, s.heads});
    list.matrix(kind, mambaBlock(c), "in_proj", inputs, c.hidden);
    list.matrix(kind, mambaBlock(c), "out_proj", c.hidden, inner);
    list.fine(kind, mambaBlock(c), "conv1d", channels, add(s.kernel, convBias ? 1 : 0));
    // A, D and the time step's bias of each head, and the gated norm.
    list.vectors(kind, sum({mul(3, s.heads), inner, bias ? add(inputs, c.hidden) : 0}));
}

void addMamba1(TensorList &list, const Counting &c, const RecurrentState &s) {
    const std::int64_t inner = s.convChannels;
    const std::int64_t states = s.headColumns;
    const std::int64_t rank = c.fields.number({"time_step_rank", "mamba_dt_rank"}, ceilDiv(c.hidden, 16));
    const bool convBias = c.fields.flag("use_conv_bias", c.fields.flag("mamba_conv_bias", true));
    const bool bias = c.fields.flag("use_bias", c.fields.flag("mamba_proj_bias", false));
    const bool jambaNorms = c.spec.modelType == "jamba";
    const std::int64_t wide = add(rank, mul(2, states));
    list.matrix(kind, mambaBlock(c), "in_proj", mul(2, inner), c.hidden);
    list.matrix(kind, mambaBlock(c), "x_proj", wide, inner);
    list.matrix(kind, mambaBlock(c), "dt_proj", inner, rank);
    list.matrix(kind, mambaBlock(c), "out_proj", c.hidden, inner);
    list.fine(kind, mambaBlock(c), "conv1d", inner, add(s.kernel, convBias ? 1 : 0));
    list.vectors(kind, sum({inner, mul(inner, states), inner, jambaNorms ? wide : 0,
                            bias ? add(mul(2, inner), c.hidden) : 0})); // dt bias, A, D
}

void addDeltaNet(TensorList &list, const Counting &c, const RecurrentState &s) {
    const std::int64_t keys = mul(s.groups, s.groupSize);
    const std::int64_t values = mul(s.heads, s.headRows);
    const std::int64_t mixed = add(mul(2, keys), values);
    list.matrix(kind, "linear_attn", "in_proj_qkv", mixed, c.hidden);
    list.matrix(kind, "linear_attn", "in_proj_z", values, c.hidden);
    list.fine(kind, "linear_attn", "in_proj_a", s.heads, c.hidden);
    list.fine(kind, "linear_attn", "in_proj_b", s.heads, c.hidden);
    list.matrix(kind, "linear_attn", "out_proj", c.hidden, values);
    list.fine(kind, "linear_attn", "conv1d", mixed, s.kernel);
    list.vectors(kind, add(mul(2, s.heads), s.headRows)); // A, dt bias; the norm of one head
}

void addLightning(TensorList &list, const Counting &c, const RecurrentState &s) {
    const std::int64_t inner = mul(s.heads, s.headRows);
    list.matrix(kind, c.family.attentionBlock, "qkv_proj", mul(3, inner), c.hidden);
    list.matrix(kind, c.family.attentionBlock, "output_gate", inner, c.hidden);
    list.matrix(kind, c.family.attentionBlock, "out_proj", c.hidden, inner);
    list.vectors(kind, inner); // norm
}

void addKda(TensorList &list, const Counting &c, const RecurrentState &s) {
    const std::int64_t inner = mul(s.heads, s.headRows);
    list.matrix(kind, "self_attn", "q_proj", inner, c.hidden);
    list.matrix(kind, "self_attn", "k_proj", inner, c.hidden);
    list.matrix(kind, "self_attn", "v_proj", inner, c.hidden);
    list.fine(kind, "self_attn", "conv1d", mul(3, inner), s.kernel);
    list.matrix(kind, "self_attn", "f_a_proj", s.headRows, c.hidden);
    list.matrix(kind, "self_attn", "f_b_proj", inner, s.headRows);
    const Json *config = c.fields.find("linear_attn_config");
    const Json *full = config ? config->find("use_full_rank_gate") : nullptr;
    if (full && full->isBool() && full->boolean()) {
        list.matrix(kind, "self_attn", "g_proj", inner, c.hidden);
    } else {
        list.matrix(kind, "self_attn", "g_a_proj", s.headRows, c.hidden);
        list.matrix(kind, "self_attn", "g_b_proj", inner, s.headRows);
    }
    list.fine(kind, "self_attn", "b_proj", s.heads, c.hidden);
    list.matrix(kind, "self_attn", "o_proj", c.hidden, inner);
    list.vectors(kind, sum({s.heads, inner, s.headRows})); // A, dt bias, norm
}

void addShortConvolution(TensorList &list, const Counting &c, const RecurrentState &s) {
    list.matrix(kind, "conv", "in_proj", mul(3, c.hidden), c.hidden);
    list.matrix(kind, "conv", "out_proj", c.hidden, c.hidden);
    list.fine(kind, "conv", "conv", c.hidden, s.kernel);
    if (c.fields.flag("conv_bias"))
        list.vectors(kind, mul(5, c.hidden));
}

} // namespace

bool addRecurrent(TensorList &list, const Counting &c, const RecurrentState &state) {
    switch (state.family) {
    case StateFamily::Mamba1: addMamba1(list, c, state); return true;
    case StateFamily::Mamba2: addMamba2(list, c, state); return true;
    case StateFamily::GatedDeltaNet: addDeltaNet(list, c, state); return true;
    case StateFamily::Lightning: addLightning(list, c, state); return true;
    case StateFamily::Kda: addKda(list, c, state); return true;
    case StateFamily::ShortConvolution: addShortConvolution(list, c, state); return true;
    case StateFamily::Rwkv:
    case StateFamily::RgLru: return false;
    }
    return false;
}

} // namespace kv
