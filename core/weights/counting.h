// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Counting a model's weights, part by part: what the files of this folder share.
//
// Letters as in the papers: H hidden size, q query heads, d head size, I width of a dense feed-forward, E experts of width M. A layer is
// described by its form; layers of one form have the same tensors. Sizes are checked, so that a hostile config ends out of range and not
// in a wrong number. What a config lacks is told to the fields, never made up.

#include "core/model/modelspec.h"
#include "core/weights/tensors.h"
#include "core/weights/weightfamily.h"
#include "core/weights/weightfields.h"

#include <span>
#include <vector>

namespace kv {

enum class FeedForwardForm : std::uint8_t { None, Dense, Experts };

/// What one layer is made of.
struct LayerForm {
    std::uint16_t shape = 0; ///< index into ModelSpec::shapes: its attention or recurrent block
    FeedForwardForm feedForward = FeedForwardForm::None;
    std::int64_t width = 0;  ///< I of a dense one
    bool sharesCache = false; ///< reads another layer's keys and values

    bool operator==(const LayerForm &) const = default;
};

/// The experts of one sparse layer.
struct ExpertShape {
    std::int64_t count = 0;      ///< E
    std::int64_t width = 0;      ///< M
    std::int64_t active = 0;     ///< of the routed ones, per token
    std::int64_t sharedWidth = 0; ///< of all shared experts together
    std::int64_t latent = 0;     ///< size that routed experts read and write, where it is not H
    bool sharedGate = false;
    bool correctionBias = false;
    bool biases = false;
    bool gated = true;
};

struct Counting {
    std::span<const Json *const> chain; ///< the config's blocks from the whole file to the language model's part
    const Json &root;
    const ModelSpec &spec;
    const WeightFamily &family;
    WeightFields &fields;
    ExpertShape experts;
    std::int64_t hidden = 0;
};

// attention.cpp, latentattention.cpp, recurrent.cpp
enum class AttentionReach : std::uint8_t { Full, Window };
void addAttention(TensorList &list, const Counting &c, const HeadShape &heads, AttentionReach reach);
void addCrossAttention(TensorList &list, const Counting &c, const CrossAttention &part);
bool usesLatentAttention(const Counting &c);
void addLatentAttention(TensorList &list, const Counting &c);
void addIndexer(TensorList &list, const Counting &c, std::int64_t size);
// compressedattention.cpp
void addCompressedAttention(TensorList &list, const Counting &c, const CompressedAttention &part);
void addHyperConnections(TensorList &list, const Counting &c);
/// Of the mix that closes the stack.
std::int64_t hyperHeadElements(const Counting &c);
/// False when the block is not known.
bool addRecurrent(TensorList &list, const Counting &c, const RecurrentState &state);

// feedforward.cpp, experts.cpp
std::int64_t denseWidth(Counting &c, std::size_t layer);
void addFeedForward(TensorList &list, const Counting &c, std::int64_t width);
ExpertShape readExperts(Counting &c);
/// Whether layer i of the stack has experts; only asked when there are any.
bool isSparseLayer(const Counting &c, std::size_t layer);
void addExperts(TensorList &list, const Counting &c);

// gemma4.cpp
void addPerLayerInputs(TensorList &list, const Counting &c);
void addPerLayerEmbedding(TensorList &list, const Counting &c);
void addExpertsBesideDense(TensorList &list, const Counting &c);

// encoders.cpp
void addWhisperEncoder(TensorList &list, Counting &c);
void addBertModel(TensorList &list, Counting &c);

// layers.cpp
std::vector<LayerForm> layerForms(Counting &c);
void addNorms(TensorList &list, const Counting &c, const LayerForm &form);
/// All tensors of a layer of that form; false when one of its blocks is not known.
bool addLayer(TensorList &list, const Counting &c, const LayerForm &form);

// draft.cpp, vision.cpp
struct DraftLayers {
    TensorList tensors; ///< of one draft layer, every kind Draft
    DraftElements elements; ///< of the same layer
    std::int64_t count = 0;
    bool ownTrunk = false; ///< named "mtp." and not as one more layer of the stack
};
DraftLayers draftLayers(Counting &c, const std::vector<LayerForm> &forms);
/// Elements of vision (and sound) towers with their projectors; `known` is false when there is one that is not counted.
std::int64_t towerElements(const Counting &c, bool &known);

} // namespace kv
