// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp/devices.h"

#include "core/base/quantity.h"
#include "core/engine/draftmodel.h"
#include "core/engine/options.h"
#include "core/engine/rankweights.h"
#include "core/weights/weighttypes.h"

#include <algorithm>

namespace kv::llamacpp {

namespace {

constexpr std::int64_t onHost = -1;

DeviceShare &shareAt(Devices &devices, std::int64_t place) { return place == onHost ? devices.host : devices.gpus[static_cast<std::size_t>(place)]; }

/// Cumulative shares, each as the engine's float: without a split by what is free on each card, which alike cards have alike.
std::vector<float> cumulativeShares(const Deployment &d, const std::vector<std::int64_t> &split) {
    std::vector<float> shares(static_cast<std::size_t>(d.gpus), 0.0f);
    float sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const bool given = !split.empty();
        const bool unlike = !d.unlike.empty() || d.display > Bytes(0);
        sum += given ? (i < split.size() ? static_cast<float>(split[i]) : 0.0f) : unlike ? static_cast<float>((d.memoryAt(i) - displayAt(d, i)).value) : 1.0f;
        shares[i] = sum;
    }
    for (float &share : shares)
        share = sum > 0 ? share / sum : 0;
    return shares;
}

/// Device of each slot, the output as the last.
std::vector<std::int64_t> placeSlots(std::int64_t blocks, std::int64_t gpuLayers, const std::vector<float> &shares) {
    const std::int64_t slots = blocks + 1, active = std::min(gpuLayers, slots), start = std::max<std::int64_t>(slots - gpuLayers, 0);
    std::vector<std::int64_t> places(static_cast<std::size_t>(slots), onHost);
    for (std::int64_t slot = start; slot < slots; ++slot) {
        const float at = static_cast<float>(slot - start) / static_cast<float>(active);
        const auto device = std::ranges::find_if(shares, [&](float share) { return share > at; });
        places[static_cast<std::size_t>(slot)] = device == shares.end() ? static_cast<std::int64_t>(shares.size()) - 1 : device - shares.begin();
    }
    return places;
}

/// Weights by where they go.
struct WeightCuts {
    struct Block {
        Bytes all, experts; ///< of all, routed experts
    };
    Bytes lookedUp; ///< tables of which a token reads a row: those of the tokens, of positions, of further inputs of the layers
    Bytes output;   ///< final norm and head
    Bytes tower;    ///< for pictures and sound, a file of its own
    Bytes copy;     ///< where no head is stored: the tokens' table once more, as the head
    std::vector<Block> blocks; ///< blk.0, blk.1, …: the first ones may have no experts
};

bool belongsToOutput(const WeightPart &part) { return part.kind == WeightPartKind::Head || part.kind == WeightPartKind::FinalNorm; }

/// What the parts are cut by, one figure for each: the bytes that the file holds of it in the type of the plan. Weights given by hand for a
/// checkpoint that is still to be converted may be of any type, and are cut by its elements.
std::vector<std::int64_t> amountsOf(const Deployment &d) {
    const WeightSpec &spec = d.model->weights;
    const WeightsChoice &choice = d.scenario->weights;
    const bool fromTable = d.model->sourceIsGguf && choice.bytes;
    const std::string type = fromTable ? std::string() : !choice.dtype.empty() ? choice.dtype : isHeldByGguf(spec.scheme) ? std::string() : std::string("bf16");
    std::vector<std::int64_t> amounts;
    amounts.reserve(spec.parts.size());
    if (d.model->sourceIsGguf || !choice.bytes) {
        const std::optional<WeightSpec> typed = type.empty() ? std::nullopt : weightsInType(spec, type, WeightFile::Gguf).value;
        const WeightSpec &held = typed ? *typed : spec;
        if (held.parts.size() == spec.parts.size() && held.stored > Bytes(0))
            for (const WeightPart &part : held.parts)
                amounts.push_back(part.stored.value);
    }
    if (amounts.empty())
        for (const WeightPart &part : spec.parts)
            amounts.push_back(part.elements);
    return amounts;
}

/// Of an embedding's amount what its table of tokens takes: positions and the like may lie beside it. Tables of a layer have none.
std::int64_t tokensIn(const ModelSpec &model, const WeightPart &part, std::int64_t amount) {
    const std::int64_t table = checked::mul(model.vocabulary, model.hidden);
    if (part.layer >= 0)
        return 0;
    return table > 0 && table < part.elements ? checked::mulDiv(amount, table, part.elements) : amount;
}

/// What each block holds of a part, in whatever the parts are measured in: the layers that it names, all alike where it names none, the last
/// ones for the layers of multi-token prediction.
void dealToBlocks(const WeightPart &part, std::int64_t amount, std::int64_t trunk, std::vector<std::int64_t> &blocks) {
    const auto all = static_cast<std::int64_t>(blocks.size());
    std::int64_t from = 0, count = std::min(trunk, all);
    if (part.kind == WeightPartKind::Draft)
        from = std::min(trunk, all - 1), count = std::max<std::int64_t>(1, all - trunk);
    else if (part.layer >= 0)
        from = std::min<std::int64_t>(part.layer, all - 1), count = std::clamp<std::int64_t>(part.layerCount, 1, all - from);
    const std::int64_t each = amount / count, rest = amount % count;
    for (std::int64_t i = 0; i < count; ++i) // the rest cumulative, so that the pieces are the whole
        blocks[static_cast<std::size_t>(from + i)] += each + ((i + 1) * rest / count - i * rest / count);
}

std::int64_t roundedUp(std::int64_t whole, std::int64_t part, std::int64_t of) {
    const std::int64_t down = checked::mulDiv(whole, part, of);
    return static_cast<__int128>(down) * of < static_cast<__int128>(whole) * part ? down + 1 : down;
}

WeightCuts cutWeights(const Deployment &d, std::int64_t blocks) {
    WeightCuts cuts;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(1, blocks));
    std::vector<std::int64_t> layers(count, 0), experts(count, 0);
    std::int64_t lookedUp = 0, tokens = 0, output = 0, tower = 0, all = 0;
    bool headless = true;
    const std::vector<std::int64_t> amounts = amountsOf(d);
    for (std::size_t i = 0; i < amounts.size(); ++i) {
        const WeightPart &part = d.model->weights.parts[i];
        if (part.kind == WeightPartKind::Draft && !d.drafts)
            continue;
        const std::int64_t amount = amounts[i];
        all = checked::add(all, amount);
        headless = headless && part.kind != WeightPartKind::Head;
        if (part.kind == WeightPartKind::Embedding)
            lookedUp += amount, tokens += tokensIn(*d.model, part, amount);
        else if (belongsToOutput(part))
            output += amount;
        else if (part.kind == WeightPartKind::Vision)
            tower += amount;
        else
            dealToBlocks(part, amount, d.model->layerCount(), layers);
        if (part.kind == WeightPartKind::Experts)
            dealToBlocks(part, amount, d.model->layerCount(), experts);
    }
    // convert_hf_to_gguf.py --outtype auto: a checkpoint in 32 bit is written in 16.
    const Bytes whole = !d.model->sourceIsGguf && runsIn16Bit(d) ? Bytes(checked::ceilDiv(d.weights.value, 2)) : d.weights;
    const auto share = [&](std::int64_t amount) { return all > 0 ? Bytes(checked::mulDiv(whole.value, amount, all)) : Bytes(0); };
    cuts.lookedUp = share(lookedUp);
    cuts.output = share(output);
    cuts.tower = share(tower);
    cuts.copy = headless && d.model->tiedEmbeddings ? share(tokens) : Bytes(0);
    const Bytes inLayers = whole - cuts.lookedUp - cuts.output - cuts.tower;
    const std::int64_t inAll = all - lookedUp - output - tower;
    cuts.blocks.reserve(count);
    while (cuts.blocks.size() != count) {
        const std::size_t i = cuts.blocks.size();
        if (!cuts.blocks.empty() && layers[i] == layers[i - 1] && experts[i] == experts[i - 1]) { // as most are
            cuts.blocks.push_back(cuts.blocks.back());
            continue;
        }
        cuts.blocks.push_back({inAll > 0 ? Bytes(roundedUp(inLayers.value, layers[i], inAll)) : Bytes(checked::ceilDiv(inLayers.value, static_cast<std::int64_t>(count))), share(experts[i])});
    }
    return cuts;
}

