// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Everything computed from a Scenario: the value that every view, report and test reads. All sizes are bytes, never rounded.
// Definitions of the figures by engine: plan/evaluate.h. A Plan always exists; what could not be planned is `refusal`, what was
// assumed is a warning, never a silent zero. Absent optionals are JSON null: "no limit" or "not known", as the field says.

#include "core/base/note.h"
#include "core/base/units.h"
#include "core/cache/terms.h"
#include "core/model/modelspec.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kv {

struct KvFigures {
    Bytes perToken;         ///< one token, all layers, one copy, while inside every window
    Bytes perTokenMarginal; ///< what the next token adds at this context
    Bytes fixedPerSequence; ///< states, cross-attention
    Bytes perSequence;      ///< at this context, one copy, the fixed part included: the payload
    Bytes perTokenPerGpu;   ///< on the fullest GPU, replication included
    Bytes perSequencePerGpu; ///< with the engine's rounding and reservation
    Bytes total;            ///< all sequences, all GPUs, replication included
    CacheTypes types;       ///< what `auto` became
};

struct WeightFigures {
    Bytes total; ///< one copy, as stored or in the chosen type
    Bytes perGpu;
    WeightSource source = WeightSource::Unknown;
    std::string scheme;  ///< "BF16", …
    bool estimate = false; ///< a type the checkpoint is not stored in, or a formula not checked
};

struct GpuPlan {
    std::int64_t index = 0, tp = 0, pp = 0, dp = 0;
    std::string gpu; ///< id
    Bytes memory, reserve, weights, overhead, kv, kvReserved, free; ///< free = memory − reserve − weights − overhead − kv; negative: short
    Bytes band;                ///< how far reserve and overhead may be off, either way; 0: both exact or by hand
    bool kvReplicated = false; ///< this rank repeats another's KV
    // Lines of their own inside the figures above.
    Bytes display;      ///< of overhead: what the desktop and other programs take
    Bytes adapters;     ///< of overhead: preallocated LoRA slots
    Bytes draftWeights; ///< of overhead: a separate draft model's weights
    Bytes draftKv;      ///< of kv: what that model caches
    Bytes experts;      ///< of weights: routed experts, of which a decoding step reads those that its batch touches
    Bytes resting;      ///< of weights: what no decoding step reads through: an embedding looked up by row, towers, layers that draft
};

struct HostPlan {
    Bytes weights, kv;
    std::optional<Bytes> memory; ///< what it has for them; absent: not said, and not checked
    Bytes lookedUp{};            ///< of the weights: tables of which a token reads a row and no more

    Bytes taken() const { return weights + kv; }
};

struct Fit {
    bool fits = false;
    Bytes kvBudget;
    std::optional<std::int64_t> maxSequences;     ///< absent: no limit (nothing is cached)
    std::optional<std::int64_t> maxContext;       ///< absent: not known
    std::optional<std::int64_t> kvCapacityTokens; ///< absent: no layer grows with tokens
    std::optional<std::int64_t> minGpus;          ///< absent: none, or not known
    bool estimate = false; ///< an estimated figure enters
    bool uncertain = false; ///< the limit lies inside the estimate's band
    std::string limit; ///< a sentence on what limits where it is not the bytes: slots, a pool, a setting of the engine; empty: the bytes
};

/// One shape's share of the derivation, in the order of the model's shapes and their parts.
struct PartTerms {
    std::uint16_t shape = 0;
    std::uint16_t part = 0;
    CacheKind kind{};
    std::int64_t layers = 0;
    CacheTerms terms;      ///< of one layer
    Bytes perToken;        ///< all these layers, while inside every window
    Bytes atContext;       ///< all these layers, one sequence at this context, without the fixed part
    Bytes fixed;           ///< all these layers, one sequence
};

using EngineValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

struct EngineReport {
    std::string id;
    std::string version; ///< empty: none
    std::vector<std::pair<std::string, EngineValue>> values; ///< extra keys, named in the engine's page: "num_gpu_blocks", …
};

struct Plan {
    std::optional<Note> refusal; ///< set: nothing below but the model holds
    Notes warnings;
    std::shared_ptr<const ModelSpec> model;
    std::string modelName;
    KvFigures kv;
    WeightFigures weights;
    std::vector<GpuPlan> gpus;
    std::optional<HostPlan> host;
    Fit fit;
    std::vector<PartTerms> derivation;
    EngineReport engine;
    std::int64_t gpusInAll = 0, replicas = 1;
    std::int64_t replicasAtExperts = 1; ///< replicas whose requests pass the same routed experts, cut or dealt over the GPUs of all of them
    std::string unitOfUser; ///< "sequence" or what the engine calls it: "slot"

    bool ok() const { return !refusal; }
};

} // namespace kv
