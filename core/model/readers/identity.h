// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a model is apart from its layers: its names, its dtype, how its checkpoint is quantised and which KV type that asks for, the longest
// context, the vocabulary, experts and draft layers.
//
// dtype: the top of the file, then inwards; "torch_dtype" in older files; no dtype counts as 16 bit. Limit: model_max_length wins, else the smallest of the keys present.
// Sources: vLLM model_arch_config_convertor.py (get_torch_dtype, derive_max_model_len_and_key); vLLM attention.py and utils/torch_utils.py
// (kv_cache_scheme of compressed-tensors and modelopt); files of nvidia/*-NVFP4 and Qwen3-32B-FP8-Static-PerTensor ("FP8" as a string).

#include "core/model/reader.h"

namespace kv {

void readIdentity(Reader &reader, std::string_view name, std::string_view source);
void readQuantization(Reader &reader);
void readLimit(Reader &reader);
/// Everything that no cache depends on; nothing here refuses.
void readRest(Reader &reader);

} // namespace kv
