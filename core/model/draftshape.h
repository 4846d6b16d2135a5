// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a layer of multi-token prediction caches: it is one more like the last layer of its model that attends to all tokens, with its index
// keys; where every layer has a window, one with the heads of the last that attends to everything; of compressed attention the window alone.
// Source: the layer of a drafter is built without the target's layer_types (vLLM model_executor/models/*_mtp.py, *_eagle.py).

#include "core/model/modelspec.h"

namespace kv {

LayerShape draftShape(const ModelSpec &model);

} // namespace kv
