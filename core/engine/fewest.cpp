// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/fewest.h"

#include "core/engine/options.h"
#include "core/engine/rankweights.h"
#include "core/plan/payload.h"

namespace kv {

namespace {

/// What a copy takes whatever the split: its weights and most of the payload that grows with tokens. No engine stores that in less than
/// three quarters (index keys in FP4 are the furthest below); states are left out, since options change their type, and so are windows by hand.
Bytes leastOf(const Deployment &d, std::int64_t copies) {
    const Bytes weights = runsIn16Bit(d) ? Bytes(d.weights.value / 2) : d.weights; // SGLang loads FP32 in 16 bit
    if (OptionReader(d.scenario->engine.options).has("max_attention_window"))
        return weights;
    const Payload payload(*d.model, d.types);
    const Bytes prefix = payload.prefix(d.prefix), sequence = payload.at(d.context) - payload.fixed();
    const std::int64_t sequences = d.sequences.value / copies;
    const Bytes all = sequences > 0 ? prefix + (sequence - prefix) * sequences : Bytes(0);
    const bool counts = all.inRange() && all > Bytes(0);
    return weights + (counts ? Bytes(all.value / 4 * 3) : Bytes(0));
}

} // namespace

std::optional<std::int64_t> fewestGpusByRanks(const Engine &engine, const Deployment &d, std::int64_t copies) {
    constexpr std::int64_t mostGpus = 1024;
    if (d.availableKv || copies < 1)
        return std::nullopt;
    const Bytes least = leastOf(d, copies);
    for (std::int64_t each = 1; each * copies <= mostGpus; ++each) {
        if (d.memory * each < least)
            continue;
        for (std::int64_t tp = each; tp >= 1; --tp) {
            if (each % tp != 0 || each / tp > d.model->layerCount())
                continue;
            Deployment tried = d;
            tried.tp = tp;
            tried.pp = each / tp;
            tried.gpus = each * copies;
            if (engine.fits(tried))
                return tried.gpus;
        }
    }
    return std::nullopt;
}

} // namespace kv
