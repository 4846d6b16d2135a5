// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sizes that every attention model has: layers, query heads, KV heads, head size, width; under all names that files give them.
//
// Head size: head_dim (or its kin) when it is a number above 0, else hidden ÷ query heads, which must come out even. KV heads: the first of
// their names; null, or absent without a class default, means as many as query heads; multi_query means one.
// Sources: vLLM transformers_utils/model_arch_config_convertor.py (get_head_size, get_total_num_kv_heads); attribute maps of transformers;
// files of GPT-2, MPT, DBRX, ChatGLM, Falcon (old and new), Step, Mistral's params.json.

#include "core/model/reader.h"

namespace kv {

struct ModelShape {
    std::int64_t layers = 0;
    std::int64_t queryHeads = 0;
    std::int64_t hidden = 0; ///< 0: not said, and not needed because the head size is
    HeadShape heads;         ///< of a full-attention layer
};

/// What a family departs in.
struct ShapeRules {
    bool latent = false;             ///< MLA: KV heads and head size play no part
    bool layersKnown = false;        ///< shape.layers is set already, with its fact
    std::int64_t widthFactor = 1;    ///< heads share this many times the width (Zamba: two streams side by side)
};

/// False when refused; the notes say why.
bool readShape(Reader &reader, ModelShape &shape, const ShapeRules &rules = {});
/// The number of layers alone, with its fact.
Whole readLayerCount(Reader &reader);
/// hidden_size and its kin.
Whole readWidth(Reader &reader, Fill fill);

} // namespace kv
