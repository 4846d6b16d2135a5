// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The weights of a model: parameters by part, and the bytes that a checkpoint stores for them.
//
// Parts are what engines split differently over ranks: tensor parallel cuts matrices, replicates norms and routers and pads the
// vocabulary; expert parallel deals whole experts; pipeline parallel deals layers. `layer` is −1 for parts outside the layers. An embedding
// that names one is a table of further inputs for layers (Gemma 4's per-layer embeddings): looked up as well, but never the head.
// Formulas by family: core/weights/parameters.cpp.

#include "core/base/elementtype.h"
#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kv {

enum class WeightPartKind : std::uint8_t {
    Embedding,
    Head,
    FinalNorm,
    AttentionQuery,
    AttentionKeyValue,
    AttentionOutput,
    LatentDown, ///< MLA projections that every rank repeats (to the latent)
    LatentUp,   ///< MLA projections that are cut by heads
    Indexer,
    FeedForward,
    SharedExpert,
    Experts,
    Router,
    Norms, ///< norms, biases and other small vectors of a layer
    Recurrent,
    Draft,  ///< multi-token prediction
    Vision, ///< towers and projectors
};

struct WeightPart {
    WeightPartKind kind{};
    std::int32_t layer = -1;       ///< first layer that has it
    std::int32_t layerCount = 1;   ///< consecutive-in-kind layers that have it alike (the elements and bytes are of all of them)
    std::int64_t elements = 0;
    Bytes stored;                  ///< as the checkpoint stores them
    bool sixteenBit = false;       ///< stays 16 bit (or the model's dtype) in quantised checkpoints

    bool operator==(const WeightPart &) const = default;
};

/// How long the rows of the matrices are, by what they read; 0: not known, or not one length.
struct RowLengths {
    std::int64_t hidden = 0;      ///< what leaves a layer: embedding, head, queries, keys, values, gate and up
    std::int64_t attention = 0;   ///< heads, joined again by the attention's output
    std::int64_t feedForward = 0; ///< the width of a dense feed-forward, by its way down

    bool operator==(const RowLengths &) const = default;
};

/// Of one layer of linear attention (Qwen3-Next) what a GGUF quantiser tells apart; 0: there is none.
struct LinearElements {
    std::int64_t mixed = 0; ///< queries, keys and values in one matrix
    std::int64_t gates = 0; ///< decays and strengths of the updates, a number for each head

    bool operator==(const LinearElements &) const = default;
};

/// The same of one layer of multi-token prediction.
struct DraftElements {
    std::int64_t queries = 0, keys = 0, values = 0;
    std::int64_t output = 0;  ///< of the attention
    std::int64_t down = 0;    ///< ways down of the feed-forward or of the experts
    std::int64_t downRow = 0; ///< how long the rows of most of these are
    std::int64_t fine = 0;    ///< norms, biases, routers

    bool operator==(const DraftElements &) const = default;
};

enum class WeightSource : std::uint8_t { Given, SafetensorsHeaders, SafetensorsIndex, GgufTable, CountedFromConfig, Unknown };
const char *weightSourceName(WeightSource source); ///< "counted from config", …

struct WeightSpec {
    std::vector<WeightPart> parts;
    std::int64_t parameters = 0;       ///< the text model without draft layers; 0: unknown
    std::int64_t activeParameters = 0; ///< of a mixture of experts, per token; parameters where all are active; 0: unknown
    std::int64_t allElements = 0;      ///< with draft layers and vision towers: what the checkpoint stores
    std::string_view family;           ///< model type whose formula was counted by; empty: none
    bool gated = true;                 ///< feed-forwards have a gate: three matrices, else two
    std::int64_t experts = 0;          ///< routed ones of a layer; 0: none, or not known
    std::int64_t expertWidth = 0;      ///< feed-forward width of one routed expert (moe_intermediate_size); 0: none, or not known
    std::int64_t queryGroup = 0;       ///< query heads to a KV head in the first layer; 0: it has none
    RowLengths rows;
    LinearElements linear;
    DraftElements draft;
    Bytes stored;                      ///< total_bytes as stored; meaningless when source is Unknown
    WeightSource source = WeightSource::Unknown;
    bool checked = true;               ///< false: "counted, not checked": the family's formula was never held against a real file
    std::string scheme;                ///< "BF16", "FP8 blocks 128 × 128", "AWQ 4 bit, group 128"

    bool operator==(const WeightSpec &) const = default;
};

} // namespace kv