/// FP32 activations of a micro batch at the widest place, and the mask (or the scores, without flash attention) over the cells. In a pipeline
/// of several GPUs what goes in, the mask and the embedded tokens, is kept four times (ggml/src/ggml-backend.cpp, GGML_SCHED_MAX_COPIES).
Bytes computeBuffer(const Deployment &d, const Settings &s, bool pipeline, bool attends) {
    const ModelSpec &model = *d.model;
    const std::int64_t width = checked::add(checked::mul(4, std::max(model.intermediate, model.hidden)), model.hidden / 2);
    const std::int64_t perCell = !attends ? 0 : s.flash ? 2 : checked::mul(4, std::max<std::int64_t>(1, model.queryHeads));
    constexpr std::int64_t furtherCopies = 3, maskBytes = 2;
    const std::int64_t input = checked::add(attends ? checked::mul(maskBytes, s.nCtxSeq) : 0, checked::mul(4, model.hidden));
    return Bytes(pipeline ? checked::mul(checked::mul(furtherCopies, input), s.ubatch) : 0) + Bytes(checked::mul(checked::mul(4, width), s.ubatch)) + Bytes(checked::mul(checked::mul(perCell, s.ubatch), s.nCtxSeq)) +
           Bytes(checked::mul(checked::mul(model.vocabulary, 4), std::max<std::int64_t>(1, s.slots)));
}

} // namespace

