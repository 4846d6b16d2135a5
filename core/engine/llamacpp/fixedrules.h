// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an architecture of llama.cpp fixes or its converter writes whatever the config says, and where it so departs from the model's own
// layers. Source: llama.cpp v0.5.0, src/models/<architecture>.cpp load_arch_hparams (set_swa_pattern, n_layer_kv_from_start, has_kv) and
// conversion/{falcon,chatglm,starcoder,gemma,llama4}.py set_gguf_parameters.
//
//   gemma2, gpt-oss    every 2nd layer slides, from the first;  gemma3  5 of 6;  cohere2  3 of 4: the config's own pattern is not written
//   llama4             3 of 4 at 8,192 tokens, whatever attention_chunk_size says; none where layer_types names full attention only
//   smallthinker       all but every 4th from the first, at 4,096 tokens
//   gemma3n            the first 20 layers own a cache
//   falcon             KV heads num_kv_heads, else n_head_kv, else 1: multi_query is not read
//   chatglm            KV heads multi_query_group_num where given, whatever multi_query_attention says
//   starcoder          one KV head (gpt_bigcode's multi_query is not read)
//   encoders, diffusion models   keep nothing

#include "core/engine/llamacpp/layers.h"

namespace kv::llamacpp {

/// Of a GGUF file only what keeps nothing: its reader knows the rest (core/model/ggufmodel.h).
void applyFixedRules(const ModelSpec &model, Layers &layers);

} // namespace kv::llamacpp
