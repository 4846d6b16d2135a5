// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/vllm/compressedspecs.h"

#include "core/engine/vllm/pages.h"

namespace kv::vllm {

namespace {

constexpr std::int64_t alignment = 576;
constexpr std::int64_t windowBlock = 64;

std::int64_t aligned(std::int64_t bytes) { return checked::roundUp(bytes, alignment); }

/// One stored vector: FP8 elements, the rotary ones in 16 bit, a scale byte per 64 of the others, those rounded up to 8.
std::int64_t rowBytes(const CompressedAttention &part) {
    const std::int64_t plain = part.headDim - part.ropeSize;
    return plain + 2 * part.ropeSize + checked::roundUp(checked::ceilDiv(plain, 64), 8);
}

Spec compressorSpec(const CompressedAttention &part, std::int64_t size) {
    const std::int64_t overlap = part.ratio == 4 ? 2 : 1, block = part.ratio == 4 ? 4 : 8;
    return {.kind = SpecKind::LatentWindow,
            .blockSize = block,
            .page = aligned(checked::mul(block, checked::mul(4, 2 * overlap * size))),
            .limit = overlap * part.ratio,
            .heads = 1,
            .keySize = size};
}

} // namespace

std::vector<Spec> compressedSpecs(const CompressedAttention &part, const Settings &settings) {
    std::vector<Spec> specs;
    if (part.ratio > 0) {
        const std::int64_t rows = std::max<std::int64_t>(1, settings.blockSize / part.ratio);
        const auto entries = [&](std::int64_t bytes, std::int64_t size) {
            specs.push_back({.kind = SpecKind::Compressed,
                             .blockSize = settings.blockSize,
                             .page = aligned(checked::mul(rows, bytes)),
                             .tokenBytes = checked::ceilDiv(bytes, part.ratio),
                             .heads = part.ratio,
                             .keySize = size});
        };
        entries(rowBytes(part), part.headDim);
        if (part.indexSize > 0)
            entries(indexBytes(part.indexSize), part.indexSize);
    }
    if (part.window.value > 0)
        specs.push_back({.kind = SpecKind::LatentWindow,
                         .blockSize = windowBlock,
                         .page = aligned(checked::mul(windowBlock, rowBytes(part))),
                         .limit = part.window.value,
                         .tokenBytes = rowBytes(part),
                         .heads = 1,
                         .keySize = part.headDim});
    if (part.ratio > 0) {
        specs.push_back(compressorSpec(part, part.headDim));
        if (part.indexSize > 0)
            specs.push_back(compressorSpec(part, part.indexSize));
    }
    return specs;
}

} // namespace kv::vllm
