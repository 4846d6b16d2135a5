// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The terms of a derivation, in small fixed storage: each rule hands out the very factors it multiplied, so that the explanation and
// the number cannot drift apart. plan/explain words them and finds the config key that each value came from.

#include "core/base/elementtype.h"
#include "core/base/units.h"

#include <array>
#include <cstdint>

namespace kv {

/// The types a cache is kept in: K and V may differ (llama.cpp); states never follow the KV type.
struct CacheTypes {
    ElementType key = ElementType::Bf16;
    ElementType value = ElementType::Bf16;
    ElementType model = ElementType::Bf16; ///< the model's own dtype: convolution columns, and states without a hint

    bool operator==(const CacheTypes &) const = default;
};

/// What a factor of a derivation is. ModelSpec::facts hold the config key of those that come from a file.
enum class Role : std::uint8_t {
    KeyAndValue, ///< the 2 of "a key and a value"
    Layers,
    KvHeads,
    HeadDim,
    KeySize,
    ValueSize,
    LatentRank,
    RopeSize,
    IndexSize,
    KeyBytes,   ///< bytes of one key element
    ValueBytes, ///< bytes of one value element
    ElementBytes,
    Window,
    Chunk,
    Ratio,
    TokenCount,
    SequenceCount,
    Prefix,
    EncoderTokens,
    ConvElements,
    ConvBytes,
    StateElements,
    StateBytes,
    QueryHeads,
    Hidden,
    MaxContext,
    Vocabulary,
    Intermediate,
    Experts,
    Dtype,
    SharedLayers, ///< layers that read another's cache
};

/// One factor; a value of numerator ÷ denominator where a type has a fraction of a byte (int4: 1/2).
struct Factor {
    Role role{};
    std::int64_t value = 0;
    std::int64_t divisor = 1;

    bool operator==(const Factor &) const = default;
};

struct CacheTerms {
    std::array<Factor, 8> factors{};
    std::uint8_t count = 0;
    Bytes perToken;  ///< the product of one layer, per token
    Bytes fixed;     ///< per sequence, of one layer
    Tokens limit;    ///< window or chunk: tokens kept at most; 0: all

    void add(Role role, std::int64_t value, std::int64_t divisor = 1) { factors[count++] = {role, value, divisor}; }
    bool operator==(const CacheTerms &) const = default;
};

/// KV heads and the sizes of one head's key and value, in elements.
struct HeadShape {
    std::int64_t kvHeads = 0;
    std::int64_t keySize = 0;
    std::int64_t valueSize = 0;

    bool operator==(const HeadShape &) const = default;
};

/// Bytes of one vector (a head's key or value, a latent, an index key), its scale for each token and head included.
Bytes vectorBytes(std::int64_t elements, ElementType type);
/// The bytes of one element, as the fraction that the type's blocks make it.
void addElementFactor(CacheTerms &terms, Role role, ElementType type);
/// Bytes of one token's keys and values over all KV heads of one layer, scales included.
Bytes tokenBytes(const HeadShape &heads, const CacheTypes &types);
/// Adds the factors of tokenBytes: "2 × KV heads × head dim × bytes", or sizes and types apart where they differ.
void addHeadFactors(CacheTerms &terms, const HeadShape &heads, const CacheTypes &types);

} // namespace kv
