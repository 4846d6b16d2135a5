// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The payload: what the attention of a model must keep, by the textbook, under every engine. Sums the cache kinds over the layers.
//
// Draft layers (multi-token prediction) count only when asked for: each is one more layer as draftShape() says, of the last shape that attends
// to all tokens where there is one. Cross-attention keeps the model's own number of encoder tokens unless another is given.

#include "core/model/modelspec.h"
#include "core/plan/plan.h"

#include <optional>
#include <utility>
#include <vector>

namespace kv {

class Payload {
public:
    Payload(const ModelSpec &model, const CacheTypes &types, std::int64_t draftLayers = 0, std::optional<Tokens> encoderTokens = {});

    Bytes perToken() const;               ///< one token, all layers, while inside every window
    Bytes fixed() const;                  ///< per sequence, whatever its length
    Bytes at(Tokens tokens) const;        ///< one sequence, the fixed part included
    Bytes marginal(Tokens tokens) const { return at(tokens + Tokens(1)) - at(tokens); }
    Bytes prefix(Tokens tokens) const;    ///< what the layers that cache every token keep for a shared prefix
    bool empty() const;                   ///< nothing is cached at all
    std::vector<PartTerms> derivation(Tokens tokens) const;

private:
    template <typename Visitor>
    void visit(Visitor &&visitor) const; ///< visitor(part, layers, shape index, part index)

    const ModelSpec *m_model;
    CacheTypes m_types;
    std::int64_t m_draftLayers;
    std::size_t m_draftShape;
    std::vector<CachePart> m_draftParts; ///< of the draft layers, what no part of that shape is
    std::pair<std::size_t, std::size_t> m_draftLike{}; ///< the part that these are made from
    std::optional<Tokens> m_encoderTokens;
};

} // namespace kv
