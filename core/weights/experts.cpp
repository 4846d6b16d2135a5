// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mixtures of experts: how many, how wide, in which layers, and what stands beside them (router, shared experts, correction bias).
// Which layers are sparse is told by a list, by a first dense stretch, by a step, or not at all (then every layer is).
// Sources: transformers/models/{mixtral,qwen2_moe,qwen3_moe,deepseek_v3,llama4,gpt_oss,nemotron_h,jamba,ernie4_5_moe,lfm2_moe}/
// modeling_*.py and configuration_*.py (August 2026); MiniMax-M2, Ling and Hunyuan modeling files.
#include "core/weights/counting.h"

#include <algorithm>

namespace kv {

using namespace checked;
using enum WeightPartKind;

namespace {

std::int64_t sharedWidth(const Counting &c, std::int64_t width) {
    const WeightFields &f = c.fields;
    if (c.family.unnamedSharedExpert)
        return width;
    const std::int64_t count = f.number({"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"}, 0);
    if (count > 0)
        return f.number({"moe_shared_expert_intermediate_size"}, mul(count, width));
    return f.number({"shared_expert_intermediate_size", "shared_intermediate_size"}, 0);
}

bool listed(const Json &list, std::size_t layer) {
    return std::ranges::any_of(list.items(), [layer](const Json &item) {
        return item.kind() == Json::Kind::Integer && item.integer() == static_cast<std::int64_t>(layer);
    });
}

/// Layers from `start` on, every `step`-th: the one whose number leaves `offset`.
bool inStep(std::size_t layer, std::int64_t step, std::int64_t offset) {
    return step <= 1 || static_cast<std::int64_t>(layer) % step == offset;
}

} // namespace

ExpertShape readExperts(Counting &c) {
    const WeightFields &f = c.fields;
    ExpertShape e;
    const auto hasExperts = [](const LayerShape &shape) { return shape.idle == Idle::Experts; };
    if (c.family.ownFeedForwardLayers && std::ranges::none_of(c.spec.shapes, hasExperts))
        return e;
    e.count = c.spec.experts > 0
                  ? c.spec.experts
                  : f.number({"n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts"}, 0);
    if (e.count <= 1)
        return {};
    e.width = c.family.expertsUseIntermediate ? c.fields.need({"intermediate_size"})
                                              : c.fields.need({"moe_intermediate_size", "expert_intermediate_size"});
    e.active = c.spec.expertsPerToken > 0
                   ? c.spec.expertsPerToken
                   : f.number({"num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_topk", "moe_k"}, e.count);
    e.active = std::min(e.active, e.count);
    e.sharedWidth = sharedWidth(c, e.width);
    e.latent = f.number({"moe_latent_size", "routed_expert_hidden_size"}, 0);
    e.sharedGate = c.family.sharedGate && e.sharedWidth > 0;
    e.correctionBias = c.family.correctionBias || f.word("topk_method") == "noaux_tc" || f.flag("moe_router_enable_expert_bias");
    e.biases = c.family.expertBias;
    e.gated = c.family.gated;
    return e;
}

bool isSparseLayer(const Counting &c, std::size_t layer) {
    const WeightFields &f = c.fields;
    if (const Json *kinds = f.told("mlp_layer_types"); kinds && layer < kinds->items().size())
        return kinds->items()[layer].text() == "sparse";
    if (const Json *kinds = f.told("moe_layer_freq"); kinds && layer < kinds->items().size())
        return kinds->items()[layer].integer() != 0;
    if (const Json *layers = f.told("moe_layers"); layers && layers->isArray() && !layers->items().empty())
        return listed(*layers, layer);
    if (const Json *dense = f.told("mlp_only_layers"); dense && dense->isArray() && listed(*dense, layer))
        return false;
    const auto at = static_cast<std::int64_t>(layer);
    if (at < f.number({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index", "moe_layer_num_skipped"}, 0))
        return false;
    if (const auto step = f.number("decoder_sparse_step"))
        return inStep(layer, *step, *step - 1);
    if (const auto step = f.number("interleave_moe_layer_step"))
        return *step > 0 && inStep(layer, *step, *step - 1);
    if (const auto step = f.number("expert_layer_period"))
        return inStep(layer, *step, f.number({"expert_layer_offset"}, 0));
    if (const auto step = f.number("moe_layer_interval"))
        return inStep(layer + 1, *step, 0);
    return inStep(layer, f.number({"moe_layer_freq"}, 1), 0);
}

void addExperts(TensorList &list, const Counting &c) {
    const ExpertShape &e = c.experts;
    // Gemma 4 has its experts beside the dense block, under a name of their own.
    const bool beside = c.family.special == WeightSpecial::Gemma4;
    const std::string_view block = beside ? "moe" : c.family.feedForwardBlock;
    const std::int64_t inputs = e.latent > 0 ? e.latent : c.hidden;
    if (e.gated)
        list.matrix(Experts, block, "experts.0.gate_proj", e.width, inputs, e.count);
    list.matrix(Experts, block, "experts.0.up_proj", e.width, inputs, e.count);
    list.matrix(Experts, block, "experts.0.down_proj", inputs, e.width, e.count);
    if (e.latent > 0) {
        list.matrix(SharedExpert, block, "fc1_latent_proj", e.latent, c.hidden);
        list.matrix(SharedExpert, block, "fc2_latent_proj", c.hidden, e.latent);
    }
    list.fine(Router, block, "gate", e.count, c.hidden);
    if (e.correctionBias)
        list.vectors(Router, e.count);
    const bool one = c.family.sharedGate || c.family.unnamedSharedExpert;
    if (e.gated)
        list.matrix(SharedExpert, block, one ? "shared_expert.gate_proj" : "shared_experts.gate_proj", e.sharedWidth, c.hidden);
    list.matrix(SharedExpert, block, one ? "shared_expert.up_proj" : "shared_experts.up_proj", e.sharedWidth, c.hidden);
    list.matrix(SharedExpert, block, one ? "shared_expert.down_proj" : "shared_experts.down_proj", c.hidden, e.sharedWidth);
    if (e.sharedGate)
        list.fine(SharedExpert, block, "shared_expert_gate", 1, c.hidden);
    if (e.biases) {
        const std::int64_t each = add(mul(e.gated ? 2 : 1, e.width), inputs);
        list.vectors(Experts, mul(e.count, each));
        list.vectors(Router, e.count);
    }
}

} // namespace kv
