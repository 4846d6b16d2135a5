// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/sglang/budget.h"

#include "core/base/units.h"
#include "core/engine/adapters.h"
#include "core/engine/draftmodel.h"
#include "core/engine/options.h"
#include "core/engine/rankweights.h"
#include "core/model/defaults.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace kv::sglang {

namespace {

/// Defaults by the card's memory in MiB (server_args.py: 20 * 1024 and so on): prefill chunk, largest CUDA-graph batch below and from tensor parallel 4 on.
struct Tier {
    std::int64_t below, chunk, batch, batchTp4;
};
constexpr std::array<Tier, 5> tiers{{
    {20 * 1024, 2048, 8, 8},
    {35 * 1024, 2048, 24, 80},
    {60 * 1024, 4096, 32, 160},
    {160 * 1024, 8192, 256, 512},
    {std::numeric_limits<std::int64_t>::max(), 16384, 512, 512},
}};

/// Served without their tower unless --enable-multimodal asks for it (configs/model_config.py mm_disabled_models): these keep the whole fraction.
bool servedWithoutTower(const ModelSpec &model) {
    constexpr std::array<std::string_view, 4> names{"Gemma3ForConditionalGeneration", "InklingForConditionalGeneration", "Llama4ForConditionalGeneration", "Step3VLForConditionalGeneration"};
    return std::ranges::find(names, model.architecture) != names.end();
}

/// What a vision tower leaves of the fraction, by its layers × width² against those of ViT-L/14, as far as the config's vision_config says
/// them under these names (server_args.py adjust_mem_fraction_for_vlm); 1 where there is no such block.
double visionFactor(const ModelSpec &model) {
    const Json *block = model.source && !model.sourceIsGguf ? model.source->find("vision_config") : nullptr;
    if (!block || !block->isObject() || servedWithoutTower(model))
        return 1;
    constexpr double usualLayers = 24, usualWidth = 1024;
    const Json *type = block->find("model_type");
    const ClassDefaults *defaults = classDefaults(type && type->isString() ? type->text() : std::string());
    const auto size = [&](std::string_view key, double otherwise) {
        for (const Json *in : {block, defaults ? defaults->values : nullptr})
            if (const Json *value = in ? in->find(key) : nullptr; value && value->kind() == Json::Kind::Integer)
                return static_cast<double>(value->integer());
        return otherwise;
    };
    const double layers = size("num_hidden_layers", usualLayers), width = size("hidden_size", usualWidth);
    const double complexity = layers * width * width / (usualLayers * usualWidth * usualWidth);
    return 0.95 * std::clamp(1.0 - 0.1 * (complexity - 1.0), 0.8, 1.05);
}

std::int64_t memoryMibOf(const Deployment &d) {
    const bool byHand = d.scenario->hardware.memory.has_value();
    return (!byHand && d.gpu && d.gpu->driver > Bytes(0) ? d.gpu->driver : d.memory).value / mebibyte;
}

/// Python's round(x, 3) in thousandths: of the binary number that x is, so that 0.8875, which is a little less, becomes 0.887.
std::int64_t thousandthsOf(double x) {
    const auto whole = static_cast<std::int64_t>(std::floor(x * 1000));
    const double beyondHalf = std::fma(x, 1000, -(static_cast<double>(whole) + 0.5)); // one rounding: its sign is that of the true difference
    return whole + (beyondHalf > 0 || (beyondHalf == 0 && whole % 2 != 0) ? 1 : 0);
}

const Tier &tierOf(std::int64_t memoryMib) {
    return *std::ranges::find_if(tiers, [&](const Tier &t) { return memoryMib < t.below; });
}

/// Not rounded: an odd chunk leaves half a MiB.
double reservedMib(const Deployment &d, std::int64_t memoryMib) {
    const OptionReader options(d.scenario->engine.options);
    const Tier &tier = tierOf(memoryMib);
    // Options may be any number: beyond this they leave nothing of any card.
    constexpr std::int64_t most = 1 << 30;
    const std::int64_t chunk = std::min(options.whole("chunked_prefill_size").value_or(tier.chunk), most);
    const std::int64_t batch = std::min(options.whole("cuda_graph_max_bs").value_or(d.tp >= 4 ? tier.batchTp4 : tier.batch), most);
    const std::int64_t ranks = std::min(d.tp, most) * std::min<std::int64_t>(d.pp, 1 << 20), replicas = std::min<std::int64_t>(d.dp, 1 << 20);
    std::int64_t halves = 2 * 512 + std::max<std::int64_t>(chunk, 2048) * 3 + ranks * 2 * 1024 / 8 + 4 * batch;
    if (options.boolean("enable_dp_attention").value_or(false))
        halves += 6 * batch * replicas + (batch > 300 ? batch * replicas * 3 : 0);
    if (memoryMib > 61'440)
        halves = std::max<std::int64_t>(halves, 2 * 10'240);
    return static_cast<double>(halves) / 2;
}

} // namespace

std::int64_t prefillChunk(const Deployment &d) {
    const OptionReader options(d.scenario->engine.options);
    const std::int64_t chunk = options.whole("chunked_prefill_size").value_or(tierOf(memoryMibOf(d)).chunk);
    return options.boolean("enable_dp_attention").value_or(false) ? chunk / std::max<std::int64_t>(1, d.dp) : chunk;
}

std::int64_t staticFraction(const Deployment &d) {
    if (const auto given = OptionReader(d.scenario->engine.options).fraction("mem_fraction_static"))
        return *given;
    const std::int64_t memoryMib = memoryMibOf(d);
    if (memoryMib <= 0)
        return fractionOne / 100 * 88;
    const double kept = std::max(0.0, static_cast<double>(memoryMib) - reservedMib(d, memoryMib));
    const std::int64_t thousandths = thousandthsOf(kept / static_cast<double>(memoryMib));
    const std::int64_t fraction = thousandths * (fractionOne / 1000);
    return std::llround(static_cast<double>(fraction) * visionFactor(*d.model));
}

std::vector<RankBudget> budgets(const Deployment &d, const std::vector<std::int64_t> &stageLayers) {
    const std::int64_t fraction = staticFraction(d);
    const Bytes display = d.availableKv ? Bytes(0) : std::min(d.display, d.memory);
    const Bytes usable(checked::mulDiv((d.memory - display).value, fraction, fractionOne));
    const Bytes byHand = OptionReader(d.scenario->engine.options).size("overhead_bytes").value_or(Bytes(0));
    std::vector<Bytes> adapters(stageLayers.size());
    const OptionReader options(d.scenario->engine.options);
    constexpr std::int64_t usualSlots = 8, usualRank = 16;
    if (options.boolean("enable_lora").value_or(false) && !d.availableKv)
        adapters = adapterBytes(d, stageLayers, {std::max<std::int64_t>(1, options.whole("max_loras_per_batch").value_or(usualSlots)),
                                                 std::max<std::int64_t>(1, options.whole("max_lora_rank").value_or(usualRank)), false});
    const Bytes draft = d.availableKv ? Bytes(0) : draftWeightsPerGpu(d);
    std::vector<RankBudget> ranks;
    ranks.reserve(stageLayers.size());
    WeightRules rules;
    rules.drafts = options.whole("draft_layers").value_or(0) > 0; // models/deepseek_v2.py load_weights passes over layers that only draft
    if (options.boolean("enable_dp_attention").value_or(false)) {
        rules.attentionTp = std::max<std::int64_t>(1, d.tp / std::max<std::int64_t>(1, d.dp));
        rules.wholeEmbedding = true;
    }
    std::vector<RankWeights> loaded16 = rankWeights(d, stageLayers, rules);
    if (runsIn16Bit(d)) // configs/model_config.py _get_and_verify_dtype: float32 under "auto"
        halve(loaded16);
    for (const RankWeights &weights : loaded16) {
        RankBudget rank;
        rank.weights = weights.all;
        rank.experts = weights.experts;
        rank.resting = weights.resting;
        rank.adapters = adapters[ranks.size()];
        rank.draftWeights = draft;
        const Bytes loaded = rank.adapters + rank.draftWeights;
        rank.display = display;
        rank.reserve = d.memory - display - usable;
        rank.overhead = byHand + display + loaded;
        rank.available = d.availableKv.value_or(usable - rank.weights - loaded - byHand);
        if (d.availableKv)
            rank.overhead = std::max(Bytes(0), d.memory - rank.reserve - rank.weights - rank.available);
        ranks.push_back(rank);
    }
    return ranks;
}

} // namespace kv::sglang
