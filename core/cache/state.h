// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Recurrent state: a layer that keeps a state of fixed size for each sequence instead of keys and values. Two parts: the columns of a
// short convolution (kernel − 1 of them, in the model's dtype) and the recurrent matrix (in the dtype that the config hints, else the
// model's). The KV type never touches either.
// Shapes: vLLM model_executor/layers/mamba/mamba_utils.py MambaStateShapeCalculator. The geometry is kept, not only the product,
// because engines divide it over ranks by heads and groups.

#include "core/cache/terms.h"

#include <string_view>

namespace kv {

enum class StateFamily : std::uint8_t { Mamba1, Mamba2, GatedDeltaNet, Kda, Lightning, ShortConvolution, Rwkv, RgLru };
std::string_view stateFamilyName(StateFamily family); ///< "Mamba 2", "gated delta net", …

struct RecurrentState {
    StateFamily family = StateFamily::Mamba2;
    std::int64_t kernel = 0;       ///< convolution kernel; columns kept: kernel − 1; 0: no convolution
    std::int64_t convChannels = 0; ///< channels of the convolution (Mamba 2: inner + 2 × groups × state size)
    std::int64_t heads = 0;        ///< heads of the recurrent part (value heads of a delta net); 1 where there are none
    std::int64_t headRows = 0;     ///< rows of one head's matrix (Mamba 2: head size; delta net: value size; Mamba 1: inner)
    std::int64_t headColumns = 0;  ///< columns (state size; delta net: key size)
    std::int64_t groups = 0;       ///< Mamba 2: n_groups; delta net: key heads
    std::int64_t groupSize = 0;    ///< Mamba 2: state size; delta net: key head size
    std::int64_t extraElements = 0; ///< further recurrent elements (RWKV: the token-shift vectors)
    ElementType stateType = ElementType::Auto; ///< config hint (mamba_ssm_dtype …); Auto: the model's dtype
    bool operator==(const RecurrentState &) const = default;

    std::int64_t convElements() const { return kernel > 0 ? checked::mul(convChannels, kernel - 1) : 0; }
    std::int64_t stateElements() const {
        return checked::add(checked::mul(heads, checked::mul(headRows, headColumns)), extraElements);
    }
};

Bytes bytesPerToken(const RecurrentState &part, const CacheTypes &types);
Bytes bytesAt(const RecurrentState &part, Tokens tokens, const CacheTypes &types);
Bytes fixedBytes(const RecurrentState &part, const CacheTypes &types);
CacheTerms terms(const RecurrentState &part, const CacheTypes &types);

} // namespace kv
