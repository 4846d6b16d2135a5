// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A model as the planner sees it: a list of layers, each with what it caches, and the facts that everything else needs.
//
// Layers that are alike share one LayerShape; `layers[i]` is the index of layer i's shape, so that a sum over the layers is a sum over
// the few shapes times their number. Every fact carries the place it came from (a config key, a class default, a derivation), which
// the explanation and the warnings show. A ModelSpec is a value that never changes once read; it is shared by pointer.

#include "core/base/json.h"
#include "core/base/note.h"
#include "core/cache/cachepart.h"
#include "core/weights/weightspec.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kv {

enum class Origin : std::uint8_t {
    File,         ///< stands in the config, the GGUF metadata or the preset
    ClassDefault, ///< left out there; the default of this model type
    Derived,      ///< computed from other facts ("hidden_size 8192 ÷ 64 heads")
    Assumed,      ///< neither: an assumption, shown as a warning
};

struct Fact {
    Role role{};
    std::int64_t value = 0;
    Origin origin = Origin::File;
    std::string from; ///< "num_key_value_heads", "text_config.head_dim", "hidden_size 8,192 ÷ 64 heads"
    std::string trap; ///< what is easily mistaken for it: "not the 64 of num_attention_heads"; may be empty

    bool operator==(const Fact &) const = default;
};

/// What a layer that keeps nothing is, for the layer strip.
enum class Idle : std::uint8_t { None, FeedForward, Experts, NoAttention, SharedCache };

struct LayerShape {
    std::vector<CachePart> parts; ///< empty: keeps nothing
    Idle idle = Idle::None;       ///< why it keeps nothing
    std::int64_t count = 0;       ///< layers of this shape

    bool operator==(const LayerShape &) const = default;
};

enum class ModelKind : std::uint8_t { Decoder, EncoderDecoder, EncoderOnly, VisionOnly };

struct ModelSpec {
    std::string name;         ///< for people: "Llama 3.1 70B Instruct"
    std::string presetId;     ///< "llama-3.1-70b" when it is a preset
    std::string modelType;    ///< "llama"; of the text part
    std::string architecture; ///< "LlamaForCausalLM"
    std::string quantMethod;  ///< "fp8", "awq", …; empty: none
    ModelKind kind = ModelKind::Decoder;

    std::vector<LayerShape> shapes;
    std::vector<std::uint16_t> layers; ///< shape of each layer, in order
    std::vector<std::int32_t> sharedFrom; ///< for each layer the layer whose cache it reads, −1: its own; empty: none share

    /// Layers of multi-token prediction, cached only when asked for (engine option draft_layers).
    std::int64_t draftLayers = 0;
    std::optional<Tokens> maxContext; ///< the model's own limit

    // Shape of the whole, for engines and for weights; 0 where the model has no such thing.
    std::int64_t hidden = 0;
    std::int64_t queryHeads = 0;
    std::int64_t kvHeads = 0; ///< of the first attention layer
    std::int64_t headDim = 0;
    std::int64_t vocabulary = 0;
    std::int64_t intermediate = 0;
    std::int64_t experts = 0;
    std::int64_t expertsPerToken = 0;
    std::int64_t sparseTokens = 0; ///< entries that a layer with an index attends to in one step (index_topk); 0: all that it keeps
    bool tiedEmbeddings = false;

    ElementType dtype = ElementType::Bf16;      ///< the model's own type (16 bit when the file names none)
    ElementType kvHint = ElementType::Auto;     ///< KV type the checkpoint asks for (kv_cache_scheme …); Auto: none

    WeightSpec weights; ///< parameters by part, stored bytes

    std::vector<Fact> facts;
    Notes notes; ///< warnings of the reader: defaults used, hints ignored, structural keys not known

    /// The config (or GGUF metadata) it was read from, kept so that a scenario file can embed it.
    std::shared_ptr<const Json> source;
    bool sourceIsGguf = false;

    /// The first fact of a role, nullptr when there is none; of several (unlike layers) the one of that value, if there is one.
    const Fact *fact(Role role) const;
    const Fact *fact(Role role, std::int64_t value) const;
    std::int64_t layerCount() const { return static_cast<std::int64_t>(layers.size()); }
    const LayerShape &layer(std::size_t i) const { return shapes[layers[i]]; }
    /// Layers that own a cache of any kind.
    std::int64_t cachingLayers() const;
    /// "GQA", "MLA", "MLA+indexer", "window + GQA", …: the kinds joined in the order of their bytes at the model's limit.
    std::string attentionName() const;

    /// Appends layer number layers.size() with these parts, joining an equal shape.
    void addLayer(std::vector<CachePart> parts, Idle idle = Idle::None);
};

} // namespace kv
