// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/fewest.h"

namespace kv {

std::optional<std::int64_t> fewestGpusByRanks(const Engine &engine, const Deployment &d, std::int64_t copies) {
    constexpr std::int64_t mostGpus = 1024;
    if (d.availableKv || copies < 1)
        return std::nullopt;
    for (std::int64_t each = 1; each * copies <= mostGpus; ++each)
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
    return std::nullopt;
}

} // namespace kv
