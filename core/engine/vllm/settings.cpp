// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/settings.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"

#include <algorithm>

namespace kv::vllm {

namespace {


struct Bound {
    std::string_view name;
    std::int64_t least, most;
};

constexpr Bound bounds[]{
    {"block_size", 1, 1 << 20},
    {"max_model_len", 1, std::int64_t{1} << 50},
    {"max_num_batched_tokens", 1, std::int64_t{1} << 40},
    {"max_num_seqs", 1, std::int64_t{1} << 40},
    {"decode_context_parallel", 1, 1 << 16},
    {"speculative_tokens", 0, 1 << 16},
    {"draft_layers", 0, 1 << 10},
    {"max_encoder_tokens", 1, std::int64_t{1} << 40},
    {"max_loras", 1, 1 << 20},
    {"max_lora_rank", 1, 1 << 16},
};

// vllm/config/lora.py MaxLoRARanks (v0.26): the server takes these and no others. Before 0.9 (possible_max_ranks) 1 was not among them.
std::optional<Note> checkLoraRank(std::int64_t rank) {
    constexpr std::int64_t ranks[]{1, 8, 16, 32, 64, 128, 256, 320, 512};
    if (std::ranges::find(ranks, rank) != std::end(ranks))
        return std::nullopt;
    const auto next = std::ranges::find_if(ranks, [rank](std::int64_t one) { return one > rank; });
    return errorNote("bad-value", "engine.options.max_lora_rank",
                     "engine.options.max_lora_rank: vLLM takes 1, 8, 16, 32, 64, 128, 256, 320 or 512, found " + writeNumber(rank) +
                         (next == std::end(ranks) ? std::string() : "; take " + writeNumber(*next) + ", which holds adapters of smaller ranks"));
}

std::optional<Note> checkRanges(const OptionReader &options) {
    for (const Bound &bound : bounds) {
        const std::optional<std::int64_t> value = options.whole(bound.name);
        if (!value || (*value >= bound.least && *value <= bound.most))
            continue;
        const std::string where = "engine.options." + std::string(bound.name);
        return errorNote("bad-value", where,
                         where + ": expected a whole number from " + writeNumber(bound.least) + " to " +
                             writeNumber(bound.most) + ", found " + writeNumber(*value));
    }
    if (const auto share = options.fraction("gpu_memory_utilization"); share && (*share <= 0 || *share > fractionOne))
        return errorNote("bad-value", "engine.options.gpu_memory_utilization",
                         "engine.options.gpu_memory_utilization: expected a fraction above 0 and up to 1");
    return std::nullopt;
}

// vllm/engine/arg_utils.py get_batch_defaults: by the memory that the device reports, A100 apart.
bool isLargeCard(const Deployment &d) {
    return d.memory >= Bytes(70 * gibibyte) && !(d.gpu && std::string_view(d.gpu->id).starts_with("a100"));
}

// models/config.py MambaModelConfig.verify_and_update_config: without prefix caching there is nothing to keep but the last state; with it
// every block's state where the kernels can do that (and nothing is drafted), else those at the boundaries of cached blocks.
StateMode stateMode(std::optional<std::string_view> asked, bool caching, bool everyMode, std::int64_t speculative) {
    if (!caching)
        return StateMode::None;
    const bool all = asked ? *asked != "align" : true;
    return all && everyMode && speculative == 0 ? StateMode::All : StateMode::Align;
}

void readBatch(const Deployment &d, const OptionReader &options, Settings &s) {
    const bool large = isLargeCard(d);
    s.batchedTokens = options.whole("max_num_batched_tokens");
    s.batchedDefault = s.rules().firstEngine ? 2048 : large ? 8192 : s.rules().smallCardBatch;
    const std::optional<std::int64_t> seqs = options.whole("max_num_seqs");
    s.maxSeqsGiven = seqs.has_value();
    s.maxSeqs = seqs.value_or(large && !s.rules().firstEngine ? 1024 : 256);
    if (!seqs && s.batchedTokens) // a default never exceeds the batch
        s.maxSeqs = std::min(s.maxSeqs, *s.batchedTokens);
}

void readStates(const OptionReader &options, const ModelTraits &traits, Settings &s) {
    // vllm/config/scheduler.py turns it off for encoder-decoder models.
    s.prefixCaching = !traits.cross && options.boolean("prefix_caching").value_or(!traits.states && !s.rules().firstEngine);
    const std::optional<std::string_view> asked = options.word("mamba_cache_mode");
    s.stateMode = stateMode(asked, s.prefixCaching, traits.everyModeOfStates, s.speculativeTokens);
    constexpr std::string_view names[]{"none", "all", "align"}; // in the order of StateMode
    s.stateModeIgnored = traits.states && asked && *asked != names[static_cast<std::size_t>(s.stateMode)];
    s.stateType = options.type("mamba_ssm_cache_dtype");
    if (s.stateType == ElementType::Auto)
        s.stateType.reset();
}

} // namespace

std::int64_t Settings::batchFor(std::int64_t maxLength) const {
    constexpr std::int64_t chunkedFrom = 32768;
    if (batchedTokens)
        return *batchedTokens;
    const std::int64_t usual = rules().firstEngine && maxLength <= chunkedFrom ? std::max(maxLength, batchedDefault) : batchedDefault;
    const std::int64_t most = checked::mul(maxSeqs, maxLength); // below zero: more than a number holds
    return rules().defaultBatchCapped && most >= 0 && most < usual ? most : usual;
}

std::optional<Note> readSettings(const Deployment &d, const ModelTraits &traits, Settings &s) {
    const OptionReader options(d.scenario->engine.options);
    if (std::optional<Note> refusal = chooseRelease(options.word("version"), s.release))
        return refusal;
    if (std::optional<Note> refusal = checkRanges(options))
        return refusal;
    s.utilization = options.fraction("gpu_memory_utilization").value_or(s.rules().utilization);
    const std::optional<std::int64_t> block = options.whole("block_size");
    s.blockGiven = block.has_value();
    s.blockSize = block.value_or(s.blockSize);
    s.maxModelLen = options.whole("max_model_len");
    s.hybridManager = !options.boolean("disable_hybrid_kv_cache_manager").value_or(false);
    s.contextParallel = options.whole("decode_context_parallel").value_or(1);
    s.speculativeTokens = options.whole("speculative_tokens").value_or(0);
    s.draftLayers = options.whole("draft_layers").value_or(0);
    readBatch(d, options, s);
    readStates(options, traits, s);
    s.lora = options.boolean("enable_lora").value_or(false);
    s.loraSlots = options.whole("max_loras").value_or(s.loraSlots);
    s.loraRank = options.whole("max_lora_rank").value_or(s.loraRank);
    if (std::optional<Note> refusal = checkLoraRank(s.loraRank))
        return refusal;
    s.eager = options.boolean("enforce_eager").value_or(false);
    s.encoderTokens = options.whole("max_encoder_tokens");
    s.graphs = options.size("cuda_graph_bytes");
    s.activation = options.size("activation_bytes");
    s.outside = options.size("non_torch_bytes");
    // A partition belongs to the number of stages it was written for; searches over others deal the layers anew.
    if (d.pp == d.scenario->parallel.pp.value_or(Count(1)).value)
        s.partition = options.list("layer_partition");
    // vllm/config/scheduler.py: a step must have a token for each sequence.
    if (s.maxSeqsGiven && s.batchedTokens && *s.batchedTokens < s.maxSeqs)
        return errorNote("batch-below-sequences", "engine.options.max_num_batched_tokens",
                         "engine.options.max_num_batched_tokens: vLLM wants at least max_num_seqs (" +
                             writeNumber(s.maxSeqs) + "), found " + writeNumber(*s.batchedTokens) +
                             "; raise it or lower max_num_seqs");
    return std::nullopt;
}

} // namespace kv::vllm
