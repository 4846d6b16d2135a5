// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Element types of caches, states and weights, with their true size: block scales are part of it.
//
// A type's cost is `blockBytes` for every `blockElements` elements (q8_0: 34 bytes for 32), plus `headBytes` for each token and
// KV head (the per-token-head types of vLLM keep a 4-byte scale for K and one for V). A vector whose length is no multiple of
// the block costs the fraction rounded up to whole bytes: bytesFor() says so.
// Sizes: ggml/src/ggml-common.h (block_q8_0 …, llama.cpp v0.5.0); vllm/config/cache.py CacheDType and
// vllm/v1/kv_cache_interface.py (vLLM 0.24); python/sglang/srt/mem_cache/memory_pool.py (SGLang 2026-08).

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kv {

enum class ElementType : std::uint8_t {
    Auto, ///< the engine's own choice
    Fp32,
    Bf16,
    Fp16,
    Fp8,      ///< E4M3
    Fp8E5m2,
    Int8,
    Int4,
    Int8PerTokenHead,
    Fp8PerTokenHead,
    Int4PerTokenHead,
    Fp8DsMla, ///< 656 bytes a token and layer, only for MLA with a sparse indexer
    Nvfp4,
    Mxfp8,
    Fp4MxBlock16,
    TurboK8v4,
    Turbo4bitNc,
    TurboK3v4Nc,
    Turbo3bitNc,
    Q8_0,
    Q5_1,
    Q5_0,
    Q4_1,
    Q4_0,
    Iq4Nl,
    Fp4,
};

struct ElementTypeInfo {
    ElementType type;
    std::string_view name;    ///< the first name, the one that is printed
    std::string_view aliases; ///< further names, separated by spaces
    std::string_view label;   ///< for people: "BF16", "FP8 (E4M3)"
    std::int64_t blockElements;
    std::int64_t blockBytes;
    std::int64_t headBytes;   ///< per token and KV head, for each of K and V
    std::string_view remark;
};

std::span<const ElementTypeInfo> elementTypes();
const ElementTypeInfo &info(ElementType type);

/// By any of its names, in any case; nothing when unknown.
std::optional<ElementType> elementTypeFromName(std::string_view name);

/// Bytes of one vector of `elements` (rounded up to whole bytes where a block is cut), without headBytes.
constexpr std::int64_t bytesFor(std::int64_t elements, std::int64_t blockElements, std::int64_t blockBytes) {
    return checked::ceilDiv(checked::mul(elements, blockBytes), blockElements);
}
Bytes bytesFor(std::int64_t elements, ElementType type);

} // namespace kv
