// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cache/state.h"

namespace kv {

std::string_view stateFamilyName(StateFamily family) {
    switch (family) {
    case StateFamily::Mamba1: return "Mamba 1";
    case StateFamily::Mamba2: return "Mamba 2";
    case StateFamily::GatedDeltaNet: return "gated delta net";
    case StateFamily::Kda: return "Kimi delta attention";
    case StateFamily::Lightning: return "lightning attention";
    case StateFamily::ShortConvolution: return "short convolution";
    case StateFamily::Rwkv: return "RWKV";
    case StateFamily::RgLru: return "RG-LRU";
    }
    return {};
}

namespace {

ElementType recurrentType(const RecurrentState &part, const CacheTypes &types) {
    return part.stateType == ElementType::Auto ? types.model : part.stateType;
}

} // namespace

Bytes bytesPerToken(const RecurrentState &, const CacheTypes &) { return Bytes(); }

Bytes bytesAt(const RecurrentState &, Tokens, const CacheTypes &) { return Bytes(); }

Bytes fixedBytes(const RecurrentState &part, const CacheTypes &types) {
    return bytesFor(part.convElements(), types.model) + bytesFor(part.stateElements(), recurrentType(part, types));
}

CacheTerms terms(const RecurrentState &part, const CacheTypes &types) {
    CacheTerms result;
    if (part.convElements() != 0) {
        result.add(Role::ConvElements, part.convElements());
        addElementFactor(result, Role::ConvBytes, types.model);
    }
    if (part.stateElements() != 0) {
        result.add(Role::StateElements, part.stateElements());
        addElementFactor(result, Role::StateBytes, recurrentType(part, types));
    }
    result.fixed = fixedBytes(part, types);
    return result;
}

} // namespace kv