Bytes displayAt(const Deployment &d, std::size_t gpu) { return gpu == 0 ? d.display : Bytes(0); }

Placement placementOf(const Deployment &d, const Layers &layers) {
    const OptionReader options(d.scenario->engine.options);
    Placement out;
    Devices &bare = out.bare;
    bare.margin = options.size("fit_margin_bytes").value_or(Bytes(gibibyte));
    const std::vector<std::int64_t> split = options.shares("tensor_split");
    if (std::ranges::any_of(split, [](std::int64_t share) { return share < 0; }) || static_cast<std::int64_t>(split.size()) > d.gpus) {
        bare.refusal = errorNote("bad-value", "engine.options.tensor_split", "engine.options.tensor_split: expected a share of 0 or more for each of the " + writeNumber(d.gpus) + " GPUs");
        return out;
    }
    const std::int64_t given = options.whole("n_gpu_layers").value_or(-1);
    const bool allZero = std::ranges::all_of(split, [](std::int64_t share) { return share == 0; });
    out.places = placeSlots(layers.blocks, given < 0 ? layers.blocks + 1 : given, cumulativeShares(d, allZero ? std::vector<std::int64_t>{} : split));
    out.cacheOnHost = options.boolean("no_kv_offload").value_or(false);
    const std::int64_t hostExperts = options.boolean("cpu_moe").value_or(false) ? layers.blocks : options.whole("n_cpu_moe").value_or(0);
    // src/llama-context.cpp: several devices, every layer on them, none of its tensors and no cache elsewhere.
    out.pipeline = d.gpus > 1 && !out.cacheOnHost && hostExperts == 0 && std::ranges::find(out.places, onHost) == out.places.end();
    const WeightCuts cuts = cutWeights(d, layers.blocks);
    bare.gpus.resize(static_cast<std::size_t>(d.gpus));
    bare.host.weights = bare.lookedUp = cuts.lookedUp;
    for (std::int64_t slot = 0; slot < layers.blocks; ++slot) {
        const std::int64_t place = out.places[static_cast<std::size_t>(slot)];
        const bool moved = slot < hostExperts && place != onHost;
        const WeightCuts::Block &block = cuts.blocks[static_cast<std::size_t>(slot)];
        shareAt(bare, place).weights += moved ? block.all - block.experts : block.all;
        if (moved)
            bare.host.weights += block.experts;
    }
    // One backend has the whole tower: the first GPU, whatever the split and n_gpu_layers (tools/mtmd/clip.cpp, clip_ctx; common/arg.cpp
    // mmproj_use_gpu).
    out.tower = cuts.tower;
    bare.gpus.front().weights += out.tower;
    // A second tensor of one name in a buffer of the same type is the first (llama_model_loader::create_tensor, TENSOR_DUPLICATED).
    shareAt(bare, out.places.back()).weights += cuts.output + (out.places.back() == onHost ? Bytes(0) : cuts.copy);
    return out;
}

