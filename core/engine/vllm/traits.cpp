// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/settings.h"

namespace kv::vllm {

namespace {

void look(const CachePart &part, ModelTraits &traits) {
    switch (kindOf(part)) {
    case CacheKind::Full:
        traits.full = true;
        break;
    case CacheKind::Window:
        traits.windows = true;
        break;
    case CacheKind::Chunked:
        traits.chunks = true;
        break;
    case CacheKind::Latent:
        traits.latent = true;
        break;
    case CacheKind::Index:
        traits.indexed = true;
        break;
    case CacheKind::Compressed:
        traits.compressed = true;
        break;
    case CacheKind::Cross:
        traits.cross = true;
        break;
    case CacheKind::State: {
        // SupportsMambaPrefixCaching: the kernels of Mamba 1 and 2 can keep the state of every block.
        const StateFamily family = std::get<RecurrentState>(part).family;
        const bool every = family == StateFamily::Mamba1 || family == StateFamily::Mamba2;
        traits.everyModeOfStates = every && (traits.everyModeOfStates || !traits.states);
        traits.states = true;
        break;
    }
    }
}

} // namespace

ModelTraits traitsOf(const ModelSpec &model) {
    ModelTraits traits;
    for (const LayerShape &shape : model.shapes)
        for (const CachePart &part : shape.parts)
            look(part, traits);
    traits.encoder = !(traits.states || traits.latent || traits.indexed || traits.compressed || traits.windows ||
                       traits.chunks || traits.cross || traits.full);
    // Not in the list of is_deepseek_mla (transformers_utils/model_arch_config_convertor.py): models/minicpm3.py keeps 40 heads of 96.
    traits.expandsLatent = model.modelType == "minicpm3";
    return traits;
}

} // namespace kv::vllm
