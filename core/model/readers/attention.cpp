// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/readers/attention.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace kv {

namespace {

/// A sliding layer's own sizes where a file has them apart (MiMo-V2: swa_…); the V size of its own (v_head_dim) where it is no latent.
HeadShape windowHeads(Reader &reader, const HeadShape &full) {
    HeadShape heads = full;
    if (const Whole kvHeads = reader.whole({"swa_num_key_value_heads"}, headRange)) {
        heads.kvHeads = kvHeads.value;
        if (kvHeads.value != full.kvHeads)
            reader.addFact(Role::KvHeads, kvHeads, "on sliding layers; full layers have " + writeNumber(full.kvHeads));
    }
    if (const Whole size = reader.whole({"swa_head_dim"}, optionalSizeRange); size && size.value > 0) {
        heads.keySize = size.value;
        heads.valueSize = full.valueSize == full.keySize ? size.value : full.valueSize;
    }
    // Step: one block of settings for the layers of the other kind, which are the sliding ones.
    if (const Whole kvHeads = reader.whole({"attention_other_setting.num_attention_groups"}, headRange); kvHeads && kvHeads.value != heads.kvHeads) {
        heads.kvHeads = kvHeads.value;
        reader.addFact(Role::KvHeads, kvHeads, "on sliding layers; full layers have " + writeNumber(full.kvHeads));
    }
    if (const Whole size = reader.whole({"attention_other_setting.head_dim"}, optionalSizeRange); size && size.value > 0)
        heads.keySize = heads.valueSize = size.value;
    if (const Whole size = reader.whole({"swa_v_head_dim"}, optionalSizeRange); size && size.value > 0)
        heads.valueSize = size.value;
    return heads;
}

void readValueSize(Reader &reader, HeadShape &heads) {
    if (reader.find("kv_lora_rank") || reader.defaultOf("kv_lora_rank"))
        return; // a latent family's key: an up-projection, no cache
    const Whole size = reader.whole({"v_head_dim"}, optionalSizeRange);
    if (!size || size.value == 0 || size.value == heads.keySize)
        return;
    heads.valueSize = size.value;
    reader.addFact(Role::ValueSize, size, "values are not as wide as keys (" + writeNumber(heads.keySize) + ")");
}

/// Gemma 4: full layers have a head size of their own, and KV heads of their own where keys serve as values.
HeadShape fullHeads(Reader &reader, const HeadShape &sliding) {
    HeadShape heads = sliding;
    constexpr std::int64_t classDefault = 512; // popped from the arguments: no field of the class, so no table holds it
    Whole size = reader.whole({"global_head_dim"}, optionalSizeRange);
    if (size.said == Whole::Said::Absent)
        size = {Whole::Said::Value, classDefault, Origin::ClassDefault, "global_head_dim"};
    if (size && size.value > 0) {
        heads.keySize = heads.valueSize = size.value;
        reader.addFact(Role::HeadDim, size, "on full layers; sliding layers have " + writeNumber(sliding.keySize));
    }
    const Whole kvHeads = reader.whole({"num_global_key_value_heads"}, headRange);
    const bool keysServe = reader.flag("attention_k_eq_v").value_or(false);
    if (kvHeads && keysServe) {
        heads.kvHeads = kvHeads.value;
        reader.addFact(Role::KvHeads, kvHeads,
                       "on full layers; sliding layers have " + writeNumber(sliding.kvHeads) + ". Values equal keys and are kept all the same");
    }
    return heads;
}

bool isGemma4(const Reader &reader) { return reader.type().starts_with("gemma4") || reader.type().starts_with("diffusion_gemma"); }

/// The last layer of Gemma 4 attends to everything, whatever its list says.
void settleGemma4(Reader &reader, WindowRule &rule) {
    if (rule.kinds.empty() || rule.kinds.back() != LayerKind::Window)
        return;
    rule.kinds.back() = LayerKind::Full;
    reader.warn("assumption", reader.at("layer_types"), "the last layer of this model type is always full, although the list calls it sliding");
}

CachePart fullPart(const std::optional<LatentAttention> &latent, const HeadShape &heads) {
    return latent ? CachePart(*latent) : CachePart(FullAttention{heads});
}

} // namespace

