// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/llamacpp/cells.h"

#include "core/base/quantity.h"
#include "core/engine/options.h"
#include "core/model/contextlimit.h"

#include <algorithm>

namespace kv::llamacpp {

namespace {

constexpr std::int64_t padding = 256;

std::int64_t pad(std::int64_t cells) { return checked::roundUp(cells, padding); }

Bytes rows(std::int64_t cells, std::int64_t width, ElementType type) {
    return bytesFor(width, type) * cells;
}

std::int64_t windowCells(const Settings &s, std::int64_t window, std::int64_t factor) {
    return s.swaFull ? s.nCtxSeq : pad(std::min(s.nCtxSeq, checked::add(checked::mul(window, factor), s.ubatch)));
}

LayerBytes compressedBytes(const Layer &layer, const Settings &s, const CacheTypes &types) {
    const CompressedAttention &c = *layer.compressed;
    const std::int64_t streams = std::max<std::int64_t>(1, s.slots);
    LayerBytes bytes;
    bytes.attention = rows(windowCells(s, c.window.value, 1), c.headDim, types.key);
    if (c.ratio > 0) {
        const std::int64_t entries = pad(checked::ceilDiv(s.nCtxSeq, c.ratio));
        bytes.attention += rows(entries, c.headDim, types.key);
        std::int64_t state = c.ratio == 4 ? checked::mul(8, 2 * c.headDim) : checked::mul(c.ratio, c.headDim);
        if (c.indexSize > 0) {
            bytes.attention += rows(entries, c.indexSize, types.key);
            state = checked::add(state, checked::mul(8, 2 * c.indexSize));
        }
        bytes.attention += Bytes(checked::mul(state, 8)) * checked::add(1, s.rsSeq); // two FP32 tensors, and once more for each step back (n_planes)
    }
    bytes.attention = bytes.attention * streams;
    return bytes;
}

LayerBytes bytesOf(const Layer &layer, const Settings &s, const CacheTypes &types, std::int64_t widestValue) {
    if (layer.compressed)
        return compressedBytes(layer, s, types);
    LayerBytes bytes;
    const std::int64_t cells = layer.window > 0 ? windowCells(s, layer.window, s.unified ? std::max<std::int64_t>(1, s.slots) : 1) : s.nCtxSeq;
    if (layer.created) {
        const std::int64_t value = s.flash || widestValue == 0 ? layer.valueWidth : widestValue;
        bytes.attention = (rows(cells, layer.keyWidth, types.key) + rows(cells, value, types.value)) * s.streams;
        bytes.attention += (rows(s.nCtxSeq, layer.indexKey, types.key) + rows(s.nCtxSeq, layer.indexValue, types.value)) * s.streams;
    }
    const std::int64_t stateRows = checked::mul(std::max<std::int64_t>(1, s.slots), 1 + s.rsSeq);
    bytes.state = Bytes(checked::mul(checked::mul(layer.recurrent, 4), stateRows));
    return bytes;
}

bool quantised(ElementType type) { return info(type).blockElements == 32; }

std::optional<Note> refuse(const Layers &layers, const Settings &s, const CacheTypes &types) {
    if (s.slots > mostSlots)
        return errorNote("too-many-slots", "workload.sequences", "workload.sequences: llama.cpp has at most 256 slots; " + writeNumber(s.slots) + " are asked for");
    if (s.asked < 0)
        return errorNote("out-of-range", "workload.context", "workload.context: the cells of all slots are out of range: they exceed 2^63 − 1");
    if (quantised(types.value) && !s.flash) // whatever the architecture, even where nothing is cached
        return errorNote("needs-flash-attention", "engine.options.flash_attn",
                         "engine.options.flash_attn: a quantised V cache (" + std::string(info(types.value).name) + ") needs flash attention; turn flash_attn on, or take f16 for V");
    const bool keysOnly = layers.latent || std::ranges::any_of(layers.list, [](const Layer &layer) { return layer.compressed.has_value(); });
    if (keysOnly && types.key != types.value)
        return errorNote("unlike-kv-types", "kv", "kv: this model keeps K rows only, for which llama.cpp needs one type for K and V; found kv types " +
                                                      std::string(info(types.key).name) + " and " + std::string(info(types.value).name));
    for (const Layer &layer : layers.list)
        if (quantised(types.key) && (layer.keyWidth % 32 != 0 || layer.indexKey % 32 != 0)) // ggml has no rows of half a block, with flash attention or without
            return errorNote("block-does-not-divide", "kv", "kv: a quantised cache has blocks of 32, which do not divide this model's K rows of " +
                                                                writeNumber(layer.keyWidth % 32 != 0 ? layer.keyWidth : layer.indexKey) + " numbers; take f16, bf16 or f32 for the kv types");
    for (const Layer &layer : layers.list)
        for (const auto &[type, size] : {std::pair(types.key, layer.headSize), std::pair(types.value, keysOnly ? 0 : layer.valueHead)})
            if (s.flash && quantised(type) && size % 32 != 0)
                return errorNote("block-does-not-divide", "kv", "kv: a quantised cache has blocks of 32, which do not divide this model's head size of " + writeNumber(size) +
                                                                    "; take f16, bf16 or f32 for the kv types");
    return std::nullopt;
}

} // namespace

Settings settingsOf(const Deployment &d, const Layers &layers, std::int64_t slots, std::int64_t context) {
    const OptionReader options(d.scenario->engine.options);
    Settings s;
    s.slots = slots;
    s.unified = options.boolean("kv_unified").value_or(false);
    s.swaFull = options.boolean("swa_full").value_or(false);
    s.flash = options.word("flash_attn").value_or("auto") != "off" && layers.architecture != "grok";
    s.rsSeq = layers.rollback ? options.whole("n_rs_seq").value_or(0) : 0;
    s.asked = options.whole("n_ctx").value_or(checked::mul(context, std::max<std::int64_t>(1, slots)));
    if (s.asked == 0)
        s.asked = contextLimit("llama-cpp", *d.model).value_or(Tokens(0)).value; // 0 means the trained length
    const std::int64_t seats = std::max<std::int64_t>(1, slots);
    s.nCtx = pad(s.asked);
    s.nCtxSeq = s.unified ? s.nCtx : pad(s.nCtx / seats);
    if (!s.unified)
        s.nCtx = checked::mul(s.nCtxSeq, seats);
    s.streams = s.unified ? 1 : seats;
    s.ubatch = std::min(options.whole("n_ubatch").value_or(512), std::min(options.whole("n_batch").value_or(2048), std::max<std::int64_t>(1, s.asked)));
    return s;
}

Context contextOf(const Deployment &d, const Layers &layers, std::int64_t slots, std::int64_t context) {
    Context out;
    out.settings = settingsOf(d, layers, slots, context);
    if (out.settings.asked == 0) { // by n_ctx alone: no request is of no tokens
        out.refusal = errorNote("bad-value", "engine.options.n_ctx", "engine.options.n_ctx: 0 means the length that the model was trained for, which is not known of this one; give a number of tokens");
        return out;
    }
    out.refusal = refuse(layers, out.settings, d.types);
    if (out.refusal)
        return out;
    std::int64_t widest = 0;
    for (const Layer &layer : layers.list)
        if (layer.created) {
            out.attends = true;
            widest = std::max(widest, layer.valueWidth);
        }
    out.layers.reserve(layers.list.size());
    for (const Layer &layer : layers.list) {
        const LayerBytes bytes = bytesOf(layer, out.settings, d.types, layers.latent ? 0 : widest);
        out.attention += bytes.attention;
        out.state += bytes.state;
        out.layers.push_back(bytes);
    }
    return out;
}

} // namespace kv::llamacpp
