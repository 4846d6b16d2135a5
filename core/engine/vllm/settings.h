// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// vLLM's options, as given or as the release defaults them, resolved for one deployment.
//
// Defaults: vllm/engine/arg_utils.py get_batch_defaults (max_num_batched_tokens 8,192 and max_num_seqs 1,024 for an API server on cards
// of 70 GiB and more except A100, else 2,048 or 8,192 and 256), vllm/config/cache.py (block 16), models/config.py MambaModelConfig (mode
// of the state cache), config/model.py is_prefix_caching_supported (off for models with states). The first engine (V0) took whole prompts
// below 32,768 tokens in one step, so that its batch followed max_model_len.

#include "core/engine/engine.h"
#include "core/engine/vllm/release.h"

namespace kv::vllm {

enum class StateMode : std::uint8_t { None, All, Align };

struct Settings {
    ChosenRelease release;
    std::int64_t utilization = 0; ///< in units of 10^-9
    std::int64_t blockSize = 16;
    bool blockGiven = false;
    std::optional<std::int64_t> maxModelLen;   ///< absent: the workload's context
    std::optional<std::int64_t> batchedTokens; ///< absent: the default
    std::int64_t batchedDefault = 8192;
    std::int64_t maxSeqs = 256;
    bool maxSeqsGiven = false;
    bool hybridManager = true;
    std::int64_t contextParallel = 1;
    std::int64_t speculativeTokens = 0;
    std::int64_t draftLayers = 0;
    bool prefixCaching = true;
    StateMode stateMode = StateMode::None;
    bool stateModeIgnored = false; ///< a mode was asked for, and another holds: prefix caching decides, and what the model can
    std::optional<ElementType> stateType;
    bool eager = false;
    bool lora = false;
    std::int64_t loraSlots = 1, loraRank = 16;
    std::optional<std::int64_t> encoderTokens;        ///< absent: the batched tokens
    std::optional<Bytes> graphs, activation, outside; ///< by hand, instead of the estimates
    std::vector<std::int64_t> partition;

    const Release &rules() const { return *release.rules; }
    std::int64_t lengthFor(Tokens context) const {
        return maxModelLen.value_or(std::max<std::int64_t>(1, context.value));
    }
    std::int64_t batchFor(std::int64_t maxLength) const;
    std::int64_t encoderBudget(std::int64_t maxLength) const { return encoderTokens.value_or(batchFor(maxLength)); }
};

struct OptionTable {
    static std::span<const EngineOption> all();
};

/// What of the model decides defaults: read once.
struct ModelTraits {
    bool states = false, latent = false, indexed = false, compressed = false, windows = false, chunks = false,
         cross = false, full = false;
    bool encoder = false;           ///< nothing is cached
    bool everyModeOfStates = false; ///< states whose kernels cache every block ("all"); others only align
    bool expandsLatent = false;     ///< vLLM runs this latent model as plain multi-head attention
};
ModelTraits traitsOf(const ModelSpec &model);

/// Refused: an unknown release, a number out of its range, settings that exclude each other.
std::optional<Note> readSettings(const Deployment &d, const ModelTraits &traits, Settings &out);

} // namespace kv::vllm
