// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The reader of most models: layers that attend, fully, inside a window or a chunk, through a latent or not, some of them with a recurrent
// state instead or beside, some of them sharing another layer's cache.
//
// The kinds come from the file's own list when there is one, else from the family's rule; the sizes from the keys that each kind has.

#include "core/model/readers/latent.h"
#include "core/model/readers/states.h"
#include "core/model/readers/window.h"

namespace kv {

/// The generic reader, with the family's rule for windows.
void readAttentionModel(Reader &reader, Pattern pattern, std::int64_t period);

/// Fills the palette for the kinds in use and adds the layers: for readers that found the kinds themselves.
void addAttentionLayers(Reader &reader, const ModelShape &shape, const WindowRule &rule);

/// For each layer the earlier layer whose cache it reads, −1 for its own; empty when none share. The kinds must be settled.
/// Sources: transformers models/gemma3n, gemma4 (num_kv_shared_layers: the last layers read the last earlier layer of their kind);
/// Hunyuan (use_cla, cla_share_factor: groups of that many layers share the first one's).
std::vector<std::int32_t> readSharing(Reader &reader, const LayerKinds &kinds);

} // namespace kv
