// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/payload.h"

#include "core/model/draftshape.h"

#include <algorithm>

namespace kv {

namespace {

bool attendsToAll(const CachePart &part) {
    const CacheKind kind = kindOf(part);
    return kind == CacheKind::Full || kind == CacheKind::Latent;
}

/// Shape of the last layer that attends to all tokens, or the number of shapes when there is none.
std::size_t lastFullShape(const ModelSpec &model) {
    for (std::size_t i = model.layers.size(); i-- > 0;)
        for (const CachePart &part : model.layer(i).parts)
            if (attendsToAll(part))
                return model.layers[i];
    return model.shapes.size();
}

} // namespace

Payload::Payload(const ModelSpec &model, const CacheTypes &types, std::int64_t draftLayers, std::optional<Tokens> encoderTokens)
    : m_model(&model), m_types(types), m_draftLayers(draftLayers), m_draftShape(draftLayers > 0 ? lastFullShape(model) : 0),
      m_encoderTokens(encoderTokens) {
    if (draftLayers <= 0)
        return;
    const bool full = m_draftShape < model.shapes.size(); // then its own parts are counted with it, and others may come on top
    for (const CachePart &part : draftShape(model).parts)
        if (!full || std::ranges::find(model.shapes[m_draftShape].parts, part) == model.shapes[m_draftShape].parts.end())
            m_draftParts.push_back(part);
    for (std::size_t s = 0; const LayerShape &shape : model.shapes) {
        for (std::size_t p = 0; const CachePart &part : shape.parts) {
            const CacheKind kind = kindOf(part);
            if (full ? kind == CacheKind::Index : kind == CacheKind::Window || kind == CacheKind::Chunked || kind == CacheKind::Compressed)
                m_draftLike = {s, p};
            ++p;
        }
        ++s;
    }
}

template <typename Visitor>
void Payload::visit(Visitor &&visitor) const {
    for (std::size_t s = 0; s < m_model->shapes.size(); ++s) {
        const LayerShape &shape = m_model->shapes[s];
        const bool drafts = m_draftLayers > 0 && s == m_draftShape;
        for (std::size_t p = 0; p < shape.parts.size(); ++p) {
            const CachePart &part = shape.parts[p];
            if (const auto first = std::ranges::find(shape.parts, part); first != shape.parts.begin() + static_cast<std::ptrdiff_t>(p))
                continue; // a further run of the layer, counted with its first
            std::int64_t layers = checked::mul(shape.count, std::ranges::count(shape.parts, part));
            if (drafts && (attendsToAll(part) || kindOf(part) == CacheKind::Index))
                layers = checked::add(layers, m_draftLayers);
            const CrossAttention *cross = m_encoderTokens ? std::get_if<CrossAttention>(&part) : nullptr;
            if (cross)
                visitor(CachePart(CrossAttention{cross->heads, *m_encoderTokens}), layers, s, p);
            else
                visitor(part, layers, s, p);
        }
    }
    for (const CachePart &part : m_draftParts) // of no shape that the model has
        visitor(part, m_draftLayers, m_draftLike.first, m_draftLike.second);
}

Bytes Payload::perToken() const {
    Bytes sum;
    visit([&](const CachePart &part, std::int64_t layers, std::size_t, std::size_t) { sum += bytesPerToken(part, m_types) * layers; });
    return sum;
}

Bytes Payload::fixed() const {
    Bytes sum;
    visit([&](const CachePart &part, std::int64_t layers, std::size_t, std::size_t) { sum += fixedBytes(part, m_types) * layers; });
    return sum;
}

Bytes Payload::at(Tokens tokens) const {
    Bytes sum;
    visit([&](const CachePart &part, std::int64_t layers, std::size_t, std::size_t) {
        sum += (bytesAt(part, tokens, m_types) + fixedBytes(part, m_types)) * layers;
    });
    return sum;
}

Bytes Payload::prefix(Tokens tokens) const {
    Bytes sum;
    visit([&](const CachePart &part, std::int64_t layers, std::size_t, std::size_t) {
        if (sharesPrefix(part))
            sum += bytesAt(part, tokens, m_types) * layers;
    });
    return sum;
}

bool Payload::empty() const {
    bool any = false;
    visit([&](const CachePart &part, std::int64_t layers, std::size_t, std::size_t) {
        any = any || (layers > 0 && (bytesPerToken(part, m_types) != Bytes(0) || fixedBytes(part, m_types) != Bytes(0)));
    });
    return !any;
}

std::vector<PartTerms> Payload::derivation(Tokens tokens) const {
    std::vector<PartTerms> list;
    list.reserve(m_model->shapes.size());
    visit([&](const CachePart &part, std::int64_t layers, std::size_t shape, std::size_t index) {
        PartTerms one;
        one.shape = static_cast<std::uint16_t>(shape);
        one.part = static_cast<std::uint16_t>(index);
        one.kind = kindOf(part);
        one.layers = layers;
        one.terms = terms(part, m_types);
        one.perToken = bytesPerToken(part, m_types) * layers;
        one.atContext = bytesAt(part, tokens, m_types) * layers;
        one.fixed = fixedBytes(part, m_types) * layers;
        list.push_back(one);
    });
    return list;
}

} // namespace kv