std::vector<std::int32_t> readSharing(Reader &reader, const LayerKinds &kinds) {
    const auto layers = static_cast<std::int64_t>(kinds.size());
    const Whole shared = reader.whole({"num_kv_shared_layers"}, {0, layerRange.most});
    const Whole factor = reader.whole({"cla_share_factor"}, {1, layerRange.most});
    std::vector<std::int32_t> from;
    if (shared && shared.value > 0) {
        if (shared.value >= layers) {
            reader.refuse("contradiction", reader.at(shared.key), writeNumber(shared.value) + " of " + counted(layers, "layer")
                              + " share a cache, so none is left to own it");
            return from;
        }
        from.assign(kinds.size(), -1);
        const std::int64_t owners = layers - shared.value;
        for (std::int64_t i = owners; i < layers; ++i) {
            std::int64_t owner = owners - 1;
            while (owner >= 0 && kinds[static_cast<std::size_t>(owner)] != kinds[static_cast<std::size_t>(i)])
                --owner;
            if (owner < 0) {
                reader.refuse("contradiction", reader.at(shared.key),
                              "layer " + writeNumber(i) + " shares a cache, but no earlier layer of its kind owns one");
                return {};
            }
            from[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(owner);
        }
        reader.addFact(Role::SharedLayers, shared, "the last layers read an earlier layer's cache and own none");
    } else if (factor && factor.value > 1 && reader.flag("use_cla").value_or(false)) {
        for (std::int64_t i = 0; i < layers; ++i)
            from.push_back(i % factor.value == 0 ? -1 : static_cast<std::int32_t>(i - i % factor.value));
        reader.addFact(Role::SharedLayers, factor, "of every " + writeNumber(factor.value) + " layers the first owns the cache");
    }
    return from;
}

void addAttentionLayers(Reader &reader, const ModelShape &shape, const WindowRule &rule) {
    std::optional<LatentAttention> latent;
    if (isLatent(reader) && !readLatent(reader, shape, latent.emplace()))
        return;
    const IndexRule index = readIndex(reader, shape);
    const HeadShape slidingHeads = uses(rule.kinds, LayerKind::Window) && !latent ? windowHeads(reader, shape.heads) : shape.heads;
    const HeadShape attending = isGemma4(reader) ? fullHeads(reader, shape.heads) : shape.heads;
    Palette palette;
    palette[LayerKind::Full] = {fullPart(latent, attending)};
    palette[LayerKind::Chunked] = {ChunkedAttention{shape.heads, rule.chunk}};
    // A latent that slides keeps its one vector for the window alone: a head with a key and no value.
    const HeadShape latentHeads = latent ? HeadShape{1, checked::add(latent->rank, latent->ropeSize), 0} : HeadShape{};
    palette[LayerKind::Window] = {SlidingWindow{latent ? latentHeads : slidingHeads, rule.window}};
    if (uses(rule.kinds, LayerKind::State) || uses(rule.kinds, LayerKind::Hybrid)) {
        const std::optional<RecurrentState> state = readState(reader, shape);
        if (!state)
            return;
        palette[LayerKind::State] = {*state};
        palette[LayerKind::Hybrid] = {palette[LayerKind::Full].front(), *state};
    }
    std::vector<std::int32_t> sharedFrom = readSharing(reader, rule.kinds);
    if (reader.failed())
        return;
    ModelSpec &spec = reader.spec();
    for (std::size_t i = 0; i < rule.kinds.size(); ++i) {
        const LayerKind kind = rule.kinds[i];
        if (!sharedFrom.empty() && sharedFrom[i] >= 0) {
            spec.addLayer({}, Idle::SharedCache);
            continue;
        }
        std::vector<CachePart> parts = palette[kind];
        if (kind == LayerKind::Full && index.on(i))
            parts.push_back(IndexKeys{index.size});
        spec.addLayer(std::move(parts), idleOf(kind));
    }
    spec.sharedFrom = std::move(sharedFrom);
}

void readAttentionModel(Reader &reader, Pattern pattern, std::int64_t period) {
    ModelShape shape;
    if (!readShape(reader, shape, {.latent = isLatent(reader)}))
        return;
    readValueSize(reader, shape.heads);
    WindowRule rule = readWindows(reader, shape, pattern, period);
    if (reader.failed())
        return;
    if (isGemma4(reader))
        settleGemma4(reader, rule);
    addAttentionLayers(reader, shape, rule);
}

} // namespace kv
