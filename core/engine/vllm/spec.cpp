// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/spec.h"

#include "core/engine/draftmodel.h"
#include "core/engine/vllm/compressedspecs.h"
#include "core/engine/vllm/pages.h"
#include "core/engine/vllm/states.h"
#include "core/model/draftshape.h"

#include <algorithm>

namespace kv::vllm {

namespace {

/// Turns the parts of the model's shapes into specs, equal ones once.
class Maker {
public:
    Maker(const Deployment &d, const Settings &settings, const ModelTraits &traits, SpecList &list)
        : m_d(d), m_settings(settings), m_traits(traits), m_list(list), m_block(settings.blockSize) {}

    /// Grows the attention block to hold a state; the page of states then is that of attention.
    void align() {
        std::int64_t state = 0, token = 0;
        for (const LayerShape &shape : m_d.model->shapes) {
            for (const CachePart &part : shape.parts) {
                if (const auto *recurrent = std::get_if<RecurrentState>(&part))
                    state = std::max(state, stateBytes(*recurrent, *m_d.model, m_d.types, m_settings, m_d.tp));
                else if (token == 0)
                    token = attentionTokenBytes(part);
            }
        }
        if (state <= 0 || token <= 0)
            return;
        m_block =
            grownBlock(state, token, m_settings, m_settings.stateMode == StateMode::All ? stateChunk(*m_d.model) : 1, m_traits.latent);
        m_statePage = checked::mul(m_block, token);
        m_list.stateBlock = m_block;
    }

    /// Specs of one shape, in registration order, appended to `out`. A layer that drafts always has an indexer of its own.
    void shape(const LayerShape &shape, ElementType type, std::vector<std::uint16_t> &out, bool drafts = false) {
        for (const CachePart &part : shape.parts) {
            if (const auto *compressed = std::get_if<CompressedAttention>(&part)) {
                for (const Spec &spec : compressedSpecs(*compressed, m_settings))
                    out.push_back(indexOf(spec));
                continue;
            }
            out.push_back(indexOf(specOf(part, type)));
            // Before 0.28 every latent layer gets index keys once the model has an indexer, also those that borrow another's choice of tokens.
            if (kindOf(part) == CacheKind::Latent && m_traits.indexed && !hasIndex(shape) && (drafts || !m_settings.rules().ownIndexersOnly))
                out.push_back(indexOf(specOf(anyIndex(), type)));
        }
    }

private:
    static bool hasIndex(const LayerShape &shape) {
        return std::ranges::any_of(shape.parts, [](const CachePart &part) { return kindOf(part) == CacheKind::Index; });
    }
    CachePart anyIndex() const {
        for (const LayerShape &shape : m_d.model->shapes)
            for (const CachePart &part : shape.parts)
                if (kindOf(part) == CacheKind::Index)
                    return part;
        return IndexKeys{};
    }

    std::int64_t attentionTokenBytes(const CachePart &part) const {
        if (kindOf(part) == CacheKind::State || kindOf(part) == CacheKind::Cross || kindOf(part) == CacheKind::Index ||
            kindOf(part) == CacheKind::Compressed)
            return 0;
        return specOf(part, m_d.types.key).tokenBytes;
    }

    std::uint16_t indexOf(const Spec &spec) {
        const auto found = std::ranges::find(m_list.specs, spec);
        if (found != m_list.specs.end())
            return static_cast<std::uint16_t>(found - m_list.specs.begin());
        m_list.specs.push_back(spec);
        return static_cast<std::uint16_t>(m_list.specs.size() - 1);
    }

    Spec attention(SpecKind kind, const HeadShape &heads, ElementType type, std::int64_t limit) const {
        // ChunkedLocalAttentionSpec and CrossAttentionSpec know one head size for both.
        const bool oneSize = kind == SpecKind::Chunked || kind == SpecKind::Cross;
        const std::int64_t valueSize = oneSize ? heads.keySize : heads.valueSize;
        Spec spec{.kind = kind,
                  .blockSize = m_block,
                  .limit = limit,
                  .heads = localHeads(heads.kvHeads, m_d.tp),
                  .keySize = heads.keySize,
                  .valueSize = valueSize};
        spec.tokenBytes = checked::mul(spec.heads, headBytes(heads.keySize, valueSize, type));
        spec.page = checked::mul(m_block, spec.tokenBytes);
        if (kind == SpecKind::Cross)
            spec.tokenBytes = 0;
        return spec;
    }

    Spec vectorSpec(SpecKind kind, std::int64_t bytes, std::int64_t size) const {
        return {.kind = kind,
                .blockSize = m_block,
                .page = checked::mul(m_block, bytes),
                .tokenBytes = bytes,
                .heads = 1,
                .keySize = size};
    }

