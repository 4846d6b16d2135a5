// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models whose layers each have head counts of their own: Nemotron-NAS and DeciLM (block_configs, num_key_value_heads_per_layer), OpenELM
// (lists of head counts).
// n_heads_in_group is the size of a group, not a number of heads: KV heads = heads ÷ it. A block whose attention is no_op or replaced by a
// linear layer keeps nothing. Sources: files of nvidia/Llama-3_3-Nemotron-Super-49B-v1_5; vLLM models/nemotron_nas.py;
// apple/OpenELM modeling_openelm.py.

#include "core/model/reader.h"

namespace kv {

void readBlockConfigs(Reader &reader);
void readOpenElm(Reader &reader);

} // namespace kv
