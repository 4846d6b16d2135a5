// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What sets one family's weights apart from the usual decoder (grouped attention without biases, gated MLP, two RMS norms a layer):
// one line a model_type. Sizes never stand here, they are the config's; only what a config does not say.
//
// Source of each line: the layers that transformers/models/<type>/modeling_<type>.py builds (August 2026), or the modeling file in the
// maker's repository where the family has none there. `checked` lines reproduce the tensor count of a published checkpoint.

#include <cstdint>
#include <string_view>

namespace kv {

enum class QueryKeyNorm : std::uint8_t {
    None,
    PerHead,  ///< one vector of the head's size for q and one for k
    AllHeads, ///< over all query heads and all KV heads
    IfTold,   ///< PerHead when the config says use_qk_norm or qk_layernorm
    AllHeadsIfTold,
};

/// Families whose layers hold parts that no other has.
enum class WeightSpecial : std::uint8_t { None, Gemma4, DeepSeekV4, Whisper, Bert };

struct WeightFamily {
    std::string_view modelType;
    bool checked = false;
    WeightSpecial special = WeightSpecial::None;

    // Attention. The switch named by biasKey adds the biases of q, k and v, and that of o unless switchNoOutput.
    bool queryKeyValueBias = false;
    bool outputBias = false;
    std::string_view biasKey = "attention_bias";
    bool switchNoOutput = false;
    bool noKeyBias = false;  ///< k has none where q and v have
    bool sinks = false;
    bool gatedCross = false; ///< cross-attention has norms of q and k and two gates
    bool gatedQuery = false; ///< q is twice as wide: an output gate
    QueryKeyNorm norms = QueryKeyNorm::None;
    bool queryKeyNormBias = false;

    // Feed-forward; mlp_bias in a config adds biases to any.
    bool gated = true;
    bool feedForwardBias = false;
    bool outputBiasOnly = false;          ///< a bias of the down projection alone
    bool halfIntermediate = false;        ///< intermediate_size is the width of both projections of the gate together
    std::int8_t intermediateFactor = 0;    ///< width in hidden sizes when no key gives it
    std::string_view intermediateKey = {}; ///< in place of the usual ones
    bool ownFeedForwardLayers = false;     ///< a layer is attention or state or feed-forward; others have it beside the attention

    // Norms
    std::int8_t layerNorms = 2;
    bool normBias = false;
    bool finalNorm = true;

    // Outside the layers
    std::int8_t moreRows = 0;    ///< rows of the embedding beyond the vocabulary
    bool tiedWithoutKey = false; ///< head and embedding are one where the config does not say
    bool headBias = false;
    std::string_view positions = {}; ///< key of the number of learned positions
    std::int8_t morePositions = 0;
    bool embeddingNorm = false;
    std::string_view embeddingWidth = {}; ///< key of the embedding's own width, with a matrix to the layers' and one back
    bool exitGate = false;   ///< one more row that tells whether to stop

    // Names in the checkpoint, for the lists of quantised ones
    std::string_view attentionBlock = "self_attn";
    std::string_view feedForwardBlock = "mlp";

    // Experts
    bool expertsUseIntermediate = false; ///< their width is intermediate_size
    bool unnamedSharedExpert = false;    ///< one shared expert of the experts' width that no key names
    bool sharedGate = false;
    bool correctionBias = false;
    bool expertBias = false; ///< biases of experts and router
    bool draftOwnEmbedding = false; ///< draft layers store a second embedding and head
    bool draftUnnamed = false;      ///< one draft layer that no key counts
    bool draftNotStored = false;    ///< named by a key, absent from the checkpoints
};

/// The family of a model_type; nullptr when it is not known.
const WeightFamily *findWeightFamily(std::string_view modelType);

} // namespace kv
