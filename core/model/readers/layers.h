// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From a kind for each layer to the layers of a ModelSpec.
//
// Readers say which kind each layer is (from a list in the file, or from a family's rule) and what a layer of each kind keeps; this puts
// the two together. Names of kinds drift between library versions; all of them are known here, and an unknown one is refused by name.
// Sources: transformers configuration_utils.py (ALLOWED_LAYER_TYPES, remap_legacy_layer_types); configs of Granite 4, LFM2,
// Jet-Nemotron, Nemotron 3, Zamba2, DeepSeek-V4.

#include "core/model/reader.h"
#include "core/model/readers/shape.h"

#include <array>

namespace kv {

enum class LayerKind : std::uint8_t {
    Full,        ///< attends to everything
    Window,
    Chunked,
    State,       ///< recurrent or convolution state alone
    Hybrid,      ///< attention and a state in one layer
    Cross,       ///< attends to the encoder alone
    FeedForward, ///< the rest keep nothing
    Experts,
    NoAttention,
};
inline constexpr std::size_t layerKinds = 9;

using LayerKinds = std::vector<LayerKind>;

/// What a layer of each kind keeps.
struct Palette {
    std::array<std::vector<CachePart>, layerKinds> parts;

    std::vector<CachePart> &operator[](LayerKind kind) { return parts[static_cast<std::size_t>(kind)]; }
    const std::vector<CachePart> &operator[](LayerKind kind) const { return parts[static_cast<std::size_t>(kind)]; }
};

/// The kind that a name means ("sliding_attention", "swa"); nothing when unknown.
std::optional<LayerKind> layerKindFromName(std::string_view name);

/// The list under `key`, one kind a layer, cut to the number of layers; nothing when absent or null, or refused (failed() tells).
std::optional<LayerKinds> listedKinds(Reader &reader, std::string_view key, std::int64_t layers);
/// A list of numbers, one a layer, cut to the number of layers; empty when absent, null or refused.
std::vector<std::int64_t> listedNumbers(Reader &reader, std::string_view key, std::int64_t layers, Range range);
/// Refuses a list that is shorter than the model; longer ones are cut (they hold entries for draft layers).
bool longEnough(Reader &reader, std::string_view key, std::size_t entries, std::int64_t layers);

bool uses(const LayerKinds &kinds, LayerKind kind);
/// Why a layer of this kind keeps nothing; None where it keeps something.
Idle idleOf(LayerKind kind);
void addLayers(Reader &reader, const LayerKinds &kinds, const Palette &palette);

} // namespace kv