Devices devicesOf(const Deployment &d, const Placement &placement, const Context &context) {
    Devices out = placement.bare;
    if (out.refusal)
        return out;
    for (std::size_t slot = 0; const LayerBytes &layer : context.layers) {
        DeviceShare &share = placement.cacheOnHost ? out.host : shareAt(out, placement.places[slot]); // no layer caches that is no block
        share.kv += layer.attention + layer.state;
        ++slot;
    }
    const std::optional<Bytes> byHand = OptionReader(d.scenario->engine.options).size("compute_bytes");
    const Bytes compute = byHand ? *byHand : computeBuffer(d, context.settings, placement.pipeline, context.attends);
    for (std::size_t i = 0; i < out.gpus.size(); ++i) {
        DeviceShare &gpu = out.gpus[i];
        const Bytes text = gpu.weights - (i == 0 ? placement.tower : Bytes(0));
        gpu.compute = text > Bytes(0) || gpu.kv > Bytes(0) ? compute : Bytes(0);
        gpu.computeBand = byHand ? Bytes(0) : Bytes(gpu.compute.value / 2);
    }
    return out;
}

void addDraft(const Deployment &d, const Context &context, Devices &devices) {
    if (!d.draft || devices.refusal)
        return;
    Scenario alone = *d.scenario; // of the options only those that place layers are the draft's as well
    alone.weights = {};           // what is said of the weights is said of the model's own
    for (const char *own : {"n_ctx", "n_rs_seq", "compute_bytes", "cpu_moe", "n_cpu_moe", "n_gpu_layers"})
        alone.engine.options.erase(own);
    Deployment draft = draftDeployment(d, {ElementType::Fp16, ElementType::Fp16, d.draft->dtype});
    draft.scenario = &alone;
    const Layers layers = layersOf(*draft.model);
    // One context for all slots, of the target's n_ctx (common/speculative.cpp: cparams.n_ctx = llama_n_ctx(ctx_tgt), the rest as the target's).
    const std::int64_t slots = std::max<std::int64_t>(1, context.settings.slots);
    const Context cells = layers.refusal ? Context{} : contextOf(draft, layers, slots, context.settings.nCtx / slots);
    Placement placement = layers.refusal || cells.refusal ? Placement{} : placementOf(draft, layers);
    if (!placement.bare.gpus.empty())
        placement.bare.gpus.front().weights -= std::exchange(placement.tower, Bytes(0));
    const Devices shares = layers.refusal || cells.refusal ? Devices{} : devicesOf(draft, placement, cells);
    devices.refusal = layers.refusal ? layers.refusal : cells.refusal ? cells.refusal : shares.refusal;
    if (devices.refusal)
        return;
    for (std::size_t i = 0; i < devices.gpus.size(); ++i) {
        DeviceShare &to = devices.gpus[i];
        const DeviceShare &from = shares.gpus[i];
        to.draftWeights = from.weights;
        to.draftKv = from.kv;
        to.kv += to.draftKv;
        to.compute += from.compute;
        to.computeBand += from.computeBand;
    }
    devices.host.weights += shares.host.weights;
    devices.lookedUp += shares.lookedUp;
    devices.host.kv += shares.host.kv;
}

} // namespace kv::llamacpp
