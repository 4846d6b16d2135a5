// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dense feed-forward of a layer, and how wide it is: gated (three matrices H × I) or not (two).
// Sources: transformers/models/llama/modeling_llama.py LlamaMLP; Qwen-7B modeling_qwen.py QWenMLP (intermediate_size ÷ 2);
// llama4 Llama4TextDecoderLayer (intermediate_size_mlp); lfm2 Lfm2MLP (two thirds, rounded up); Nemotron-NAS block_config.py and
// modeling_decilm.py _ffn_mult_to_intermediate_size.
#include "core/weights/counting.h"
#include "core/base/scaled.h"

#include <cmath>

namespace kv {

using namespace checked;
using enum WeightPartKind;

namespace {

/// Width of layer i of a model that a search has cut: each block names its own, as a share of the hidden size or plainly; 0: none.
std::int64_t searchedWidth(Counting &c, const Json &blocks, std::size_t layer) {
    const Json *block = layer < blocks.items().size() ? &blocks.items()[layer] : nullptr;
    const Json *forward = block ? block->find("ffn") : nullptr;
    if (!forward) {
        c.fields.missing("block_configs");
        return 0;
    }
    if (const Json *none = forward->find("no_op"); none && none->isBool() && none->boolean())
        return 0;
    if (const Json *width = forward->find("intermediate_size"); width && wholeNumber(*width))
        return *wholeNumber(*width);
    const Json *factor = forward->find("ffn_mult");
    if (!factor || !factor->isNumber() || !(factor->real() > 0) || factor->real() > 1000) {
        c.fields.missing("block_configs.ffn.ffn_mult");
        return 0;
    }
    constexpr std::int64_t step = 256;
    return roundUp(checked::scaled(c.hidden, 2 * factor->real() / 3), step);
}

/// Lfm2MLP: two thirds of the width that is told, times a factor, rounded up.
std::int64_t adjustedWidth(const Counting &c, std::int64_t width) {
    width = mulDiv(width, 2, 3);
    if (const Json *factor = c.fields.find("block_ffn_dim_multiplier"); factor && factor->isNumber() && factor->real() < 1000)
        width = checked::scaled(width, factor->real());
    return roundUp(width, c.fields.number({"block_multiple_of"}, 256));
}

} // namespace

std::int64_t denseWidth(Counting &c, std::size_t layer) {
    if (const Json *blocks = c.fields.told("block_configs"); blocks && blocks->isArray())
        return searchedWidth(c, *blocks, layer);
    const WeightFamily &f = c.family;
    if (f.unnamedSharedExpert)
        return c.fields.need({"intermediate_size_mlp", "intermediate_size"});
    if (const Json *widths = c.fields.told("intermediate_size"); widths && widths->isArray())
        return layer < widths->items().size() ? wholeNumber(widths->items()[layer]).value_or(0) : 0;
    if (!f.intermediateKey.empty())
        if (const std::int64_t width = c.fields.number({f.intermediateKey}, 0); width > 0)
            return width;
    if (f.intermediateFactor > 0)
        return c.fields.number({"n_inner", "intermediate_size"}, mul(f.intermediateFactor, c.hidden));
    const std::int64_t width = c.fields.need({"intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "block_ff_dim"});
    if (c.fields.flag("block_auto_adjust_ff_dim"))
        return adjustedWidth(c, width);
    return f.halfIntermediate ? width / 2 : width;
}

void addFeedForward(TensorList &list, const Counting &c, std::int64_t width) {
    const WeightFamily &f = c.family;
    if (f.gated)
        list.matrix(FeedForward, f.feedForwardBlock, "gate_proj", width, c.hidden);
    list.matrix(FeedForward, f.feedForwardBlock, "up_proj", width, c.hidden);
    list.matrix(FeedForward, f.feedForwardBlock, "down_proj", c.hidden, width);
    const bool switched = f.biasKey == "bias" || f.biasKey == "use_bias" ? !f.gated && c.fields.flag(f.biasKey) : false;
    if (f.feedForwardBias || switched || c.fields.flag("mlp_bias"))
        list.vectors(add(mul(f.gated ? 2 : 1, width), c.hidden));
    if (f.outputBiasOnly)
        list.vectors(c.hidden);
}

} // namespace kv
