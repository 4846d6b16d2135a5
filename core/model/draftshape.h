// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a layer of multi-token prediction caches: it is one more like the last layer of its model that attends to all tokens, with index
// keys where the model has any, though that layer may use those of another (deepseek_v2.py DeepseekV2AttentionMLA of SGLang: a drafter always
// has an indexer); where every layer has a window, one with the heads of the last that attends to everything; of compressed attention the window alone.
// Source: the layer of a drafter is built without the target's layer_types (vLLM model_executor/models/*_mtp.py, *_eagle.py).

#include "core/model/modelspec.h"

namespace kv {

LayerShape draftShape(const ModelSpec &model);

} // namespace kv
