// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Models that run their layers several times for a token: each run attends to keys and values of its own, so that a layer keeps as many
// caches as it has runs. The weights are there once. A layer's shape repeats its parts once for each run.
//
// Ouro: every layer total_ut_steps times (4 where the file leaves it out). HRM text: two stacks of num_layers_per_stack layers; in each of
// H_cycles the low one runs L_cycles times and then the high one once, so that layers × H × (L + 1) caches are kept. Files of older releases
// write the layers of one stack as num_hidden_layers, newer ones the number of all caches.
// Sources: vllm/model_executor/models/ouro.py (OuroAttention: one Attention for each step); transformers models/hrm_text/
// {configuration,modeling}_hrm_text.py (August 2026).

#include "core/model/reader.h"

namespace kv {

void readUniversal(Reader &reader);
void readHrmText(Reader &reader);

} // namespace kv
