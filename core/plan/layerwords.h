// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What one layer keeps, in words, for the strip that draws every layer: "layer 12 of 40 · full attention · 2 KV heads × 256 · 64 MiB".
// Layers are counted from 1 here, as people count them; configs count from 0.

#include "core/base/quantity.h"
#include "core/model/modelspec.h"

#include <string>

namespace kv {

/// What the layer is: its kinds joined by " + ", or why it keeps nothing.
std::string layerKindWords(const LayerShape &shape);
/// Its sizes: "2 KV heads × 256", "window 1,024", "512 + 64 latent".
std::string layerSizeWords(const LayerShape &shape);
/// One sequence of `context` tokens in this layer, by the textbook.
Bytes layerBytes(const LayerShape &shape, const CacheTypes &types, Tokens context);
std::string layerSentence(const ModelSpec &model, std::size_t layer, const CacheTypes &types, Tokens context, SizeUnit unit);

} // namespace kv
