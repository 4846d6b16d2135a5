// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models whose layers are not all attention: which layer attends and which keeps a state, for each family, and what each keeps.
// One function a family; where a newer file lists its layers (layer_types, layers_block_type), the list decides.
// Sources: transformers models/{jamba,zamba,zamba2,bamba,granitemoehybrid,falcon_h1,lfm2,recurrent_gemma,nemotron_h,qwen3_next,olmo_hybrid,
// minimax,deepseek_v4,longcat_flash,mamba,mamba2,falcon_mamba,rwkv}/configuration_*.py; vLLM config/model.py (layers of hybrids).

#include "core/model/reader.h"

namespace kv {

void readBailingHybrid(Reader &reader);   ///< Ling and Ring: of every layer_group_size layers the last attends
void readBamba(Reader &reader);           ///< attn_layer_indices
void readCompressedModel(Reader &reader); ///< DeepSeek V4: compress_ratios, or layer_types with compress_rates
void readFalconH1(Reader &reader);        ///< every layer both
void readGatedDeltaNet(Reader &reader);   ///< every full_attention_interval-th attends
void readGraniteHybrid(Reader &reader);   ///< layer_types; none: all Mamba 2
void readJamba(Reader &reader);           ///< i mod attn_layer_period = attn_layer_offset attends
void readKimiLinear(Reader &reader);      ///< linear_attn_config's two lists, counted from 1
void readLfm2(Reader &reader);            ///< layer_types or full_attn_idxs; the others convolve
void readLongCat(Reader &reader);         ///< two latents a layer
void readMambaModel(Reader &reader);      ///< Mamba 1 alone
void readMamba2Model(Reader &reader);     ///< Mamba 2 alone
void readMiniMax(Reader &reader);         ///< attn_type_list: 0 lightning, 1 attends
void readNemotronH(Reader &reader);       ///< hybrid_override_pattern (M * - E) or layers_block_type
void readPlamo2(Reader &reader);          ///< every mamba_step-th attends
void readRecurrentGemma(Reader &reader);  ///< block_types, repeated
void readRwkvModel(Reader &reader);
void readZamba(Reader &reader);
void readZamba2(Reader &reader);

} // namespace kv