    Spec specOf(const CachePart &part, ElementType type) const {
        switch (kindOf(part)) {
        case CacheKind::Full:
            return attention(SpecKind::Full, std::get<FullAttention>(part).heads, type, 0);
        case CacheKind::Window: {
            const auto &window = std::get<SlidingWindow>(part);
            return attention(SpecKind::Window, window.heads, type, window.window.value);
        }
        case CacheKind::Chunked: {
            const auto &chunked = std::get<ChunkedAttention>(part);
            return attention(SpecKind::Chunked, chunked.heads, type, chunked.chunk.value);
        }
        case CacheKind::Cross:
            return attention(SpecKind::Cross, std::get<CrossAttention>(part).heads, type, 0);
        case CacheKind::Latent: {
            const auto &latent = std::get<LatentAttention>(part);
            if (m_traits.expandsLatent) // values are padded to the key's size
                return attention(SpecKind::Full,
                                 {latent.expanded.kvHeads, latent.expanded.keySize, latent.expanded.keySize}, type, 0);
            return vectorSpec(SpecKind::Latent, latentBytes(latent, type), latent.rank + latent.ropeSize);
        }
        case CacheKind::Index: {
            // Beside full attention (MiniMax-M3) the keys stay in the model's dtype.
            const std::int64_t size = std::get<IndexKeys>(part).size;
            return vectorSpec(SpecKind::Index,
                              m_traits.latent ? indexBytes(size) : bytesFor(size, m_d.types.model).value, size);
        }
        case CacheKind::State:
            return stateSpec(std::get<RecurrentState>(part));
        case CacheKind::Compressed:
            break;
        }
        return {};
    }

    Spec stateSpec(const RecurrentState &state) const {
        const std::int64_t own = stateBytes(state, *m_d.model, m_d.types, m_settings, m_d.tp);
        // Without attention beside them, every chunk's state is kept, or those at the edges of the cache's blocks.
        const std::int64_t alone = m_settings.stateMode == StateMode::All ? stateChunk(*m_d.model) : m_block;
        const std::int64_t block = m_settings.stateMode == StateMode::None ? 0 : m_statePage == 0 ? alone : m_block;
        return {.kind = SpecKind::State,
                .blockSize = block,
                .page = std::max(own, m_statePage),
                .heads = 1,
                .keySize = own};
    }

    const Deployment &m_d;
    const Settings &m_settings;
    const ModelTraits &m_traits;
    SpecList &m_list;
    std::int64_t m_block, m_statePage = 0;
};

// turboquant/config.py get_boundary_skip_layers: the first and last two layers stay in the model's dtype, unless the model has states.
bool staysPlain(const ModelTraits &traits, std::int64_t layer, std::int64_t layers) {
    if (traits.states)
        return false;
    const std::int64_t kept = std::min<std::int64_t>(2, layers / 2);
    return layer < kept || layer >= layers - kept;
}

} // namespace

std::int64_t localHeads(std::int64_t heads, std::int64_t tp) { return std::max<std::int64_t>(1, heads / tp); }

namespace {

/// A draft model's layers register like the served model's (v1/spec_decode/draft_model.py), all on the last stage, in blocks of one size.
void addDraftModel(const Deployment &d, const Settings &settings, SpecList &list) {
    const Deployment draft = draftDeployment(d, d.types);
    const ModelTraits traits = traitsOf(*draft.model);
    Settings own = settings;
    if (list.stateBlock)
        own.blockSize = *list.stateBlock;
    Maker maker(draft, own, traits, list);
    std::vector<std::vector<std::uint16_t>> byShape(draft.model->shapes.size());
    for (std::size_t s = 0; s < byShape.size(); ++s)
        maker.shape(draft.model->shapes[s], draft.types.key, byShape[s]);
    for (const auto layer : draft.model->layers)
        for (const std::uint16_t spec : byShape[layer])
            list.layers.push_back({spec, static_cast<std::uint16_t>(list.stages - 1)});
}

} // namespace

SpecList specsOf(const Deployment &d, const Settings &settings, const ModelTraits &traits,
                 const std::vector<std::int64_t> &stageLayers) {
    SpecList list;
    list.stages = static_cast<std::int64_t>(stageLayers.size());
    Maker maker(d, settings, traits, list);
    if (traits.states)
        maker.align();
    const ModelSpec &model = *d.model;
    const bool turbo = isTurboQuant(d.types.key);
    std::vector<std::vector<std::uint16_t>> byShape(model.shapes.size()), plainByShape(turbo ? model.shapes.size() : 0);
    for (std::size_t s = 0; s < model.shapes.size(); ++s) {
        maker.shape(model.shapes[s], d.types.key, byShape[s]);
        if (turbo)
            maker.shape(model.shapes[s], d.types.model, plainByShape[s]);
    }
    list.layers.reserve(model.layers.size());
    std::size_t stage = 0;
    std::int64_t left = stageLayers.front();
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        while (left == 0 && stage + 1 < stageLayers.size())
            left = stageLayers[++stage];
        --left;
        const bool plain = turbo && staysPlain(traits, static_cast<std::int64_t>(i), model.layerCount());
        for (const std::uint16_t spec : (plain ? plainByShape : byShape)[model.layers[i]])
            list.layers.push_back({spec, static_cast<std::uint16_t>(stage)});
    }
    if (settings.draftLayers > 0) {
        std::vector<std::uint16_t> draft;
        maker.shape(draftShape(model), d.types.key, draft, true);
        for (std::int64_t i = 0; i < settings.draftLayers; ++i)
            for (const std::uint16_t spec : draft)
                list.layers.push_back({spec, static_cast<std::uint16_t>(stageLayers.size() - 1)});
    }
    list.draftFrom = list.layers.size();
    if (d.draft)
        addDraftModel(d, settings, list);
    return list;
}

} // namespace kv::vllm
