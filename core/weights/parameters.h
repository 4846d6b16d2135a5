// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A model's weights counted from its config: parameters by part and layer, and the bytes that its checkpoint stores for them.
//
// For the case that neither the headers of safetensors files, nor their index, nor a GGUF tensor table is at hand. The layers come from the
// ModelSpec (which must be read already), their sizes from there and from the config. What is counted: the text model, with the embedding
// once where it is tied; its draft (multi-token prediction) layers; towers and projectors of pictures. `parameters` is the text model alone.
//
// A config that lacks what counting needs, or holds a block that is not known, leaves the source Unknown with a note that says why: the model
// itself stays usable. A family whose formula was never held against a published checkpoint is counted with checked = false and a note;
// so is an unknown family that has all the keys of the usual decoder and an activation that is usual beside a gate.
// A tower of a kind that is not known is left out, with a warning.
// Notes: "weights-unknown" (info), "weights-unchecked" (info), "tower-not-counted" (warning), "quantisation-unknown" (warning).

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/model/modelspec.h"

#include <span>

namespace kv {

/// `chain`: the config's blocks from the whole file to the language model's part (the same where it is flat).
WeightSpec countWeights(std::span<const Json *const> chain, const ModelSpec &spec, Notes &notes);

} // namespace kv
