// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an engine is to the planner: a name, its versions, its options with the engine's own defaults, the KV types it takes, and one
// function that fills the engine's part of a Plan. One file (or folder) an engine; engines.h lists them. An engine knows nothing of
// evaluate(): it gets a resolved Deployment and works on that alone.

#include "core/plan/plan.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kv {

enum class OptionKind : std::uint8_t {
    Whole,
    Size,
    Fraction, ///< a share of a whole: from 0 to 1
    Ratio,    ///< of two things: 0 or more
    Bool,
    Word,
    Type,
    List,
    Shares, ///< a list of which only the proportions count
};

struct EngineOption {
    std::string_view name;
    OptionKind kind;
    std::string_view standard; ///< the engine's default, for people: "0.92 (0.90 before 0.22)"
    std::string_view help;
    std::string_view words = {}; ///< for Word: the values it takes, separated by spaces
};

/// One of unlike cards.
struct UnlikeCard {
    const Gpu *gpu = nullptr;
    Bytes memory;
};

/// A scenario made ready for an engine: everything looked up, checked and split into replicas.
struct Deployment {
    const Scenario *scenario = nullptr;
    const ModelSpec *model = nullptr;
    const Gpu *gpu = nullptr;      ///< nullptr: memory given by hand only
    CacheTypes types;
    std::int64_t tp = 1, pp = 1, dp = 1, gpus = 1;
    std::int64_t replicas = 1;
    Bytes memory;                  ///< of one GPU: the total that this engine counts from
    std::vector<UnlikeCard> unlike;     ///< one for each GPU where they differ; empty: all are `gpu` with `memory`
    Bytes display;                 ///< of one GPU: what others take of it
    std::shared_ptr<const ModelSpec> draft; ///< option draft_model: a model of its own that drafts
    Bytes draftWeights;            ///< of that model, one copy
    Bytes weights;                 ///< of one replica
    bool drafts = true;            ///< layers that only draft are a part of them
    std::optional<Bytes> availableKv; ///< option available_kv_bytes: per GPU, instead of the budget
    Tokens context, prefix;
    Count sequences;

    /// Sequences of the fullest replica.
    Count fullest() const { return Count(checked::ceilDiv(sequences.value, replicas)); }
    Bytes memoryAt(std::size_t gpuIndex) const { return gpuIndex < unlike.size() ? unlike[gpuIndex].memory : memory; }
};

/// Where a figure of the budget comes from.
enum class Certainty : std::uint8_t { Exact, Estimate, ByHand };

/// One item of what a GPU's memory goes to.
struct BudgetRow {
    std::string_view key;  ///< "activation", for programs
    std::string name;      ///< "Activation peak"
    Bytes bytes;
    Certainty certainty = Certainty::Exact;
    Bytes band;            ///< of an estimate, either way
    std::string_view setBy; ///< the place in the scenario that sets it by hand: "engine.options.activation_bytes"
};

/// The engine's own overhead: what has a line of its own (a display, LoRA slots, a draft model's weights) left out.
inline Bytes ownOverhead(const GpuPlan &gpu) { return gpu.overhead - gpu.display - gpu.adapters - gpu.draftWeights; }

class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string_view id() const = 0;
    virtual std::string_view name() const = 0; ///< for people: "Textbook formula"
    virtual std::span<const std::string_view> versions() const { return {}; } ///< newest default first; empty: none
    virtual std::span<const EngineOption> options() const = 0;
    virtual std::span<const ElementType> kvTypes() const = 0;
    virtual bool splitsKeyAndValueTypes() const { return false; } ///< K and V in unlike types
    /// Whether layers that only draft lie in memory at all; where it depends on a setting the engine's own rule decides.
    virtual bool loadsDrafts(const ModelSpec &) const { return true; }
    /// It reads GGUF files alone: a checkpoint in a type that they do not hold is converted first.
    virtual bool readsGguf() const { return false; }
    /// What `auto` means for this model and options.
    virtual CacheTypes automaticTypes(const ModelSpec &model, const Scenario &scenario) const = 0;
    /// Data parallelism lies inside the tensor-parallel group and adds no GPUs (SGLang's DP attention).
    virtual bool dpInsideTp(const Scenario &) const { return false; }
    /// The memory of one GPU that the engine counts from (marketed, framework …).
    virtual Bytes memoryOf(const Gpu &gpu, Notes &warnings) const = 0;
    /// What Fit::kvCapacityTokens is here: what the room holds, or what the engine was told to set up.
    virtual bool capacityIsRoom() const { return true; }
    std::string_view capacityName() const { return capacityIsRoom() ? "Tokens that the room holds" : "Tokens of the cells set up (n_ctx)"; }
    /// What happens at user n + 1: "vLLM queues it".
    virtual std::string_view overflow() const = 0;

    /// Fills gpus, fit (without maxContext and minGpus), kv's per-GPU figures and total, weights per GPU and the engine's report;
    /// sets refusal where the engine would refuse to start with these settings for a reason other than memory.
    virtual void plan(const Deployment &deployment, Plan &plan) const = 0;
    /// What its knob withholds and what the overhead of this GPU of a plan consists of, item by item; their sum is reserve + ownOverhead().
    virtual std::vector<BudgetRow> budgetOf(const Deployment &deployment, const GpuPlan &gpu) const;
    /// The same judgement alone, for searches: whether this deployment's sequences fit.
    virtual bool fits(const Deployment &deployment) const = 0;
    /// Plan::kv.total alone, for curves.
    virtual Bytes totalKv(const Deployment &deployment) const;
    /// Fewest GPUs for this load (dp kept); nullopt: none or not known.
    virtual std::optional<std::int64_t> minGpus(const Deployment &deployment) const = 0;
    /// The longest context for the sequences set, from max(1, prefix) to `limit`; 0: none fits.
    virtual std::optional<std::int64_t> maxContext(const Deployment &deployment) const;
};

} // namespace kv
